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
    """What every unit of a run is told; plain values, so that it travels to any worker."""

    engine: str
    """``module:Class``."""
    job: dict[str, Any]
    run_id: str
    run_dir: str
    scratch_dir: str
    tables_dir: str
    copies_bytes: int = LIMIT_BYTES
    """Most that copies of objects take in ``scratch_dir``."""
    attempt: int = 1

    @property
    def layout(self) -> RunLayout:
        """The run's folder."""
        return RunLayout(place_at(self.run_dir))

    @property
    def memory_bytes(self) -> int:
        """What a unit reserves on its node."""
        return int(self.job["limits"]["memory_bytes"])

    @property
    def retries_count(self) -> int:
        """How often a failed unit is tried again."""
        return int(self.job["limits"]["retries_count"])

    def of_attempt(self, attempt: int, limits: Limits) -> Brief:
        """The same for an attempt with limits of its own."""
        return dataclasses.replace(
            self, attempt=attempt, job=self.job | {"limits": dataclasses.asdict(limits)}
        )

    def context(self, progress: Callable[[int], None] = no_progress) -> UnitContext:
        """The engine's view of the run."""
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
    """Units of a sweep whose parts are to become one; the name is of the first and the last of them."""

    first_unit: int
    last_unit: int


@dataclass(frozen=True)
class Task:
    """One unit to do."""

    unit: Unit
    indices: Sequence[int] = ()
    """The items of a sweep's unit that are to be done, ascending; none for a table."""
    within: tuple[str, ...] = ()
    """Of a later attempt: names of compacted parts that have rows of a sweep's unit."""
    is_small: bool = False
    """Less work than sending it to another process."""
    expected_work: float | None = None
    """Of a table's unit, see ``Table.unit_work``."""

    @property
    def computes(self) -> bool:
        """Whether it is a unit of the plan, and no upkeep of what other units have computed."""
        return not isinstance(self.unit, UnitRange)

    @property
    def progress_count(self) -> int:
        """What it counts for in progress: items of a sweep, 1 for a table's unit."""
        return len(self.indices) or int(self.computes)

    @property
    def work(self) -> float:
        """What it counts for in the time that is left: items are all alike."""
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
    """Whether it failed with its node, and so by no fault of its own."""
    full_node: str = ""
    """Where ``error`` is a full disk that is a node's own: that node, by its id."""
    log: list[LogLine] = field(default_factory=list)
    """What was said in a try that failed or warned, the last of it."""
