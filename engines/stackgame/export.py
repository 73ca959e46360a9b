"""A table of the stack game as Parquet: every state with its text and its probability."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engines import _native
from engines.contract.job import LayerPlan
from engines.contract.vocabulary import shared
from engines.tables.keyed_files import Keys, decode, naming_files
from storage.columns import column
from storage.layout import RunLayout
from storage.place import Place
from storage.shardfile import open_shard

SCHEMA = pa.schema(
    [
        *shared("layer"),
        column(
            "place", "uint64", "", "Number of the state in its layer; null for general forms.", nullable=True
        ),
        column(
            "wide_place",
            pa.binary(32),
            "",
            "For general forms: the state's key of 256 bits, big-endian; null for others.",
            nullable=True,
        ),
        column("state", "string", "", "The state as text, as yamafuda prob reads and prints it."),
        column("probability", "float64", "", "Probability of success, as the table has it."),
    ]
)


def export_table(
    game: _native.Game, layers: Sequence[LayerPlan], run_dir: Place, out_dir: Path
) -> list[Path]:
    """Write one file for each layer and shard of a finished table in ``run_dir``; the files."""
    written = []
    for plan in layers:
        for shard in range(plan.shards_count):
            path = RunLayout(run_dir).shard(plan.layer, shard)
            written.append(out_dir / f"{path.name.removesuffix(path.suffix)}.parquet")
            _export_shard(game, plan.layer, path, written[-1])
    return written


def _export_shard(game: _native.Game, layer: int, path: Place, target: Path) -> None:
    with (
        open_shard(path) as opened,
        pq.ParquetWriter(
            target,
            SCHEMA,
            compression="zstd",
            use_dictionary=["layer"],
            use_byte_stream_split=["probability"],  # the last bytes of float32 tables' are zeros
        ) as writer,
    ):
        for _, block in opened.blocks():
            keys, values = decode(path, block)
            with naming_files([path]):
                states = game.texts(layer, keys)
            columns = [
                pa.repeat(pa.scalar(layer, pa.uint8()), len(keys)),
                *_places(keys),
                pa.array(states, pa.string()),
                pa.array(values, pa.float64()),
            ]
            writer.write_table(pa.table(columns, schema=SCHEMA))


def _places(keys: Keys) -> tuple[pa.Array, pa.Array]:
    """As numbers, and as 32 bytes; one of them is null."""
    narrow, wide = SCHEMA.field("place").type, SCHEMA.field("wide_place").type
    if keys.ndim == 1:
        return pa.array(keys, narrow), pa.nulls(len(keys), wide)
    buffers = [None, pa.py_buffer(np.ascontiguousarray(keys.astype(">u8")).tobytes())]
    return pa.nulls(len(keys), narrow), pa.FixedSizeBinaryArray.from_buffers(wide, len(keys), buffers)
