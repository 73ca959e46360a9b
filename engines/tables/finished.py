"""The finished table that a job names, for its readers: found by its run id, files held against its manifest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

from engines.contract.job import job_words
from engines.contract.naming import place_of_run
from engines.contract.table import Table
from storage.errors import UserError
from storage.layout import RunLayout
from storage.manifest import Manifest, read_manifest, read_summary
from storage.place import Place
from storage.record import FileRecord, verify_file

T = TypeVar("T", bound=Table)


@dataclass(frozen=True)
class FinishedTable(Generic[T]):
    """A table whose run has its manifest."""

    engine: T
    layout: RunLayout

    @classmethod
    def find(cls, tables_dir: Place, engine: T) -> Self | None:
        """The table of the engine's job; None when it is not below ``tables_dir``, or not finished."""
        layout = RunLayout(place_of_run(tables_dir, engine.job, engine.version))
        return cls(engine, layout) if layout.manifest.exists() else None

    @classmethod
    def need(cls, tables_dir: Place, engine: T, otherwise: str = "") -> Self:
        """The table of the engine's job, whose summary is the one that it was finished with.

        UserError that tells how to build it when it is not there (``otherwise``: what else can be done then);
        DamagedFileError names a file that is not right.
        """
        found = cls.find(tables_dir, engine)
        if found is None:
            estimate = engine.estimate()
            needed = f" (about {_duration(estimate.core_s)} of one core)" if estimate is not None else ""
            raise UserError(
                str(place_of_run(tables_dir, engine.job, engine.version)),
                "the table is not there or not finished; build it with: yamafuda run "
                f"{job_words(engine.job)}{needed}{otherwise}",
            )
        verify_file(found.layout.summary, found.record(found.layout.summary))
        return found

    @cached_property
    def manifest(self) -> Manifest:
        """Of all its files; DamagedFileError when it is not right itself."""
        return read_manifest(self.layout.run_dir)

    def record(self, path: Place) -> FileRecord:
        """What the manifest says of a file; DamagedFileError when it says nothing."""
        return self.manifest.record(self.layout.run_dir, path)

    def summary(self) -> dict[str, Any]:
        """summary.json."""
        return read_summary(self.layout.run_dir)


def _duration(seconds: float) -> str:
    """In one unit."""
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}"
    return f"{max(1, round(seconds))} s"
