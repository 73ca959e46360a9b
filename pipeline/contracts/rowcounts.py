"""Counts of a sweep's items, rows and outcomes."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING, Any

from engines.contract.job import Unit, UnitContext
from pipeline.records import make_record
from storage.parts import Part
from storage.place import Place

if TYPE_CHECKING:
    import pyarrow as pa


def rows_figures(outcome: pa.ChunkedArray) -> dict[str, Any]:
    """Figures of a part for its record, by the column ``outcome``."""
    from storage.dataset import outcome_counts

    return {"rows_count": len(outcome), "outcomes": outcome_counts(outcome)}


def row_counts(run_dir: Place) -> dict[str, Any]:
    """Figures of a whole run; reads a few rows at a time."""
    import numpy as np

    from storage.dataset import iter_rows, outcome_counts

    items_count, rows_count, last = 0, 0, -1
    outcomes: Counter[str] = Counter()
    for table in iter_rows(run_dir, ["index", "outcome"]):
        index = np.unique(table["index"].to_numpy())
        if len(index):
            items_count += len(index) - (int(index[0]) == last)
            last = int(index[-1])
        rows_count += len(table)
        outcomes.update(outcome_counts(table["outcome"]))
    return {"items_count": items_count, "rows_count": rows_count, "outcomes": dict(sorted(outcomes.items()))}


def record_of_part(part: Part, unit: Unit, ctx: UnitContext) -> dict[str, Any]:
    """The record of a unit, made from its part: for units whose driver was killed before it wrote the record."""
    from storage.dataset import open_part, taken_of

    path = ctx.layout.data / part.name
    with open_part(path) as file:
        figures = rows_figures(file.read(columns=["outcome"])["outcome"])
        taken = taken_of(file.metadata)
    return make_record(unit, dataclasses.replace(ctx, attempt=part.attempt), path, figures) | taken
