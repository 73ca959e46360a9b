"""Files of lines that drivers write: in folders at once, on object stores as often as it costs little."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.lines import Lines
from storage.place import ObjectPath


class Bucket:
    """Keeps what is put in place, and counts."""

    url = "s3://bucket"

    def __init__(self) -> None:
        self.content = b""
        self.puts_count = 0

    def replace(self, name: str, data: bytes) -> bool:
        self.content = data
        self.puts_count += 1
        return True


def test_in_a_folder_each_line_is_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\ncut sho")
    lines = Lines(path, path.read_bytes())
    for number in range(3):
        lines.add(f"line {number}".encode())
        assert path.read_bytes().endswith(f"\nline {number}\n".encode())
    assert path.read_bytes().startswith(b"one\ncut sho\nline 0\n")
    assert lines.size_bytes == path.stat().st_size
    lines.replace(b"new\n")
    lines.add(b"more")
    lines.close()
    assert path.read_bytes() == b"new\nmore\n"


@pytest.mark.parametrize(("credit_s", "puts_count"), [(1e9, 100), (-1.0, 0)])
def test_on_an_object_store_they_are_put_as_often_as_it_costs_little(
    monkeypatch: pytest.MonkeyPatch, credit_s: float, puts_count: int
) -> None:
    monkeypatch.setattr("pipeline.pace.CREDIT_S", credit_s)
    monkeypatch.setattr("pipeline.pace.SHARE", 0.0)
    bucket: Any = Bucket()
    lines = Lines(ObjectPath(bucket, "lines"), b"before\n")
    for number in range(100):
        lines.add(str(number).encode())
    assert bucket.puts_count == puts_count
    lines.close()
    assert bucket.content.split() == [b"before", *(str(number).encode() for number in range(100))]


def test_what_another_driver_has_is_not_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.pace.CREDIT_S", -1.0)
    bucket: Any = Bucket()
    lines = Lines(ObjectPath(bucket, "lines"))
    lines.add(b"mine")
    lines.abandon()
    lines.close()
    assert bucket.puts_count == 0
