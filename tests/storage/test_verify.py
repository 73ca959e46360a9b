"""Verification finds every kind of damage, also where the checksum was made to fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import lmdb
import numpy as np
import pytest

from storage.block import encode_block, order_key
from storage.errors import DamagedFileError
from storage.record import FileRecord, sha256_file
from storage.shardfile import ShardWriter, open_shard
from storage.verify import verify_shard

Block = tuple[bytes, bytes]


def block(first: int, key_bits: int = 40, dtype: type = np.float32) -> Block:
    keys = np.arange(first, first + 100, dtype=np.uint64)
    packed = encode_block(keys, np.linspace(0, 1, 100).astype(dtype), key_bits)
    return order_key(packed), packed


def write(path: Path, blocks: list[Block], value_type: str = "float32", key_bits: int = 40) -> FileRecord:
    writer = ShardWriter(path, path.parent)
    for key, packed in blocks:
        writer.append(key, packed)
    return writer.finish({"key_bits": key_bits, "value_type": value_type})


def forge(path: Path, key: bytes, value: bytes) -> FileRecord:
    """Replace a record and give the file record that fits."""
    with lmdb.open(str(path), subdir=False, lock=False, lib_version=0) as environment:
        with environment.begin(write=True) as transaction:
            transaction.put(key, value)
        environment.sync(True)
    return FileRecord(path.name, path.stat().st_size, sha256_file(path), 200)


def test_a_sound_file_has_no_problems(tmp_path: Path) -> None:
    path = tmp_path / "x.lmdb"
    assert list(verify_shard(path, write(path, [block(0), block(100)]))) == []
    ranked = tmp_path / "ranked.lmdb"
    packed = [encode_block(None, np.zeros(50, np.uint8), 64, first) for first in (0, 50)]
    record = write(ranked, [(order_key(one), one) for one in packed], "uint8", 64)
    assert list(verify_shard(ranked, record)) == []


@pytest.mark.parametrize("position", [0, 30, 5000, 9000, -1])
def test_a_flipped_byte_is_found_anywhere(tmp_path: Path, position: int) -> None:
    path = tmp_path / "x.lmdb"
    record = write(path, [block(0), block(100)])
    data = bytearray(path.read_bytes())
    data[position] ^= 0x10
    path.write_bytes(data)
    problems = list(verify_shard(path, record))
    assert len(problems) == 1
    assert "SHA-256" in problems[0]


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        (b"rubbish", ["fewer than a header", "has 100 states, its footer says 200"]),
        (block(90)[1], ["stands under", "behind 0x63"]),
        (block(100, 41)[1], ["keys of 41 bits"]),
        (block(100, 40, np.uint8)[1], ["value type"]),
    ],
)
def test_blocks_that_do_not_belong_are_found(tmp_path: Path, value: bytes, messages: list[str]) -> None:
    path = tmp_path / "x.lmdb"
    write(path, [block(0), block(100)])
    record = forge(path, b"\x00" + block(100)[0], value)
    problems = list(verify_shard(path, record))
    assert len(problems) == len(messages)
    assert all(message in problem for message, problem in zip(messages, problems, strict=True))


def test_a_gap_between_indices_is_found(tmp_path: Path) -> None:
    path = tmp_path / "ranked.lmdb"
    packed = [encode_block(None, np.zeros(50, np.uint8), 64, first) for first in (0, 51)]
    record = write(path, [(order_key(one), one) for one in packed], "uint8", 64)
    assert ["begins at index 51" in problem for problem in verify_shard(path, record)] == [True]


def test_another_count_than_the_manifests_is_found(tmp_path: Path) -> None:
    path = tmp_path / "x.lmdb"
    record = replace(write(path, [block(0)]), count=99)
    with pytest.raises(DamagedFileError, match="has 100 states and should have 99"):
        open_shard(path, record)
    assert len(list(verify_shard(path, record))) == 1
