"""A table of trick taking as Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engines import _native
from engines.contract.job import LayerPlan
from engines.contract.vocabulary import shared
from engines.tables.keyed_files import open_file
from engines.tricks.choices import choices
from engines.tricks.columns import shared as tricks_columns
from engines.tricks.deal import standard
from storage.block import decode_block
from storage.columns import column
from storage.layout import RunLayout
from storage.place import Place

SCHEMA = pa.schema(
    [
        *shared("cards", "deal"),
        *tricks_columns("above", "k"),
        column("value_left_leads", "uint8", "points", "Point cards that Left gets with Left in the lead."),
    ]
)
"""``deal``: the hands in the standard form, highest card first. With Right in the lead Left gets k less the value of
the hands exchanged (A for B)."""


def export_table(points: str, layers: Sequence[LayerPlan], run_dir: Place, out_dir: Path) -> list[Path]:
    """Write one file for each layer and shard of a table in ``run_dir``; the files."""
    written = []
    for plan in layers:
        cards = plan.layer
        above, count = np.array(choices(points, cards), np.uint8).T
        group = len(above)
        for shard in range(plan.shards_count):
            path = RunLayout(run_dir).shard(cards, shard)
            target = out_dir / f"{path.name.removesuffix(path.suffix)}.parquet"
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
