"""What the columns of a kind of job are: name, type, unit and meaning."""

from __future__ import annotations

from engines.contract.columns import columns_of
from pipeline.query.answer import Answer
from pipeline.query.columns import sql_type


def schema_of(kind: str) -> Answer:
    """A row for each column, in their order; UserError when no job is called so."""
    rows = []
    for each in columns_of(kind):
        told = {key.decode(): value.decode() for key, value in (each.metadata or {}).items()}
        rows.append((each.name, sql_type(each.type), told.get("unit"), told.get("meaning")))
    return Answer(("name", "type", "unit", "meaning"), ("VARCHAR",) * 4, rows, folds=True)
