"""What a statement can name: views of the runs below the roots, each made only when a statement names it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from engines.contract.engine import Engine
from engines.contract.registry import engine_class, job_names
from pipeline.query.columns import Columns, columns_of_kind
from pipeline.query.fence import Statement
from pipeline.query.items import families
from pipeline.query.runs import DAMAGE, Run, read_run, reason_of
from pipeline.query.runs_view import runs_sql
from pipeline.query.views import Describe, all_rows, each_item_once, rows_of_run
from pipeline.status import Status, read_status
from storage.place import Place

RUNS, ROWS = "runs", "_rows"
"""The name of the view of all runs, and the ending of views with all rows of a kind of job."""


@dataclass(frozen=True)
class View:
    """A view that a statement names."""

    name: str
    runs: Sequence[Run]
    """The runs whose parts it may read."""
    select: Callable[[Describe], str]
    """Its SQL."""


class Catalog:
    """The runs as they were when this was made.

    ``with_unfinished``: views of kinds of jobs take also runs that are not finished.
    """

    def __init__(self, folders: Iterable[Place], with_unfinished: bool) -> None:
        self._with_unfinished = with_unfinished
        self._columns: dict[str, Columns] = {}
        self.damaged: dict[Place, str] = {}
        """Runs that are left out, with what is wrong with them."""
        self.runs: list[Run] = []
        for folder in folders:
            try:
                self.runs.append(read_run(folder))
            except DAMAGE as error:
                self.damaged[folder] = reason_of(folder, error)

    def leave_out(self, run: Run, error: BaseException) -> None:
        """Leave a run out. If its parts were replaced meanwhile, as by a later attempt, it is read again instead."""
        place = self.runs.index(run)
        del self.runs[place]
        try:
            now = read_run(run.folder)
        except DAMAGE:
            now = run
        if now.parts != run.parts:
            self.runs.insert(place, now)
        else:
            self.damaged[run.folder] = reason_of(run.folder, error)

    def has(self, kind: str) -> bool:
        """Whether the view of this kind of job has a run."""
        return bool(self._counting(kind))

    def names(self) -> list[str]:
        """Names of the views: that of all runs, and those of the kinds of jobs that have runs."""
        return [RUNS, *(kind + end for kind in self._kinds_with_runs for end in ("", ROWS))]

    def views(self, statement: Statement) -> list[View]:
        """The views that a statement names; all views if it asks which there are."""
        found = []
        kinds = self._kinds_with_runs if statement.lists_tables else self._kinds
        for kind in filter(statement.reads, kinds):
            found.append(View(kind, self._counting(kind), partial(self._each_item_once, kind)))
        for kind in kinds:
            if statement.reads(kind + ROWS):
                runs = self._of_kind(kind)
                found.append(View(kind + ROWS, runs, partial(all_rows, runs, self.columns(kind))))
        for run in self.runs:
            by_id = f"{run.kind}_{run.id}"
            for name in {*filter(statement.reads, [run.name]), *filter(statement.names, [by_id])}:
                found.append(View(name, [run], partial(rows_of_run, run, self.columns(run.kind))))
        if statement.reads(RUNS):
            found.append(View(RUNS, [], self._runs))
        return found

    def notes(self, statement: Statement) -> list[str]:
        """What a reader of the answer should know about the runs behind it."""
        notes = [f"{reason}; left out" for reason in self.damaged.values()]
        for kind in filter(statement.names, self._kinds):
            runs = self._of_kind(kind)
            unfinished_count = len(runs) - len(self._counting(kind))
            if not runs:
                notes.append(f"{kind}: there is no run of it")
            elif unfinished_count:
                notes.append(
                    f"{kind}: without {unfinished_count} of {len(runs)} runs, which are not finished "
                    "(--partial includes them as far as they are)"
                )
        return notes

    @property
    def _kinds_with_runs(self) -> list[str]:
        return sorted({run.kind for run in self.runs})

    @functools.cached_property
    def _kinds(self) -> list[str]:
        return sorted({*job_names(), *self._kinds_with_runs})

    def _of_kind(self, kind: str) -> list[Run]:
        return [run for run in self.runs if run.kind == kind]

    def _counting(self, kind: str) -> list[Run]:
        return [run for run in self._of_kind(kind) if self._with_unfinished or run.is_complete]

    def _each_item_once(self, kind: str, describe: Describe) -> str:
        found = families(self._counting(kind), _engines([kind]))
        return each_item_once(found, self.columns(kind), describe)

    def _runs(self, _: Describe) -> str:
        statuses = self._statuses()
        return runs_sql(self.runs, statuses, _engines(self._kinds_with_runs))

    def _statuses(self) -> dict[Place, Status]:
        found = {}
        for run in list(self.runs):
            try:
                found[run.folder] = read_status(run.folder)
            except DAMAGE as error:
                self.leave_out(run, error)
        return found

    def columns(self, kind: str) -> Columns:
        """The columns of the views of a kind of job."""
        if kind not in self._columns:
            engine = _engines([kind]).get(kind)
            self._columns[kind] = columns_of_kind(kind, engine) if engine else Columns()
        return self._columns[kind]


def _engines(kinds: Iterable[str]) -> dict[str, type[Engine]]:
    """Engines by kind of job, where an installed game has it: a run's package may not be installed any more."""
    known = job_names()
    return {kind: engine_class(kind) for kind in kinds if kind in known}
