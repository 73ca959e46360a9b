"""The answer to a statement: rows of all runs, without those that turn out to be damaged."""

from __future__ import annotations

import difflib
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from pipeline.query.catalog import Catalog, View
from pipeline.query.fence import Statement, connect, identifier, lock, one_line
from pipeline.query.reading import bring
from pipeline.query.runs import DAMAGE, Run, check_content
from pipeline.query.views import Describe, rows_of_run
from pipeline.roots import all_runs
from storage.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

CHECKED_BYTES = 64 << 20
"""Bytes whose checksums are checked before reading, because that takes hardly any time. Of larger answers only
sizes are checked."""


@dataclass(frozen=True)
class Answer:
    """Rows, each as long as ``names``."""

    names: Sequence[str]
    types: Sequence[str]
    """As DuckDB calls them."""
    rows: Sequence[tuple[Any, ...]]
    table: pa.Table | None = None
    """The answer in Arrow's form instead of ``rows``, where it was asked for."""
    is_plan: bool = False
    """Whether it is DuckDB's plan of a query, drawn as text."""
    folds: bool = False
    """Whether a long text in the last column takes several lines of a table instead of being shortened."""


class _ViewsError(Exception):
    """Views could not be made of the files."""


def answer(
    statement: Statement, with_unfinished: bool, as_arrow: bool = False, catalog: Catalog | None = None
) -> Answer:
    """What DuckDB answers; UserError for what it refuses. ``catalog``: the runs, if they are known already.

    Says on standard error which runs are left out, a line each.
    """
    if catalog is None:
        catalog = Catalog(all_runs() if statement.tables or statement.lists_tables else [], with_unfinished)
    views = catalog.views(statement)
    _leave_out_unsound(catalog, _runs_of(views))
    while True:
        views = catalog.views(statement)
        try:
            found = _ask(statement, views, as_arrow)
        except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException) as error:
            raise UserError("SQL", _with_names(one_line(error), statement, catalog)) from error
        except (_ViewsError, duckdb.Error) as error:
            if not _leave_out_unreadable(catalog, _runs_of(views)):
                raise UserError("SQL", one_line(error)) from error
        else:
            for note in catalog.notes(statement):
                print(f"yamafuda: {note}", file=sys.stderr)
            return found


def _ask(statement: Statement, views: Sequence[View], as_arrow: bool) -> Answer:
    with closing(_connect(_runs_of(views))) as connection:
        for view in views:
            try:
                connection.execute(
                    f"CREATE VIEW {identifier(view.name)} AS {view.select(_describer(connection))}"
                )
            except duckdb.Error as error:
                raise _ViewsError(one_line(error)) from error
        lock(connection)
        return _interruptibly(connection, lambda: _read(connection, statement, as_arrow))


def _read(connection: duckdb.DuckDBPyConnection, statement: Statement, as_arrow: bool) -> Answer:
    if as_arrow:
        found = connection.sql(statement.sql)
        return Answer(found.columns, [str(kind) for kind in found.types], (), found.to_arrow_table())
    # Not a relation: for that DuckDB looks at all files once more.
    connection.execute(statement.sql)
    columns = connection.description or []
    names, types = [name for name, *_ in columns], [str(kind) for _, kind, *_ in columns]
    return Answer(names, types, connection.fetchall(), is_plan=statement.explains)


def _interruptibly(connection: duckdb.DuckDBPyConnection, work: Callable[[], Answer]) -> Answer:
    """Do the work so that Ctrl-C ends it at once: a thread that is deep in DuckDB sees no signals."""
    done: Future[Answer] | None = None
    with ThreadPoolExecutor(1) as pool:
        try:
            done = pool.submit(work)
            return done.result()
        except KeyboardInterrupt:
            # Asked again and again, because a query that has not begun yet is not interrupted.
            while done is not None and not (done.cancel() or done.done()):
                connection.interrupt()
                time.sleep(0.02)
            raise


def _connect(runs: Iterable[Run]) -> duckdb.DuckDBPyConnection:
    return connect(bring(path for run in runs for path in run.paths()))


def _describer(connection: duckdb.DuckDBPyConnection) -> Describe:
    def describe(select: str) -> dict[str, str]:
        return {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {select}").fetchall()}

    return describe


def _runs_of(views: Iterable[View]) -> list[Run]:
    return list({run.folder: run for view in views for run in view.runs}.values())


def _leave_out_unsound(catalog: Catalog, runs: Sequence[Run]) -> None:
    """Runs whose parts are not what was written, as far as a quick check finds it."""
    left_bytes = CHECKED_BYTES
    for run in sorted(runs, key=lambda run: run.size_bytes):
        left_bytes -= run.size_bytes
        if left_bytes < 0:
            break
        try:
            check_content(run)
        except DAMAGE as error:
            catalog.leave_out(run, error)


def _leave_out_unreadable(catalog: Catalog, runs: Sequence[Run]) -> bool:
    """Find the runs whose parts cannot be read, however long that takes; returns whether there was one."""
    found = False
    for run in runs:
        try:
            check_content(run)
            with closing(_connect([run])) as connection:
                rows = rows_of_run(run, catalog.columns(run.kind), _describer(connection))
                connection.execute(f"SELECT max(hash(each)) FROM ({rows}) AS each").fetchall()
        except (*DAMAGE, duckdb.Error) as error:
            catalog.leave_out(
                run, UserError(str(run.folder), one_line(error)) if isinstance(error, duckdb.Error) else error
            )
            found = True
    return found


def _with_names(message: str, statement: Statement, catalog: Catalog) -> str:
    """An error message, with the views whose names are near the one that was used."""
    names = catalog.names()
    unknown = [
        table for table in sorted(statement.tables) if f"name {table} does not exist" in message.lower()
    ]
    if not unknown:
        return message
    near = difflib.get_close_matches(unknown[0], names, n=3) or names
    return f"there is no view {unknown[0]}; there are {', '.join(near)}"
