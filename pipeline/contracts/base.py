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
    """How many those are."""
    done_count: int = 0
    """Units whose file was in place."""
    found_count: int = 0
    """What is done already, as it counts in progress."""
    settled: Callable[[Task, dict[str, Any]], None] = lambda task, record: None
    """To be told of each task that is done, with its record."""
    found_work: float = 0.0
    """What of the phase's work is done already (``Task.work``)."""


class Contract(ABC, Generic[E]):
    """Stateless: everything comes from the engine, the plan and the files of the run."""

    root: ClassVar[str]
    """Which of ``paths`` its runs are below."""
    rate: ClassVar[str]
    """Name of its rate in summary.json."""
    units_stand_alone: ClassVar[bool]
    """Whether a run has results, and a summary, when some of its units failed."""

    @abstractmethod
    def plan(self, engine: E) -> dict[str, Any]:
        """Its part of plan.json, from the job alone."""

    def sizes(self, plan: Mapping[str, Any]) -> dict[str, Any]:
        """What in a sound plan tells how the work is cut, and may be otherwise for the same results."""
        return {}

    def foreign_files(self, plan: Mapping[str, Any], layout: RunLayout, plan_is_new: bool) -> Iterator[Place]:
        """Final files that are not what a unit of the plan writes; by their names, with a new plan by their content."""
        return iter(())

    @abstractmethod
    def units_count(self, plan: Mapping[str, Any]) -> int:
        """Units of a run, over all phases."""

    counted: ClassVar[str]
    """What progress counts: ``items`` or ``units``."""

    @abstractmethod
    def progress_count(self, plan: Mapping[str, Any]) -> int:
        """What the whole run counts for in progress."""

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
        """All phases that the run still needs. Each is looked at when it is asked for; asking says that the one
        before is done, and removes what it made obsolete."""

    @abstractmethod
    def execute(
        self, engine: E, task: Task, ctx: UnitContext, taken: Callable[[], dict[str, Any]]
    ) -> tuple[dict[str, Any], Place]:
        """Do a unit and publish its file; figures for its record, and the file.

        ``taken``: what it took so far, as its record says.
        """

    @abstractmethod
    def computed_count(self, task: Task, record: Mapping[str, Any]) -> int:
        """Items or states in a unit that was done, for the rate."""

    @abstractmethod
    def done_count(self, plan: Mapping[str, Any], layout: RunLayout) -> int:
        """Units of a run that are done, by what is in its folder."""

    def complete(self, engine: E, plan: Mapping[str, Any], ctx: UnitContext, records: Records) -> None:
        """Write what a finished run has beside its units' files, and make the records of these that are missing."""

    @abstractmethod
    def figures(self, engine: E, ctx: UnitContext, files: Mapping[str, FileRecord]) -> dict[str, Any]:
        """Figures of the finished run for summary.json; ``files``: path in the run's folder -> record."""
