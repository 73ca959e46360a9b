"""The view ``runs``: a row for each run, with its job's values and the single figures of its summary."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from engines.contract.engine import Engine
from pipeline.query.fence import identifier, quoted
from pipeline.query.items import families
from pipeline.query.runs import Run
from pipeline.status import Status
from storage.place import Place

FIRST = {
    "name": "VARCHAR",
    "job": "VARCHAR",
    "state": "VARCHAR",
    "done_share": "DOUBLE",
    "started": "TIMESTAMP",
    "finished": "TIMESTAMP",
    "items_count": "BIGINT",
    "items_per_s": "DOUBLE",
    "size_bytes": "BIGINT",
    "label": "VARCHAR",
    "overlaps_with": "VARCHAR[]",
    "job_file": "VARCHAR",
    "run_id": "VARCHAR",
    "run": "VARCHAR",
}
"""Columns of all runs. ``job_file``: the file in ``conf/job`` that the job was made from. ``overlaps_with``:
names of other runs that have some of the same items; null if there is none. ``started`` and ``finished`` are
UTC. Items are those of sweeps; their rate is that of the driver at work, or else of the last driver."""


def runs_sql(
    runs: Sequence[Run], statuses: Mapping[Place, Status], engines: Mapping[str, type[Engine]]
) -> str:
    """The view as a SELECT. ``statuses``: by folder; ``engines``: by kind of job."""
    overlaps = {
        folder: others for each in families(runs, engines) for folder, others in each.overlaps.items()
    }
    rows = []
    for run in runs:
        told_as = engines[run.kind].told_as if run.kind in engines else {}
        rows.append(_row(run, statuses[run.folder], overlaps[run.folder], told_as))
    names = list(dict.fromkeys([*FIRST, *(name for row in rows for name in row)]))
    types = {name: FIRST.get(name) or _type([row.get(name) for row in rows]) for name in names}
    shape = quoted(json.dumps([{name: kind for name, kind in types.items() if kind}]))
    told = ", ".join(
        f"{f'told.{identifier(name)}' if types[name] else 'NULL'} AS {identifier(name)}" for name in names
    )
    # One text, which DuckDB parses itself: as SQL, thousands of values would take longer than anything else
    # here.
    return f"SELECT {told} FROM (SELECT unnest(from_json({quoted(json.dumps(rows))}, {shape})) AS told)"


def _row(run: Run, status: Status, overlaps: Sequence[Run], told_as: Mapping[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "run_id": run.id,
        "name": run.name,
        "job": run.kind,
        "job_file": status.job,
        "label": status.label or None,
        "state": status.state,
        "done_share": status.done_share,
        "started": _utc(run.begun_s if status.begun_s is None else status.begun_s),
        "finished": _utc(status.finished_s),
        "size_bytes": status.size_bytes,
        "overlaps_with": [other.name for other in overlaps] or None,
        "run": str(run.folder),
    }
    # Lists are given as JSON, so that runs with different lists can be distinguished.
    row |= {
        told_as.get(key, key): json.dumps(value) if isinstance(value, list) else value
        for key, value in run.job.items()
        if key not in row and not isinstance(value, dict)
    }
    summary = run.summary or {}
    if run.is_sweep:
        last = summary.get("items_per_s")
        row |= {
            "items_count": run.plan["items_count"],
            "items_per_s": last if status.rate_per_s is None else status.rate_per_s,
        }
    # Summaries repeat values of the job.
    figures = {told_as.get(key, key): value for key, value in summary.items()}
    return row | {key: value for key, value in figures.items() if key not in row and _is_plain(value)}


def _utc(seconds: float | None) -> str | None:
    """Seconds of the epoch as SQL reads a time."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, int | float | str)


def _type(values: Iterable[Any]) -> str | None:
    """The narrowest type that all values have in common; None of nulls alone."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return None
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds == {int}:
        return "HUGEINT" if any(value is not None and abs(value) >= 1 << 63 for value in values) else "BIGINT"
    return "DOUBLE" if kinds <= {int, float} else "VARCHAR"
