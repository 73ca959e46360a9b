"""Parts of a dataset by their names: a unit's (``part-000123.parquet``), or those of many, compacted.

A compacted part, ``part-000000-001023.parquet``, has all rows of the units 0 to 1023 that its attempt and earlier
ones found. It is in place before the parts that it was made of are removed, so a kill in between leaves rows twice.
Readers ignore parts that a larger one covers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from storage.layout import part_of

_RANGE = re.compile(r"([0-9]{6,})-([0-9]{6,})")


@dataclass(frozen=True)
class Part:
    """A part of units with numbers."""

    name: str
    """Name of its file."""
    unit: str
    """The unit, or the first and the last of many."""
    attempt: int
    first: int
    last: int
    """Its last unit."""

    @property
    def is_range(self) -> bool:
        """Whether it was compacted."""
        return _RANGE.fullmatch(self.unit) is not None

    def covers(self, other: Part) -> bool:
        """Whether it has all current rows of ``other``."""
        return (
            self.is_range
            and self.name != other.name
            and self.first <= other.first
            and other.last <= self.last
            and other.attempt <= self.attempt
        )


def numbered_part(name: str) -> Part | None:
    """The part that a file's name means; None for any other file, and for parts of units without numbers."""
    found = part_of(name)
    if found is None:
        return None
    unit, attempt = found
    ends = _RANGE.fullmatch(unit)
    if ends is not None:
        return Part(name, unit, attempt, int(ends[1]), int(ends[2]))
    return Part(name, unit, attempt, int(unit), int(unit)) if re.fullmatch("[0-9]{6,18}", unit) else None


def numbered_parts(names: Iterable[str]) -> list[Part]:
    """The parts among files, by their first unit; of parts with the same first unit, larger and later ones come
    first."""
    found = [part for part in map(numbered_part, names) if part is not None]
    return sorted(found, key=lambda part: (part.first, -part.last, -part.attempt))


def superseded(parts: Iterable[Part]) -> list[Part]:
    """Those of ``numbered_parts`` that another one covers."""
    around: list[Part] = []
    found = []
    for part in parts:
        around = [each for each in around if each.last >= part.first]
        if any(each.covers(part) for each in around):
            found.append(part)
        elif part.is_range:
            around.append(part)
    return found


def live_names(names: Iterable[str]) -> list[str]:
    """The names of files without those of parts that another one covers."""
    known = list(names)
    gone = {part.name for part in superseded(numbered_parts(known))}
    return [name for name in known if name not in gone]
