"""How far a run is, how fast it goes, and how long the rest will take: only counts, no display.

Time is judged by work: in a sweep by items, all alike; in a table by what it expects of each unit, since units
differ by orders of magnitude. The rate is taken from the time when the first unit began. It includes what is
done inside units that go on, and leaves out what was done before. Over so long a time a few items that take
minutes do not make it jump.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

RATE_AFTER_S = 2.0
"""A rate over a shorter time means little."""


@dataclass(frozen=True)
class Standing:
    """Where a run stands."""

    phase: str
    unit: str
    """What is counted: ``items`` of a sweep, ``units`` of a table."""
    done_count: int
    """Items or units that are finished."""
    inside_count: int
    """Items that are done inside units that go on."""
    total_count: int
    states_count: int
    """In a table, states that are done inside units that go on."""
    elapsed_s: float
    """Seconds since the first unit began, 0 before."""
    rate_per_s: float | None
    left_s: float | None
    """Seconds until all is done; None while nothing is known."""

    @property
    def share(self) -> float:
        """The share of the work that is done."""
        return (self.done_count + self.inside_count) / max(self.total_count, 1)


class Meter:
    """Is called when units begin, go on and end; says where the run stands. Not safe in threads by itself."""

    def __init__(self, unit: str, total_count: int, total_work: float) -> None:
        self.phase = ""
        self._unit = unit
        self._total_count, self._total_work = total_count, total_work
        self._done_count, self._done_work = 0, 0.0
        self._found_count, self._found_work = 0, 0.0
        self._inside: dict[str, int] = {}
        self._start_s: float | None = None

    @property
    def in_flight(self) -> list[str]:
        """Names of the units that have begun and not ended."""
        return list(self._inside)

    def found(self, count: int, work: float) -> None:
        """Count what was done before."""
        self._found_count += count
        self._found_work += work

    def begin(self, name: str) -> None:
        """A unit begins, or begins again."""
        if self._start_s is None:
            self._start_s = time.monotonic()
        self._inside[name] = 0

    def inside(self, name: str, count: int) -> None:
        """Set the number of items or states that are done in a unit."""
        if name in self._inside:
            self._inside[name] = count

    def went_on(self, name: str, count: int) -> None:
        """Add to the number of items or states that are done in a unit."""
        self.inside(name, self._inside.get(name, 0) + count)

    def end(self, name: str, count: int, work: float) -> None:
        """A unit has ended, with this much done."""
        self._inside.pop(name, None)
        self._done_count += count
        self._done_work += work

    def standing(self) -> Standing:
        """Where the run stands now."""
        inside = sum(self._inside.values())
        items = inside if self._unit == "items" else 0
        elapsed_s = 0.0 if self._start_s is None else time.monotonic() - self._start_s
        rate = work_rate = None
        if elapsed_s >= RATE_AFTER_S and self._done_count + items:
            rate = (self._done_count + items) / elapsed_s
            work_rate = (self._done_work + items) / elapsed_s
        left = self._total_work - self._found_work - self._done_work - items
        return Standing(
            phase=self.phase,
            unit=self._unit,
            done_count=self._found_count + self._done_count,
            inside_count=items,
            total_count=self._total_count,
            states_count=inside - items,
            elapsed_s=elapsed_s,
            rate_per_s=rate,
            left_s=max(0.0, left) / work_rate if work_rate else None,
        )
