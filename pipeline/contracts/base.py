"""What the driver and its workers ask of a contract, whatever the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from engines.contract.engine import Engine
from engines.contract.job import Limits, UnitContext
from pipeline.records import Records
from pipeline.tasks import Task
from storage.layout import RunLayout
from storage.place import Place
from storage.record import FileRecord

E = TypeVar("E", bound=Engine)


@dataclass
class Phase:
    """Units that may run side by side once the phase before is done."""

    name: str
    tasks: Iterable[Task]
    """Units whose file is missing; made as they are asked for, once."""
    tasks_count: int = 0
    """The number of missing units."""
    done_count: int = 0
    """Units whose file was in place."""
    found_count: int = 0
    """What is done already, in the unit of progress."""
    settled: Callable[[Task, dict[str, Any]], None] = lambda task, record: None
    """Called with each task that is done, and its record."""
    found_work: float = 0.0
    """The part of the phase's work that is done already (``Task.work``)."""


class Contract(ABC, Generic[E]):
    """Stateless: everything comes from the engine, the plan and the files of the run."""

    root: ClassVar[str]
    """Which folder of ``paths`` has its runs."""
    rate: ClassVar[str]
    """Name of its rate in summary.json."""
    units_stand_alone: ClassVar[bool]
    """Whether a run has results, and a summary, when some of its units failed."""

    @abstractmethod
    def plan(self, engine: E) -> dict[str, Any]:
        """This contract's part of plan.json; it depends on the job alone."""

    def sizes(self, plan: Mapping[str, Any]) -> dict[str, Any]:
        """Keys of a plan that say how the work is cut; with other values the results are the same."""
        return {}

    def foreign_files(self, plan: Mapping[str, Any], layout: RunLayout, plan_is_new: bool) -> Iterator[Place]:
        """Final files that no unit of the plan writes: judged by name, and with a new plan by content."""
        return iter(())

    @abstractmethod
    def units_count(self, plan: Mapping[str, Any]) -> int:
        """Units of a run, over all phases."""

    counted: ClassVar[str]
    """What progress counts: ``items`` or ``units``."""

    @abstractmethod
    def progress_count(self, plan: Mapping[str, Any]) -> int:
        """How many of these the whole run has."""

    @abstractmethod
    def progress_work(self, engine: E, plan: Mapping[str, Any]) -> float:
        """The work of the whole run (``Task.work``)."""

    @abstractmethod
    def settle_attempt(
        self, limits: Limits, earlier: list[dict[str, Any]], layout: RunLayout
    ) -> tuple[int, Limits]:
        """Attempt that a command with ``limits`` belongs to after the journal's ``earlier`` ones, and its limits."""

    @abstractmethod
    def phases(
        self, engine: E, plan: Mapping[str, Any], ctx: UnitContext, records: Records
    ) -> Iterator[Phase]:
        """All phases that the run still needs. A phase is prepared when it is asked for. To ask for it says
        that the one before is done, and removes files that are not needed any more."""

    @abstractmethod
    def execute(
        self, engine: E, task: Task, ctx: UnitContext, taken: Callable[[], dict[str, Any]]
    ) -> tuple[dict[str, Any], Place]:
        """Do a unit and publish its file; returns figures for its record, and the file.

        ``taken``: time and tries so far, from its record.
        """

    @abstractmethod
    def computed_count(self, task: Task, record: Mapping[str, Any]) -> int:
        """Items or states in a unit that was done, for the rate."""

    @abstractmethod
    def done_count(self, plan: Mapping[str, Any], layout: RunLayout) -> int:
        """Units of a run that are done, by what is in its folder."""

    def complete(self, engine: E, plan: Mapping[str, Any], ctx: UnitContext, records: Records) -> None:
        """Write what a finished run has besides its units' files, and make missing records of units."""

    @abstractmethod
    def figures(self, engine: E, ctx: UnitContext, files: Mapping[str, FileRecord]) -> dict[str, Any]:
        """Figures of the finished run for summary.json; ``files``: path in the run's folder -> record."""
