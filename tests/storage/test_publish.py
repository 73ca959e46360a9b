"""Files appear whole or not at all, once, and leave nothing behind."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from storage import publish
from storage.errors import DiskFullError, UserError


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
