"""Shard files: same content, same bytes; arrays without copies; no damage that ends the process."""

from __future__ import annotations

import dataclasses
import errno
import gc
import os
import random
import subprocess
import sys
from pathlib import Path

import lmdb
import lmdb.verify
import numpy as np
import pytest

from storage import publish
from storage.block import decode_block, encode_block, order_key
from storage.errors import DamagedFileError, DiskFullError
from storage.pages import map_file
from storage.record import FileRecord, verify_file
from storage.shardfile import ShardWriter, open_shard

FOOTER = {"key_bits": 40, "value_type": "float32"}


def make_blocks(count: int = 12, states_count: int = 3000, seed: int = 1) -> list[bytes]:
    rng = np.random.default_rng(seed)
    keys = np.cumsum(rng.integers(1, 2**18, count * states_count, dtype=np.uint64))
    values = rng.random(len(keys), dtype=np.float32)
    edges = range(0, len(keys), states_count)
    return [encode_block(keys[i : i + states_count], values[i : i + states_count], 40) for i in edges]


def write(folder: Path, blocks: list[bytes], name: str = "L01-S000.lmdb", **figures: object) -> FileRecord:
    writer = ShardWriter(folder / name, folder / "staging")
    for block in blocks:
        writer.append(order_key(block), block)
    return writer.finish({**FOOTER, **figures})


def test_blocks_and_footer_come_back(tmp_path: Path) -> None:
    blocks = make_blocks()
    record = write(tmp_path, blocks, p_sum="1f")
    path = tmp_path / record.name
    assert record.count == 36000
    assert record.size_bytes == path.stat().st_size
    verify_file(path, record)
    with open_shard(path, record) as shard:
        assert shard.count == 36000
        assert shard.footer == {
            **FOOTER,
            "p_sum": "1f",
            "format_version": 1,
            "blocks_count": 12,
            "count": 36000,
        }
        read = shard.blocks()
        assert [key for key, _ in read] == [order_key(block) for block in blocks]
        assert [array.tobytes() for _, array in read] == blocks
        assert not any(array.flags.writeable for _, array in read)
        assert all(array.dtype == np.uint8 and array.ctypes.data % 16 == 0 for _, array in read)
    assert list((tmp_path / "staging").iterdir()) == []


@pytest.mark.parametrize("states_count", [1, 40, 700])
def test_small_blocks_fit_the_map(tmp_path: Path, states_count: int) -> None:
    """Small values sit in the tree's own pages; thousands of them make it several levels deep."""
    blocks = make_blocks(3000, states_count)
    record = write(tmp_path, blocks)
    with open_shard(tmp_path / record.name, record) as shard:
        assert [array.tobytes() for _, array in shard.blocks()] == blocks


def test_wide_keys_and_values_at_an_index(tmp_path: Path) -> None:
    keys = np.zeros((100, 4), np.uint64)
    keys[:, 0] = 7
    keys[:, 3] = np.arange(100)
    wide = encode_block(keys, np.ones(100), 200)
    ranked = [encode_block(None, np.full(1000, i, np.uint8), 64, 1000 * i) for i in range(3)]
    for name, blocks, footer in (
        ("wide.lmdb", [wide], {"key_bits": 200, "value_type": "float64"}),
        ("ranked.lmdb", ranked, {"key_bits": 64, "value_type": "uint8"}),
    ):
        writer = ShardWriter(tmp_path / name, tmp_path)
        for block in blocks:
            writer.append(order_key(block), block)
        record = writer.finish(footer)
        with open_shard(tmp_path / name, record) as shard:
            read = [decode_block(array) for _, array in shard.blocks()]
        assert sum(block.count for block in read) == record.count
        assert read[-1].last == ((7 << 192) + 99 if name == "wide.lmdb" else 2999)


def test_a_shard_without_states(tmp_path: Path) -> None:
    record = write(tmp_path, [])
    with open_shard(tmp_path / record.name, record) as shard:
        assert (shard.count, shard.blocks()) == (0, [])


def test_arrays_as_blocks(tmp_path: Path) -> None:
    """Blocks come as arrays from the compiled core and from other shard files."""
    blocks = make_blocks()
    first = write(tmp_path, blocks)
    writer = ShardWriter(tmp_path / "copy.lmdb", tmp_path / "staging")
    with open_shard(tmp_path / first.name) as shard:
        for key, array in shard.blocks():
            writer.append(key, array)
    assert writer.finish(FOOTER).sha256 == first.sha256


def test_the_writer_refuses_what_does_not_belong(tmp_path: Path) -> None:
    blocks = make_blocks(2)
    writer = ShardWriter(tmp_path / "x.lmdb", tmp_path)
    writer.append(order_key(blocks[1]), blocks[1])
    with pytest.raises(ValueError, match="does not come behind"):
        writer.append(order_key(blocks[0]), blocks[0])
    with pytest.raises(ValueError, match="does not come behind"):
        writer.append(order_key(blocks[1]), blocks[1])
    with pytest.raises(DamagedFileError, match="checksum"):
        writer.append(b"\xff" * 8, blocks[1][:-1] + b"\x01")
    with pytest.raises(ValueError, match="footer"):
        writer.finish({"key_bits": 41, "value_type": "float32"})
    with pytest.raises(ValueError, match="footer"):
        writer.finish({"key_bits": 40})
    assert not (tmp_path / "x.lmdb").exists()
    writer.finish(FOOTER)
    with pytest.raises(ValueError, match="used up"):
        writer.finish(FOOTER)


def test_the_second_writer_changes_nothing_and_differing_bytes_are_reported(tmp_path: Path) -> None:
    blocks = make_blocks()
    record = write(tmp_path, blocks)
    before = (tmp_path / record.name).stat()
    assert write(tmp_path, blocks) == record
    assert (tmp_path / record.name).stat().st_ino == before.st_ino
    with pytest.raises(DamagedFileError, match="other content"):
        write(tmp_path, blocks, p_sum="2")


SCRIPT = """
import sys
from pathlib import Path
from storage.shardfile import ShardWriter
from storage.block import order_key
sys.path.insert(0, sys.argv[2])
from test_shardfile import make_blocks, write
rubbish = [bytes([n % 256]) * 4096 for n in range(int(sys.argv[3]))]
del rubbish
print(write(Path(sys.argv[1]), make_blocks(), p_sum="3").sha256)
"""


def test_bytes_do_not_depend_on_process_or_place(tmp_path: Path) -> None:
    digests = []
    for name, rubbish in (("a", "0"), ("a-rather-longer-name", "5000")):
        (tmp_path / name).mkdir()
        environment = {**os.environ, "MALLOC_PERTURB_": str(len(name)), "PYTHONHASHSEED": str(len(name))}
        arguments = [sys.executable, "-c", SCRIPT, str(tmp_path / name), str(Path(__file__).parent), rubbish]
        done = subprocess.run(arguments, check=True, capture_output=True, text=True, env=environment)
        digests.append(done.stdout.strip())
    assert digests[0] == digests[1]
    assert digests[0] == write(tmp_path, make_blocks(), p_sum="3").sha256


def maps_of(path: Path) -> int:
    """How often the file is mapped in this process."""
    return Path("/proc/self/maps").read_text().count(str(path))


def test_arrays_outlive_the_shard_and_release_the_file(tmp_path: Path) -> None:
    blocks = make_blocks()
    record = write(tmp_path, blocks)
    shard = open_shard(tmp_path / record.name)
    part = shard.blocks()[3][1][100:200]
    assert maps_of(tmp_path / record.name) == 1
    shard.close()
    with pytest.raises(ValueError, match="is closed"):
        shard.blocks()
    del shard
    gc.collect()
    assert part.tobytes() == blocks[3][100:200]
    assert maps_of(tmp_path / record.name) == 1
    del part
    assert maps_of(tmp_path / record.name) == 0


def test_opened_twice_and_rebuilt_meanwhile(tmp_path: Path) -> None:
    blocks, other = make_blocks(), make_blocks(seed=2)
    record = write(tmp_path, blocks)
    path = tmp_path / record.name
    with open_shard(path) as old, open_shard(path) as again:
        path.unlink()
        write(tmp_path, other)
        with open_shard(path) as new:
            assert new.blocks()[0][1].tobytes() == other[0]
        for shard in (old, again):
            assert shard.blocks()[0][1].tobytes() == blocks[0]


def test_lmdb_reads_the_same_records(tmp_path: Path) -> None:
    """storage/pages.py agrees with LMDB, for trees of one and of several levels."""
    path = tmp_path / "x.lmdb"
    for blocks in (make_blocks(0), make_blocks(1), make_blocks(3000, 20), make_blocks(40, 3000)):
        path.unlink(missing_ok=True)
        write(tmp_path, blocks, "x.lmdb")
        mapped, records = map_file(path)
        mine = [(one.key, mapped[one.offset : one.offset + one.size_bytes]) for one in records]
        with (
            lmdb.open(str(path), subdir=False, lock=False, readonly=True) as environment,
            environment.begin() as transaction,
        ):
            assert environment.lib_version()[0] == 0
            assert mine == list(transaction.cursor())
        assert lmdb.verify.verify(str(path)) == []


def test_a_fork_reads_on_and_opens_anew(tmp_path: Path) -> None:
    blocks = make_blocks()
    record = write(tmp_path, blocks)
    path = tmp_path / record.name
    shard = open_shard(path)
    view = shard.blocks()[0][1]
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with open_shard(path, record) as mine:
                same = [array.tobytes() for _, array in mine.blocks()] == blocks
            shard.close()
            del mine
            status = 0 if same and view.tobytes() == blocks[0] else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert view.tobytes() == blocks[0]
    assert [array.tobytes() for _, array in shard.blocks()] == blocks
    shard.close()


def read_all(path: Path) -> None:
    with open_shard(path) as shard:
        for _, array in shard.blocks():
            decode_block(array)


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    record = write(tmp_path, make_blocks())
    data = (tmp_path / record.name).read_bytes()
    path = tmp_path / "cut.lmdb"
    lengths = [0, 1, 100, 4096, 4200, 8191, 8192, len(data) - 4096, len(data) - 1]
    for length in [*lengths, *range(8192, len(data), 12345)]:
        path.write_bytes(data[:length])
        with pytest.raises(DamagedFileError):
            open_shard(path)
    path.write_bytes(data + bytes(4096))
    with pytest.raises(DamagedFileError, match="its LMDB header says"):
        open_shard(path)
    with pytest.raises(DamagedFileError, match="and should have"):
        open_shard(path, record)
    with pytest.raises(DamagedFileError, match="missing"):
        open_shard(tmp_path / "nothing.lmdb", record)


@pytest.mark.parametrize("more", [-1, 1])
def test_another_count_than_expected_is_refused(tmp_path: Path, more: int) -> None:
    record = write(tmp_path, make_blocks())
    with pytest.raises(
        DamagedFileError, match=f"has {record.count} states and should have {record.count + more}"
    ):
        open_shard(tmp_path / record.name, dataclasses.replace(record, count=record.count + more))


def test_damaged_pages_never_end_the_process(tmp_path: Path) -> None:
    """Bytes of tree and headers are overwritten: reading raises or gives sound blocks, never a signal."""
    record = write(tmp_path, make_blocks(40, 300))
    data = (tmp_path / record.name).read_bytes()
    with lmdb.open(str(tmp_path / record.name), subdir=False, lock=False, readonly=True) as environment:
        root = environment.info()["last_pgno"]
    headers = [*range(0, 200), *range(4096, 4096 + 200)]
    pages = [i for page in range(2, root + 1) for i in range(4096 * page, 4096 * page + 16)]
    rng = random.Random(1)
    tree = find_leaf_pages(data)
    places = headers + pages + [i for page in tree for i in range(4096 * page, 4096 * page + 4096)]
    path = tmp_path / "broken.lmdb"
    refused = 0
    for _ in range(1500):
        broken = bytearray(data)
        for _ in range(rng.choice([1, 1, 1, 2, 6])):
            broken[rng.choice(places)] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
        if broken == data:
            continue
        path.unlink(missing_ok=True)
        path.write_bytes(broken)
        with pytest.raises(DamagedFileError, match="SHA-256"):
            verify_file(path, record)
        try:
            read_all(path)
        except DamagedFileError:
            refused += 1
    assert refused > 200


def find_leaf_pages(data: bytes) -> list[int]:
    return [
        page
        for page in range(2, len(data) // 4096)
        if data[4096 * page + 10 : 4096 * page + 12] == b"\x02\x00"
        and int.from_bytes(data[4096 * page : 4096 * page + 8], "little") == page
    ]


def write_plain(path: Path, records: list[tuple[bytes, bytes]], lib_version: int = 0) -> None:
    with (
        lmdb.open(
            str(path), map_size=1 << 20, subdir=False, lock=False, lib_version=lib_version
        ) as environment,
        environment.begin(write=True) as transaction,
    ):
        for key, value in records:
            transaction.put(key, value)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "no footer"),
        ([(b"\x00a", b"x")], "no footer"),
        ([(b"\x05a", b"x"), (b"\xff", b"{}")], "neither a block nor the footer"),
        ([(b"\xff", b"\xff\xfe")], "not JSON"),
        ([(b"\xff", b"")], "not JSON"),
        ([(b"\xff", b"[]")], "no format version"),
        ([(b"\xff", b'{"format_version": 2}')], "has format 2; this yamafuda reads format 1"),
        ([(b"\xff", b'{"format_version": 1}')], "lacks blocks_count"),
        (
            [(b"\xff", b'{"format_version":1,"blocks_count":1,"count":0,"key_bits":8,"value_type":"none"}')],
            "has 0 blocks, its footer says 1",
        ),
        (
            [(b"\xff", b'{"format_version":1,"blocks_count":0,"count":0,"key_bits":8,"value_type":"int"}')],
            "lacks a value type",
        ),
    ],
)
def test_other_content_is_refused(tmp_path: Path, records: list[tuple[bytes, bytes]], message: str) -> None:
    write_plain(tmp_path / "x.lmdb", records)
    with pytest.raises(DamagedFileError, match=message):
        open_shard(tmp_path / "x.lmdb")


def test_the_other_lmdb_format_is_refused(tmp_path: Path) -> None:
    write_plain(tmp_path / "x.lmdb", [(b"\xff", b"{}")], lib_version=1)
    with pytest.raises(DamagedFileError):
        open_shard(tmp_path / "x.lmdb")


def test_a_full_disk_is_named_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LMDB reports the short write of a full disk as an input/output error."""

    def fail(self: ShardWriter, path: Path, footer: bytes) -> None:
        path.write_bytes(b"part")
        raise lmdb.Error("mdb_txn_commit: " + os.strerror(errno.EIO))

    monkeypatch.setattr(ShardWriter, "_write", fail)
    monkeypatch.setattr(publish, "free_bytes", lambda folder: 0)
    with pytest.raises(DiskFullError, match="free 0 bytes; make room and run the same command again"):
        write(tmp_path, make_blocks())
    assert list((tmp_path / "staging").iterdir()) == []
    monkeypatch.setattr(publish, "free_bytes", lambda folder: 10 << 30)
    with pytest.raises(lmdb.Error):
        write(tmp_path, make_blocks())
