"""SQL over the results of all runs: DuckDB reads the Parquet files where they are."""

from __future__ import annotations

import glob
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from pipeline.plan import read_plan
from pipeline.roots import all_runs
from pipeline.status import read_status
from storage.dataset import current_rows_sql
from storage.errors import UserError
from storage.layout import RunLayout
from storage.manifest import read_summary


def show_query(sql: str, as_json: bool) -> None:
    """Print the answer as a table, or as JSON lines; UserError for SQL that DuckDB refuses."""
    with duckdb.connect() as connection:
        add_views(connection, all_runs())
        try:
            answer = connection.sql(sql)
            if answer is None:
                raise UserError("SQL", "holds no statement; try: SELECT * FROM runs")
            names, rows = answer.columns, answer.fetchall()
        except duckdb.Error as error:
            raise UserError("SQL", " ".join(str(error).split())) from error
    if as_json:
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise UserError("SQL", f"two columns are called {twice[0]!r}; give one another name with AS")
        for row in rows:
            values = {name: _plain(value) for name, value in zip(names, row, strict=True)}
            print(json.dumps(values, default=str, allow_nan=False))
    else:
        print(_table(names, rows))


def add_views(connection: duckdb.DuckDBPyConnection, runs: Sequence[Path]) -> None:
    """``runs`` (one row a run), a view for each job over all its runs, and one for each run (JOB_RUNID).

    Rows of the views of jobs and runs are those of the highest attempt of each item.
    """
    rows = [_run_row(run) for run in runs]
    connection.execute("CREATE TABLE runs (run_id VARCHAR, job VARCHAR, state VARCHAR, run VARCHAR)")
    if rows:
        connection.execute("CREATE OR REPLACE TABLE runs AS " + _union([_literals(row) for row in rows]))
    by_job: dict[str, list[str]] = {}
    for run, row in zip(runs, rows, strict=True):
        if any(RunLayout(run).data.glob("*.parquet")):
            view = _identifier(f"{row['job']}_{row['run_id']}")
            try:
                connection.execute(f"CREATE VIEW {view} AS {_current_rows(RunLayout(run).data)}")
            except duckdb.Error as error:
                raise UserError(
                    str(run), f"its data/ cannot be read; verify or remove the run ({error})"
                ) from error
            by_job.setdefault(str(row["job"]), []).append(f"SELECT * FROM {view}")
    for job, parts in by_job.items():
        connection.execute(f"CREATE VIEW {_identifier(job)} AS {_union(parts)}")


def _run_row(run: Path) -> dict[str, Any]:
    """What is worth asking of a run: its job's values (lists as JSON), its state, the plain figures of its summary."""
    plan, status = read_plan(RunLayout(run)), read_status(run)
    row: dict[str, Any] = {
        "run_id": status.run_id,
        "job": status.kind,
        "state": status.state,
        "run": str(run),
    }
    row |= {
        key: _listed(value)
        for key, value in plan["job"].items()
        if key != "name" and not isinstance(value, dict)
    }
    if RunLayout(run).summary.exists():
        summary = read_summary(run)
        row |= {key: value for key, value in summary.items() if key not in row and _is_plain(value)}
    return row


def _listed(value: Any) -> Any:
    """A list as JSON, so that runs of different ones can be told apart."""
    return json.dumps(value) if isinstance(value, list) else value


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, int | float | str)


def _plain(value: Any) -> Any:
    """A value without what JSON has no numbers for: infinity and not-a-number become texts, as in SQL."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _literals(row: dict[str, Any]) -> str:
    return "SELECT " + ", ".join(f"{_literal(value)} AS {_identifier(key)}" for key, value in row.items())


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value!r}::DOUBLE"
    return "'" + str(value).replace("'", "''") + "'"


def _current_rows(data: Path) -> str:
    pattern = glob.escape(str(data)) + "/*.parquet"
    if any(data.glob("part-*-a*.parquet")):
        return current_rows_sql(pattern)
    return f"SELECT * FROM read_parquet({_literal(pattern)}, union_by_name = true)"


def _union(parts: list[str]) -> str:
    return " UNION ALL BY NAME ".join(parts)


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _table(names: list[str], rows: list[tuple[Any, ...]]) -> str:
    cells = [names, *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(names))]
    numeric = [
        bool(rows) and all(isinstance(row[column], int | float | None) for row in rows)
        for column in range(len(names))
    ]
    lines = []
    for row in cells:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _cell(value: Any) -> str:
    return "" if value is None else str(value)
