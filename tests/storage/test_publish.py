"""Files appear whole or not at all, once, and leave nothing behind."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from storage import publish
from storage.block import encode_block, order_key
from storage.dataset import Provenance, write_part
from storage.errors import DiskFullError, UserError
from storage.layout import RunLayout
from storage.manifest import Manifest, write_manifest
from storage.shardfile import ShardWriter


def publish_bytes(final: Path, staging: Path, data: bytes) -> bool:
    with publish.staged(final, staging) as temporary:
        temporary.write_bytes(data)
        return publish.publish(temporary, final)


def test_first_writer_wins(tmp_path: Path) -> None:
    final, staging = tmp_path / "data" / "part.bin", tmp_path / "staging"
    assert publish_bytes(final, staging, b"first")
    assert not publish_bytes(final, staging, b"second")
    assert final.read_bytes() == b"first"
    assert list(staging.iterdir()) == []
    assert [entry.name for entry in final.parent.iterdir()] == ["part.bin"]


def test_two_writers_at_once_have_different_names(tmp_path: Path) -> None:
    final = tmp_path / "part.bin"
    with (
        publish.staged(final, tmp_path / "staging") as one,
        publish.staged(final, tmp_path / "staging") as two,
    ):
        assert one != two
        one.write_bytes(b"one")
        two.write_bytes(b"two")
        assert publish.publish(two, final)
        assert not publish.publish(one, final)
    assert final.read_bytes() == b"two"


def test_a_link_that_was_made_but_reported_as_failed_counts_as_won(tmp_path: Path) -> None:
    final = tmp_path / "part.bin"
    with publish.staged(final, tmp_path / "staging") as temporary:
        temporary.write_bytes(b"x")
        os.link(temporary, final)
        assert publish.publish(temporary, final)


def test_an_error_while_writing_leaves_nothing(tmp_path: Path) -> None:
    final, staging = tmp_path / "part.bin", tmp_path / "staging"

    def write_and_fail() -> None:
        with publish.staged(final, staging) as temporary:
            temporary.write_bytes(b"half")
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        write_and_fail()
    assert not final.exists()
    assert list(staging.iterdir()) == []


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """/dev/full answers every write as a full disk does."""
    staging = tmp_path / "staging"
    staging.mkdir()
    monkeypatch.setattr(publish, "temporary_name", lambda name: name + ".tmp")
    (staging / "part.bin.tmp").symlink_to("/dev/full")
    with pytest.raises(DiskFullError, match=r"part\.bin: .*free \d+ bytes; make room") as caught:
        publish_bytes(tmp_path / "part.bin", staging, b"x" * 100)
    assert isinstance(caught.value.__cause__, OSError)
    assert list(staging.iterdir()) == []
    (tmp_path / "plan.json.tmp").symlink_to("/dev/full")
    (tmp_path / "plan.json").write_text("old")
    with pytest.raises(DiskFullError, match=r"plan\.json"):
        publish.write_json_atomic(tmp_path / "plan.json", {"a": 1})
    assert (tmp_path / "plan.json").read_text() == "old"
    assert not (tmp_path / "plan.json.tmp").is_symlink()


def test_an_input_output_error_is_a_full_disk_only_when_no_space_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    final = tmp_path / "part.bin"
    monkeypatch.setattr(publish, "free_bytes", lambda folder: 1000)
    assert publish.disk_full_error(errno.EIO, final, tmp_path) is not None
    assert publish.disk_full_error(errno.EACCES, final, tmp_path) is None
    monkeypatch.setattr(publish, "free_bytes", lambda folder: 10 << 30)
    assert publish.disk_full_error(errno.EIO, final, tmp_path) is None
    assert publish.disk_full_error(errno.ENOSPC, final, tmp_path) is not None


@pytest.mark.parametrize(("code", "word"), [(errno.EXDEV, "same file system"), (errno.EPERM, "hard links")])
def test_a_staging_folder_that_cannot_work_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, word: str
) -> None:
    def refuse(source: object, target: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(UserError, match=word):
        publish_bytes(tmp_path / "part.bin", tmp_path / "staging", b"x")


def test_json_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    publish.write_json_atomic(path, {"b": [1, 2], "a": "山札"})
    publish.write_json_atomic(path, {"b": [3], "a": "山札"})
    assert json.loads(path.read_text()) == {"b": [3], "a": "山札"}
    assert "山札" in path.read_text()
    assert [entry.name for entry in tmp_path.iterdir()] == ["plan.json"]
    with pytest.raises(ValueError, match="not JSON compliant"):
        publish.write_json_atomic(path, float("nan"))
    assert json.loads(path.read_text())["b"] == [3]


Call = tuple[str, str]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """What is done to the disk, in order: (fsync, link or replace; the path that it is done to)."""
    found: list[Call] = []
    fsync, link, replace = os.fsync, os.link, os.replace

    def synced(descriptor: int) -> None:
        found.append(("fsync", str(Path(f"/proc/self/fd/{descriptor}").readlink())))
        fsync(descriptor)

    def linked(source: str | Path, target: str | Path, **options: Any) -> None:
        found.append(("name", f"{source} -> {target}"))
        link(source, target, **options)

    def replaced(source: str | Path, target: str | Path, **options: Any) -> Path:
        found.append(("name", f"{source} -> {target}"))
        replace(source, target, **options)
        return Path(target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "link", linked)
    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(Path, "replace", replaced)
    monkeypatch.setattr(Path, "rename", replaced)
    return found


def assert_durable(calls: list[Call], final: Path) -> None:
    """The content was synced before the file got its name, and the folder of the name after that."""
    named = [
        place for place, (what, path) in enumerate(calls) if what == "name" and path.endswith(f" -> {final}")
    ]
    assert named, f"{final} was never named"
    source = calls[named[0]][1].partition(" -> ")[0]
    assert ("fsync", source) in calls[: named[0]], f"{final} got its name before its content was on the disk"
    assert ("fsync", str(final.parent)) in calls[named[0] :], f"the name of {final} was not synced"


def test_a_published_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, calls: list[Call]) -> None:
    final = tmp_path / "data" / "part.bin"
    publish_bytes(final, tmp_path / "staging", b"x")
    assert_durable(calls, final)
    assert [what for what, _ in calls] == ["fsync", "name", "fsync"]


def test_a_replaced_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, calls: list[Call]) -> None:
    publish.write_json_atomic(tmp_path / "plan.json", {"a": 1})
    assert_durable(calls, tmp_path / "plan.json")


def test_files_that_can_be_made_again_are_not_waited_for(tmp_path: Path, calls: list[Call]) -> None:
    final = tmp_path / "work.bin"
    with publish.staged(final, tmp_path / "staging") as temporary:
        temporary.write_bytes(b"x")
        assert publish.publish(temporary, final, durable=False)
    assert [what for what, _ in calls] == ["name"]


def test_every_kind_of_final_file_is_durable(tmp_path: Path, calls: list[Call]) -> None:
    """Parts, shards and manifests, whatever writes them."""
    layout = RunLayout(tmp_path)
    rows = pa.table(
        {"run_id": ["x"], "attempt": pa.array([1], pa.int32()), "index": pa.array([0], pa.uint64())}
    )
    write_part(layout.part("u", 1), layout.staging, rows, Provenance("x", 1, {}))
    writer = ShardWriter(layout.shard(1, 0), layout.staging)
    block = encode_block(None, np.zeros(4, np.uint8), 64, 0)
    writer.append(order_key(block), block)
    writer.finish({"key_bits": 64, "value_type": "uint8", "layer": 1, "shard": 0})
    write_manifest(tmp_path, Manifest("x"))
    for final in (layout.part("u", 1), layout.shard(1, 0), layout.manifest):
        assert_durable(calls, final)
