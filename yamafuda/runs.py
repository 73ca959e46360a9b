"""The runs that there are."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yamafuda.answers import query
from yamafuda.html import table_html
from yamafuda.rows import Rows

if TYPE_CHECKING:
    from pipeline.status import Status


@dataclass(frozen=True)
class Run:
    """A run as it was when it was asked for."""

    name: str
    """Of its folder; tells the job and what differs from its defaults."""
    id: str
    job: str
    """The kind of job, by which its rows are asked for."""
    state: str
    """``running``, ``done``, ``failed`` (some units are) or ``interrupted``."""
    done_share: float
    """Of its items or units, between 0 and 1."""
    label: str
    folder: str
    """A path or a URL."""

    @functools.cached_property
    def fields(self) -> Mapping[str, Any]:
        """The job's fields that differ from the defaults."""
        from pipeline.status import read_fields
        from storage.place import place_at

        return read_fields(place_at(self.folder))

    @functools.cached_property
    def summary(self) -> Mapping[str, Any]:
        """Its ``summary.json``; empty for a run that is not finished."""
        from storage.layout import RunLayout
        from storage.manifest import read_summary
        from storage.place import place_at

        place = place_at(self.folder)
        return read_summary(place) if RunLayout(place).summary.exists() else {}

    def rows(self) -> Rows:
        """All that it has found so far: a row an item of a sweep, a layer of a table."""
        from pipeline.query.fence import identifier

        return query(f"SELECT * FROM {identifier(self.name)}", partial=True)

    def __repr__(self) -> str:
        return f"<run {self.name}: {self.state}, {self.done_share:.1%}>"

    def _repr_html_(self) -> str:
        return Runs([self])._repr_html_()


class Runs(list[Run]):
    """Runs, the latest last."""

    def __repr__(self) -> str:
        return "\n".join(map(repr, self)) or "no runs"

    def _repr_html_(self) -> str:
        cells = [[run.name, run.state, f"{run.done_share:.1%}", run.label] for run in self]
        return table_html(["run", "state", "done", "label"], cells, f"{len(self):,} runs")


def runs() -> Runs:
    """All runs below the roots (``YAMAFUDA_RESULTS``, ``YAMAFUDA_TABLES``), the latest last.

    A damaged one is named on standard error and left out. With more columns, in SQL: ``query("FROM runs")``.
    """
    from pipeline.status import read_statuses

    return Runs(map(run_of, read_statuses()))


def run_of(status: Status) -> Run:
    """A status as a Run."""
    return Run(
        name=status.name,
        id=status.run_id,
        job=status.kind,
        state=status.state,
        done_share=status.done_share,
        label=status.label,
        folder=status.run,
    )
