"""What travels between the driver and its workers: the brief of a run, a task, and how it ended."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engines.contract.job import ItemRange, Limits, Unit, UnitContext, no_progress
from pipeline.logs.lines import LogLine
from storage.copies import LIMIT_BYTES
from storage.errors import UserError
from storage.layout import RunLayout
from storage.place import place_at


@dataclass(frozen=True)
class Brief:
    """What every unit of a run gets; plain values, so that it can be sent to any worker."""

    engine: str
    """``module:Class``."""
    job: dict[str, Any]
    run_id: str
    run_dir: str
    scratch_dir: str
    tables_dir: str
    copies_bytes: int = LIMIT_BYTES
    """Room that copies of objects may take in ``scratch_dir``."""
    attempt: int = 1

    @property
    def layout(self) -> RunLayout:
        """The run's folder."""
        return RunLayout(place_at(self.run_dir))

    @property
    def memory_bytes(self) -> int:
        """Memory that a unit reserves on its node."""
        return int(self.job["limits"]["memory_bytes"])

    @property
    def retries_count(self) -> int:
        """How often a failed unit is tried again."""
        return int(self.job["limits"]["retries_count"])

    def of_attempt(self, attempt: int, limits: Limits) -> Brief:
        """The same brief for an attempt with its own limits."""
        return dataclasses.replace(
            self, attempt=attempt, job=self.job | {"limits": dataclasses.asdict(limits)}
        )

    def context(self, progress: Callable[[int], None] = no_progress) -> UnitContext:
        """The run as its engine sees it."""
        return UnitContext(
            layout=self.layout,
            scratch_dir=Path(self.scratch_dir),
            tables_dir=place_at(self.tables_dir, "paths.tables"),
            run_id=self.run_id,
            attempt=self.attempt,
            progress=progress,
        )


@dataclass(frozen=True)
class UnitRange(ItemRange):
    """Units of a sweep whose parts are to become one; the name has the first and the last of them."""

    first_unit: int
    last_unit: int


@dataclass(frozen=True)
class Task:
    """One unit to do."""

    unit: Unit
    indices: Sequence[int] = ()
    """The items of a sweep's unit that are to be done, ascending; empty for a table."""
    within: tuple[str, ...] = ()
    """In a later attempt, names of compacted parts that have rows of the unit."""
    is_small: bool = False
    """Whether it is less work than sending it to another process."""
    expected_work: float | None = None
    """Expected work of a table's unit, see ``Table.unit_work``."""

    @property
    def computes(self) -> bool:
        """Whether it is a unit of the plan; otherwise it merges parts of other units."""
        return not isinstance(self.unit, UnitRange)

    @property
    def progress_count(self) -> int:
        """Its share in progress: the number of items for a sweep, 1 for a table's unit."""
        return len(self.indices) or int(self.computes)

    @property
    def work(self) -> float:
        """Its share in the time that is left; in a sweep all items count the same."""
        return self.progress_count if self.expected_work is None else self.expected_work


@dataclass
class Outcome:
    """How a try of a unit ended: ``record`` when done, ``reason`` when failed, ``error`` if the user's."""

    record: dict[str, Any] | None = None
    reason: str = ""
    trace: str = ""
    error: UserError | None = None
    tries_count: int = 1
    is_lost: bool = False
    """Whether its node was lost, which is not the unit's fault."""
    full_node: str = ""
    """If ``error`` is a full disk that belongs to one node: the id of that node."""
    log: list[LogLine] = field(default_factory=list)
    """The last lines of a try that failed or warned."""
