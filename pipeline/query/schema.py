"""The columns of a kind of job: name, type, unit and meaning."""

from __future__ import annotations

from engines.contract.columns import columns_of
from engines.contract.nearest import did_you_mean
from engines.contract.registry import job_names
from pipeline.jobfiles import job_files, kind_of
from pipeline.query.answer import Answer
from pipeline.query.catalog import RUNS
from pipeline.query.columns import sql_type
from storage.errors import UserError


def schema_of(kind: str) -> Answer:
    """A row for each column, in order; UserError when no kind of job has this name."""
    if kind not in job_names():
        raise UserError("schema", _why_not(kind))
    rows = []
    for each in columns_of(kind):
        told = {key.decode(): value.decode() for key, value in (each.metadata or {}).items()}
        rows.append((each.name, sql_type(each.type), told.get("unit"), told.get("meaning")))
    return Answer(("name", "type", "unit", "meaning"), ("VARCHAR",) * 4, rows, folds=True)


def _why_not(name: str) -> str:
    if name == RUNS:
        return "runs is not a kind of job; SQL shows its columns: DESCRIBE runs"
    files = job_files(None)
    if name in files:
        return f"{name} is a job of the kind {kind_of(files, name)}; ask for that"
    names = job_names()
    return f"there is no kind of job {name!r}{did_you_mean(name, names)}; there are: {', '.join(names)}"
