"""Which parts of a sweep's units are merged into larger ones while it runs, so that a million units become few
files.

A block is 4^level units whose first number is a multiple of that. When all of its units are done, and together they
are large or many enough, a worker merges their parts (``pipeline.contracts.merging``). What is too small even then is
merged again with the blocks beside it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pipeline.contracts.units import Units
from pipeline.records import Records
from pipeline.tasks import Task, UnitRange
from storage.layout import RunLayout
from storage.parts import Part, numbered_part

LEAST_UNITS_COUNT = 1024
"""Runs of fewer units are left as they are."""
LARGE_BYTES = 256 << 20
"""Upper bound of a block's file; where there are enough units it has more than a quarter of that."""
MERGED_LEVELS = 5
"""At most 4^5 parts are merged at once."""
SAMPLES_COUNT = 16


class Compaction:
    """Keeps account of each unit that is done; three bytes a unit. ``parts``: those in place; ``is_open``: by
    unit 1 if it has something to do."""

    def __init__(
        self, layout: RunLayout, units: Units, parts: Sequence[Part], is_open: bytearray, records: Records
    ) -> None:
        self._units, self._is_open, self._records = units, is_open, records
        self._level = bytearray(units.count)
        """For each unit the level of the largest block that has it; 0 if none has."""
        self._has_own = bytearray(units.count)
        """For each unit 1 if it has a part of its own."""
        self._waiting: deque[UnitRange] = deque()
        self._asked: set[str] = set()
        self._size_bytes, self._sized_count = 0, 0
        if units.count < LEAST_UNITS_COUNT:
            return
        for part in parts:
            self._note(part.first, part.last)
        for part in parts[:: len(parts) // SAMPLES_COUNT + 1]:
            self._weigh((layout.data / part.name).stat().st_size, part.last - part.first + 1)
        for level in self._levels()[:1]:
            for number in range(0, units.count, 4**level):
                self._look(number)

    @property
    def waiting_count(self) -> int:
        """Blocks to merge."""
        return len(self._waiting)

    def among(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """The tasks; those of blocks that become ready are put before the others."""
        for task in tasks:
            yield from self.tasks()
            yield task

    def tasks(self) -> Iterator[Task]:
        """Tasks for the blocks that are to be merged now."""
        while self._waiting:
            yield Task(self._waiting.popleft())

    def settled(self, task: Task, record: dict[str, Any]) -> None:
        """A unit, or a block, is done."""
        if self._units.count < LEAST_UNITS_COUNT:
            return
        if isinstance(task.unit, UnitRange):
            first, last = task.unit.first_unit, task.unit.last_unit
            self._asked.discard(task.unit.name)
            self._drop_records(record)
        else:
            first = last = int(task.unit.name)
            self._is_open[first] = 0
        self._note(first, last)
        self._weigh(record["size_bytes"], last - first + 1)
        self._look(first)

    def _note(self, first: int, last: int) -> None:
        if first == last:
            self._has_own[first] = 1
            return
        numbers, count = slice(first, last + 1), last + 1 - first
        level = bytes([self._units.level_of(first, last)])
        self._level[numbers] = bytes(
            max(pair) for pair in zip(self._level[numbers], level * count, strict=True)
        )
        self._has_own[numbers] = bytes(count)

    def _weigh(self, size_bytes: int, units_count: int) -> None:
        self._size_bytes += size_bytes
        self._sized_count += units_count

    def _levels(self) -> list[int]:
        """Names of the blocks that parts of units become, one after another."""
        if not self._sized_count:
            return []
        level, unit_bytes = 0, max(self._size_bytes / self._sized_count, 1.0)
        while unit_bytes * 4 ** (level + 1) < LARGE_BYTES and 4**level < self._units.count:
            level += 1
        steps = range(MERGED_LEVELS, level, MERGED_LEVELS)
        return [*steps, level] if level else []

    def _look(self, number: int) -> None:
        """Ask for the block of a finished unit, if the block is ready."""
        below = 0
        for level in self._levels():
            target = max(level, self._level[number])
            first, last = self._units.block(number, target)
            if last == first or self._is_open.find(1, first, last + 1) >= 0:
                return
            inside = self._level[first : last + 1]
            if self._has_own.find(1, first, last + 1) < 0:
                if min(inside) >= target:
                    below = target
                    continue
                if min(inside) < below:
                    return
            elif below:
                return
            name = self._units.name(first, last)
            if name not in self._asked:
                self._asked.add(name)
                self._waiting.append(UnitRange(name, *self._units.items(first, last), first, last))
            return

    def _drop_records(self, record: dict[str, Any]) -> None:
        """The parts that a block's part has replaced."""
        merged = numbered_part(record["path"].rpartition("/")[2])
        assert merged is not None
        names = [(name, numbered_part(f"part-{name}.parquet")) for name in self._records.names()]
        self._records.drop([name for name, part in names if part is not None and merged.covers(part)])
