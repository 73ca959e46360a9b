"""Files of every version that was ever written stay readable; today's files are still what they were.

``data/`` has one file of each kind and version, written when the version was new. A new version adds files
there.
"""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from storage.block import decode_block, encode_block, order_key
from storage.dataset import read_rows
from storage.digest import TableDigest, table_digest
from storage.manifest import read_manifest
from storage.record import sha256_file
from storage.rowdigest import content_digest
from storage.shardfile import ShardWriter, open_shard
from storage.verify import verify_shard

RUN = Path(__file__).parent / "data" / "run-v1"


def golden_blocks(name: str) -> tuple[list[bytes], dict[str, Any]]:
    """What the golden shard files hold; no randomness, so that it can be written again."""
    steps = np.arange(1, 601, dtype=np.uint64)
    keys = np.cumsum(steps * steps % np.uint64(1009) + np.uint64(1))
    values = (np.arange(600) / 600).astype(np.float32)
    if name == "L01-S000":
        cuts = ((0, 400), (400, 600))
        return [encode_block(keys[a:b], values[a:b], 20) for a, b in cuts], {
            "key_bits": 20,
            "value_type": "float32",
            "digest": table_digest(1, keys, values).hex(),
        }
    if name == "L02-S000":
        wide = np.zeros((200, 4), np.uint64)
        wide[:, 1] = keys[:200]
        wide[:, 3] = keys[200:400]
        return [encode_block(wide, values[:200].astype(np.float64), 150)], {
            "key_bits": 150,
            "value_type": "float64",
            "digest": table_digest(2, wide, values[:200].astype(np.float64)).hex(),
        }
    ranked = (np.arange(6000) % 251).astype(np.uint8)
    return [encode_block(None, ranked[a : a + 3000], 64, a) for a in (0, 3000)], {
        "key_bits": 64,
        "value_type": "uint8",
        "digest": table_digest(3, np.arange(6000, dtype=np.uint64), ranked).hex(),
    }


@pytest.mark.parametrize("name", ["L01-S000", "L02-S000", "L03-S000"])
def test_shard_files_of_version_1(tmp_path: Path, name: str) -> None:
    path = RUN / "shards" / f"{name}.lmdb"
    record = read_manifest(RUN).record(RUN, path)
    assert list(verify_shard(path, record)) == []
    blocks, footer = golden_blocks(name)
    digest = TableDigest()
    with open_shard(path, record) as shard:
        assert shard.footer == {
            **footer,
            "format_version": 1,
            "blocks_count": len(blocks),
            "count": record.count,
        }
        assert [array.tobytes() for _, array in shard.blocks()] == blocks
        for _, array in shard.blocks():
            block = decode_block(array)
            keys = (
                np.arange(block.first, block.last + 1, dtype=np.uint64) if block.keys is None else block.keys
            )
            assert block.values is not None
            digest += table_digest(int(name[1:3]), keys, block.values)
        assert digest == TableDigest.from_hex(shard.footer["digest"])
    writer = ShardWriter(tmp_path / path.name, tmp_path)
    for packed in blocks:
        writer.append(order_key(packed), packed)
    written = writer.finish(footer)
    if mmap.PAGESIZE == 4096:  # LMDB takes the machine's page size; these files are from one with 4096
        assert written == record
    assert list(verify_shard(tmp_path / path.name, written)) == []


def test_parquet_parts_of_version_1() -> None:
    rows = read_rows(RUN)
    assert rows["index"].to_pylist() == list(range(12))
    assert rows["outcome"].to_pylist() == ["undecided" if i == 5 else "won" for i in range(12)]
    assert rows["attempt"].to_pylist() == [2 if i in (3, 5) else 1 for i in range(12)]
    assert content_digest(RUN) == "fa4da5510f1e759576fe46b78b5273bbbc8e8b8b70c9e13fec566226e0428529"
    manifest = read_manifest(RUN)
    for path in sorted((RUN / "data").iterdir()):
        record = manifest.record(RUN, path)
        assert sha256_file(path) == record.sha256
        assert pq.read_metadata(path).num_rows == record.count
