"""The view ``runs``: a row a run, with its job's values and the plain figures of its summary."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.query.fence import identifier, quoted
from pipeline.query.runs import Run
from pipeline.status import Status

FIRST = {
    "run_id": "VARCHAR",
    "name": "VARCHAR",
    "job": "VARCHAR",
    "job_file": "VARCHAR",
    "label": "VARCHAR",
    "state": "VARCHAR",
    "overlaps_with": "VARCHAR[]",
    "run": "VARCHAR",
}
"""Columns of all runs. ``job_file``: the file in ``conf/job`` that the job was made from. ``overlaps_with``: names of
runs that have some of its items, too; null if none has."""


def runs_sql(runs: Iterable[tuple[Run, Status, Sequence[Run]]]) -> str:
    """The view as a SELECT, of runs, how far they are, and the runs that they overlap with."""
    rows = [_row(run, status, overlaps) for run, status, overlaps in runs]
    types = FIRST | {
        name: _type([row.get(name) for row in rows])
        for name in dict.fromkeys(name for row in rows for name in row)
        if name not in FIRST
    }
    names = ", ".join(map(identifier, types))
    casts = ", ".join(
        f"CAST({identifier(name)} AS {kind}) AS {identifier(name)}" for name, kind in types.items()
    )
    values = [f"({', '.join(_literal(row.get(name)) for name in types)})" for row in rows or [{}]]
    return f"SELECT {casts} FROM (VALUES {', '.join(values)}) AS told({names}) WHERE {bool(rows)}"


def _row(run: Run, status: Status, overlaps: Sequence[Run]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "run_id": run.id,
        "name": run.name,
        "job": run.kind,
        "job_file": status.job,
        "label": status.label or None,
        "state": status.state,
        "overlaps_with": [other.name for other in overlaps] or None,
        "run": str(run.folder),
    }
    # Lists are told as JSON, so that runs of different ones can be told apart.
    row |= {
        key: json.dumps(value) if isinstance(value, list) else value
        for key, value in run.job.items()
        if key not in row and not isinstance(value, dict)
    }
    figures = run.summary or {}
    return row | {key: value for key, value in figures.items() if key not in row and _is_plain(value)}


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, int | float | str)


def _type(values: Iterable[Any]) -> str:
    """The narrowest type that all values have in common."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return '"NULL"'
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds == {int}:
        return "HUGEINT" if any(value is not None and abs(value) >= 1 << 63 for value in values) else "BIGINT"
    return "DOUBLE" if kinds <= {int, float} else "VARCHAR"


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{quoted(repr(value))}::DOUBLE"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return quoted(str(value))
