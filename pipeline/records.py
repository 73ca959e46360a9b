"""The records of finished units: each one's file, its figures, and what it took.

The driver writes them. They lie in a few files, ``units/records-000001.jsonl``, a line each; of two records of one
unit the later one counts. They are not synced: a record that is lost by a power cut or a killed driver is made again
from the unit's file. Earlier versions had a file for each unit, ``units/UNIT.json``.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engines.contract.job import Unit, UnitContext
from pipeline.lines import Lines
from storage.jsontext import parse_json
from storage.layout import RunLayout
from storage.place import Place, listed, name_within
from storage.record import sha256_file

FULL_BYTES = 1 << 18
"""Bytes after which a file of records is left as it is, and another one is begun."""
FEW_COUNT = 8
"""So many files more than needed are tolerated."""
_TOLD = ("attempt", "size_bytes", "sha256")
"""Fields that an engine may know about a unit's file."""
_FILE = re.compile(r"records-([0-9]+)\.jsonl")


def make_record(unit: Unit, ctx: UnitContext, path: Place, figures: dict[str, Any]) -> dict[str, Any]:
    """What is known of a finished unit; ``figures`` may bring the ``_TOLD``."""
    return {
        "unit": unit.values(),
        "attempt": figures.get("attempt", ctx.attempt),
        "path": name_within(path, ctx.layout.run_dir),
        "size_bytes": figures.get("size_bytes") or path.stat().st_size,
        "sha256": figures.get("sha256") or sha256_file(path),
        "figures": {key: value for key, value in figures.items() if key not in _TOLD},
    }


class Records:
    """A run's records as its driver keeps them while it holds the lock; each as the line that is written."""

    def __init__(self, layout: RunLayout) -> None:
        self._layout = layout
        self._lines: dict[str, bytes] = {}
        self._places: dict[str, int] = {}
        """For each record, by name, the number of its file; 0 for records of earlier versions."""
        self._contents: dict[int, set[str]] = {}
        """For each file, by number, the names of the records in it that are valid."""
        self._number = 1 + max((number for number, _ in _files(layout)), default=0)
        for number, record in _numbered(layout):
            self._put(record, number)
        self._file = Lines(_path(layout, self._number))
        self._gather()

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """By name."""
        return (json.loads(self._lines[name]) for name in sorted(self._lines))

    def __contains__(self, name: str) -> bool:
        """Whether there is one of this name (``record_name``)."""
        return name in self._lines

    def names(self) -> list[str]:
        """Of all of them."""
        return list(self._lines)

    def add(self, record: dict[str, Any]) -> None:
        """Keep a record; it replaces the unit's earlier one."""
        self._file.add(self._put(record, self._number))
        if self._file.size_bytes > FULL_BYTES:
            self._next_file()

    def drop(self, names: Iterable[str]) -> None:
        """Forget the records of these names."""
        for name in names:
            self._lines.pop(name, None)
            self._take(name)

    def abandon(self) -> None:
        """Another driver has the run now."""
        self._file.abandon()

    def close(self) -> None:
        """Write what is not yet."""
        self._file.close()

    def _next_file(self) -> None:
        self._file.close()
        self._number += 1
        self._file = Lines(_path(self._layout, self._number))
        self._gather()

    def _put(self, record: dict[str, Any], number: int) -> bytes:
        """Note that a record, given as its line, is in the file of this number."""
        name = _name(record)
        self._take(name)
        self._lines[name] = json.dumps(record).encode()
        self._places[name] = number
        self._contents.setdefault(number, set()).add(name)
        return self._lines[name]

    def _take(self, name: str) -> None:
        """A record is no longer where it was; a file is removed when no record in it is valid any more."""
        number = self._places.pop(name, None)
        if number is None:
            return
        self._contents[number].discard(name)
        if not self._contents[number] and 0 < number < self._number:
            del self._contents[number]
            _path(self._layout, number).unlink(missing_ok=True)

    def _gather(self) -> None:
        """Merge the files when there are more than twice as many as the valid records would fill, and a few more."""
        numbers = [number for number in self._contents if number]
        live_bytes = sum(map(len, self._lines.values()))
        if len(numbers) <= 2 * (live_bytes // FULL_BYTES) + FEW_COUNT:
            return
        names = [name for number in numbers for name in self._contents[number]]
        self._file.replace(b"".join(self._lines[name] + b"\n" for name in sorted(names)))
        into = self._number
        self._number += 1
        for name in names:
            self._take(name)
            self._places[name] = into
        self._contents[into] = set(names)
        self._file = Lines(_path(self._layout, self._number))


def read_records(layout: RunLayout) -> list[dict[str, Any]]:
    """All unit records of a run that can be read, by name."""
    found = {_name(record): record for _, record in _numbered(layout)}
    return [found[name] for name in sorted(found)]


def read_record(text: str | bytes) -> dict[str, Any] | None:
    """A unit's record; None when it is damaged: a power cut may leave half of one."""
    try:
        record: dict[str, Any] = parse_json(text)
        values = [
            record["unit"]["name"],
            *(record[name] for name in ("path", "size_bytes", "sha256", "figures")),
        ]
    except (ValueError, KeyError, TypeError):
        return None
    sound = list(map(type, values)) == [str, str, int, str, dict] and _is_inside(values[1])
    measured = [record.get(name, 0) for name in ("attempt", "elapsed_s", "peak_bytes")]
    return record if sound and all(isinstance(value, int | float) for value in measured) else None


def record_name(unit: str, attempt: int) -> str:
    """Name of a unit's record; later attempts have their own."""
    return unit if attempt == 1 else f"{unit}-a{attempt}"


def _name(record: dict[str, Any]) -> str:
    return record_name(record["unit"]["name"], record.get("attempt", 1))


def _path(layout: RunLayout, number: int) -> Place:
    return layout.units / f"records-{number:06d}.jsonl"


def _files(layout: RunLayout) -> Iterator[tuple[int, Place]]:
    """The files of records, each with its number."""
    for path in listed(layout.units, "*.json*"):
        found = _FILE.fullmatch(path.name)
        yield int(found[1]) if found else 0, path


def _numbered(layout: RunLayout) -> Iterator[tuple[int, dict[str, Any]]]:
    """All records that can be read, each with the number of its file, in the order of these."""
    for number, path in sorted(_files(layout), key=lambda file: file[0]):
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            lines = path.read_bytes().splitlines() if number else [path.read_bytes()]
            for record in map(read_record, lines):
                if record is not None:
                    yield number, record


def _is_inside(path: str) -> bool:
    """Whether a path is below the run's folder: damaged files are removed, so they must not be elsewhere."""
    return not Path(path).is_absolute() and ".." not in Path(path).parts
