"""A table of trick taking as Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engines import _native
from engines.contract.job import UnitContext
from engines.tables.keyed_files import open_file
from engines.tricks.deal import standard
from storage.block import decode_block
from storage.layout import RunLayout

if TYPE_CHECKING:
    from engines.tricks.table import TricksTable

SCHEMA = pa.schema(
    [
        pa.field("cards", pa.uint8(), nullable=False),
        pa.field("hands", pa.string(), nullable=False),
        pa.field("above", pa.uint8(), nullable=False),
        pa.field("k", pa.uint8(), nullable=False),
        pa.field("value_left_leads", pa.uint8(), nullable=False),
    ]
)
"""``hands``: the standard form, highest card first. With Right in the lead Left gets k less the value of the hands
exchanged (A for B)."""


def export_table(table: TricksTable, ctx: UnitContext, out_dir: Path) -> list[Path]:
    """Write one file for each layer and shard; the files."""
    from engines.tricks.table import choices

    written = []
    for plan in table.layers():
        cards, group = plan.layer, table.group_values(plan.layer)
        above, count = np.array(choices(table.job.points, cards), np.uint8).T
        for shard in range(plan.shards_count):
            path = RunLayout(ctx.run_dir).shard(cards, shard)
            target = out_dir / f"{path.stem}.parquet"
            with open_file(path) as opened, pq.ParquetWriter(target, SCHEMA, compression="zstd") as writer:
                for _, packed in opened.blocks():
                    block = decode_block(packed)
                    groups = block.count // group
                    patterns = _native.tricks_patterns(cards, block.first // group, groups)
                    hands = pa.array([standard(cards, int(pattern)) for pattern in patterns], pa.string())
                    columns = [
                        pa.repeat(pa.scalar(cards, pa.uint8()), block.count),
                        hands.take(pa.array(np.repeat(np.arange(groups), group))),
                        pa.array(np.tile(above, groups)),
                        pa.array(np.tile(count, groups)),
                        pa.array(block.values, pa.uint8()),
                    ]
                    writer.write_table(pa.table(columns, schema=SCHEMA))
            written.append(target)
    return written
