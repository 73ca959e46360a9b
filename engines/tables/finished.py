"""The finished table of a job, for its readers: found by its run id, with its files checked against its manifest."""

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
    """A table whose run has a manifest."""

    engine: T
    layout: RunLayout

    @classmethod
    def find(cls, tables_dir: Place, engine: T) -> Self | None:
        """The table of the engine's job; None when it is not below ``tables_dir``, or not finished."""
        layout = RunLayout(place_of_run(tables_dir, engine.job, engine.version))
        return cls(engine, layout) if layout.manifest.exists() else None

    @classmethod
    def need(cls, tables_dir: Place, engine: T, otherwise: str = "") -> Self:
        """The table of the engine's job, with its original summary.

        UserError that says how to build it when it is missing (``otherwise``: what else can be done);
        DamagedFileError names a damaged file.
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
        """The manifest of all its files; DamagedFileError when the manifest is damaged."""
        return read_manifest(self.layout.run_dir)

    def record(self, path: Place) -> FileRecord:
        """The manifest's record of a file; DamagedFileError when there is none."""
        return self.manifest.record(self.layout.run_dir, path)

    def summary(self) -> dict[str, Any]:
        """summary.json."""
        return read_summary(self.layout.run_dir)


def _duration(seconds: float) -> str:
    """A time in one unit."""
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}"
    return f"{max(1, round(seconds))} s"
