"""What a query asks a store for: not one request more for a part than it takes to bring it here, and that once."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_helpers import compose

from pipeline.query import reading
from pipeline.query.reading import bring
from pipeline.query.runs import check_content, read_run
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.errors import DamagedFileError
from storage.place import ObjectPath, place_at
from storage.stores import traffic


@pytest.fixture
def run(bucket: str, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> ObjectPath:
    monkeypatch.setenv("YAMAFUDA_RESULTS", f"{bucket}/results")
    _, folder = run_job(compose("job=toy_sweep", "job.items=40", "job.unit_items=2"), SerialRunner())
    assert isinstance(folder, ObjectPath)
    return folder


def asked(folder: ObjectPath) -> int:
    """Requests to look at a run as a query does, in a process of its own."""
    reading._listed.clear()
    reading._copied.cache_clear()
    before = traffic.so_far()
    found = read_run(folder)
    assert len(found.parts) == 20
    assert found.size_bytes == sum(path.stat().st_size for path in map(Path, bring(found.paths())))
    check_content(found)
    return traffic.so_far().since(before).requests_count


def test_requests_do_not_grow_with_parts(run: ObjectPath) -> None:
    for path in (run / "data").iterdir():
        reading.copies().of(path).unlink()
    first = asked(run)
    again = asked(run)
    assert first - again == 20  # each part came once
    assert again < 20


def test_a_part_of_another_content_is_named(run: ObjectPath) -> None:
    part = next((run / "data").iterdir())
    size_bytes = part.stat().st_size
    part.store.replace(part.key, b"x" * size_bytes)
    with pytest.raises(DamagedFileError, match=f"{part}: its SHA-256 is "):
        asked(run)
    part.store.replace(part.key, b"x")
    with pytest.raises(DamagedFileError, match=f"{part}: has 1 bytes and should have {size_bytes}"):
        asked(run)
    part.unlink()
    with pytest.raises(DamagedFileError, match=f"{part}: the file is missing"):
        asked(run)


def test_what_was_replaced_meanwhile_is_brought_anew(run: ObjectPath) -> None:
    """In one process, as when a run was removed and computed again."""
    (part, *_), content = read_run(run).paths(), b"another run's"
    before = Path(reading.readable(part)).read_bytes()
    place = place_at(part)
    assert isinstance(place, ObjectPath)
    place.store.replace(place.key, content)
    reading.listed_objects(place.parent)
    assert before != content == Path(reading.readable(part)).read_bytes()
