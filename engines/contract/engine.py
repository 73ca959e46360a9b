"""What sweeps and tables share: an engine computes the runs of one job."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from engines.contract.job import Estimate, Job, UnitContext
from engines.contract.result import Result
from storage.errors import UserError

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import; one-state commands do without it
    import pyarrow as pa

    from engines.contract.section import Section
    from engines.contract.written import Written
    from storage.place import Place


class Engine(ABC):
    """What sweeps and tables share."""

    contract: ClassVar[str]
    """Its contract, as plans name it: ``sweep`` or ``table``."""
    version: ClassVar[int]
    """Raised by hand whenever results can change; part of the run id."""
    job_type: ClassVar[type[Job]]
    worth_asking: ClassVar[str]
    """Columns and sums of columns that say most about runs of its kind: ``run`` ends with a query for them."""
    renamed: ClassVar[Mapping[str, str]] = {}
    """Columns that have another name in earlier runs: name -> name in old runs. Both are read."""
    told_as: ClassVar[Mapping[str, str]] = {}
    """Fields of the job whose columns have another name, because in another job that name means something else."""

    effort: ClassVar[str] = ""
    """Column that says how hard a won item was to find; empty for items that nobody plays."""

    def __init__(self, job: Any) -> None:
        self.job = job

    @abstractmethod
    def columns(self) -> pa.Schema:
        """The engine's own columns of the rows in ``data/``, made by ``storage.columns.column``.

        They depend on the kind of the job, not on its values.
        """

    @abstractmethod
    def all_columns(self) -> pa.Schema:
        """The columns of the rows in ``data/``: the common ones first, then the engine's own."""

    def export_columns(self) -> pa.Schema:
        """The columns of the files that ``export`` writes, of all of them together; none by default."""
        import pyarrow as pa

        return pa.schema([])

    @abstractmethod
    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Figures of the finished run for summary.json, computed from its files alone.

        Not called for a sweep without any finished unit.
        """

    def result(self, summary: Mapping[str, Any]) -> Result:
        """The most important figures of a finished run's summary; KeyError for one of an earlier version that lacks
        them."""
        return Result()

    def written(self, row: Mapping[str, Any]) -> Written | None:
        """The game that a row of ``data/`` (with all its columns) is about; None for a row about no single game."""
        return None

    def sections(self, run_dir: Place, is_told: bool) -> Iterable[Section]:
        """What a report shows about one run, finished or not; ``is_told``: the game's part of the report has this run
        already.

        Use only the run's files: its job may be of an earlier version, and ``self.job`` has the defaults.
        """
        return []

    def needs(self) -> list[Job]:
        """Jobs of the tables that this job reads: unfinished ones are built before it."""
        return []

    def prepare(self, ctx: UnitContext) -> None:  # noqa: B027 (most engines read nothing)
        """Check that what the job reads (a table, a file) is there before any unit starts; else UserError."""

    def estimate(self) -> Estimate | None:
        """What the run needs, estimated from the job alone; None when the engine has no estimate."""
        return None

    def verify(self, ctx: UnitContext, sample_count: int) -> list[str]:
        """Check the finished run beyond sizes and digests: order, counts, a sample of values computed anew.

        Yields one line for each problem, naming the file; damaged data raise no exception.
        """
        return []

    def can_export(self) -> bool:
        """Whether ``export`` has something to write."""
        return type(self).export is not Engine.export

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        """Write the finished run as Parquet files into ``out_dir`` (exists, empty); returns the files written."""
        raise UserError(self.job.name, "there is nothing to export: the run's data/ is Parquet already")
