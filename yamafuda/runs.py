"""All runs."""

from __future__ import annotations

import contextlib
import functools
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass
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
    """Name of its folder: the job, and the fields that differ from their defaults."""
    id: str
    job: str
    """The kind of job, by which its rows are asked for."""
    state: str
    """``running``, ``done``, ``failed`` (some units are) or ``interrupted``."""
    done_share: float
    """Share of its items or units that are done, between 0 and 1."""
    rate_per_s: float | None
    """Items or units, while it runs."""
    left_s: float | None
    """Time that a running one is expected to take still, in seconds."""
    begun_s: float | None
    """When it was begun, in seconds since 1970; None in damaged journals."""
    finished_s: float | None
    """When all was done except failed units, in seconds since 1970; None before that."""
    size_bytes: int
    units_done_count: int
    units_count: int
    units_failed_count: int
    attempt: int
    interrupted_count: int
    """How often its drivers were killed or interrupted."""
    driver: str
    """Who is at work on it, in words; empty when nobody is."""
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
        """All that it has found so far: a row for each item of a sweep, or each layer of a table."""
        from pipeline.query.fence import identifier

        return query(f"SELECT * FROM {identifier(self.name)}", partial=True)

    def log(self, last_count: int | None = None) -> list[dict[str, Any]]:
        """What its drivers and units said, the oldest first: ``time_s`` (since 1970), ``level``, ``unit``, ``text``...

        ``last_count``: no more than so many lines, the last ones.
        """
        from pipeline.logs.run_log import read_log
        from storage.layout import RunLayout
        from storage.place import place_at

        lines = deque(read_log(RunLayout(place_at(self.folder))), last_count)
        return [asdict(line) for line in lines]

    def failures(self) -> list[dict[str, Any]]:
        """Its failed units: ``unit``, ``reason``, ``tries`` and ``trace``; damaged files are passed over."""
        from storage.jsontext import parse_json
        from storage.place import listed, place_at

        found = []
        for path in listed(place_at(self.folder) / "failed", "*.json"):
            with contextlib.suppress(OSError, ValueError, TypeError):
                found.append(dict(parse_json(path.read_bytes())))
        return found

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
        rate_per_s=status.rate_per_s,
        left_s=status.left_s,
        begun_s=status.begun_s,
        finished_s=status.finished_s,
        size_bytes=status.size_bytes,
        units_done_count=status.units_done_count,
        units_count=status.units_count,
        units_failed_count=status.units_failed_count,
        attempt=status.attempt,
        interrupted_count=status.interrupted_count,
        driver=status.driver,
        label=status.label,
        folder=status.run,
    )
