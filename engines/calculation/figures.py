"""Figures of a player's games for its summary and for the report."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from engines.statistics.intervals import won_shares
from engines.statistics.measures import spread

COLUMNS = [
    "outcome",
    "elapsed_s",
    "left_count",
    "draws_count",
    "evaluations_count",
    "lookups_count",
    "missing_count",
]
"""The columns that figures need."""


def figures(rows: pa.Table) -> dict[str, Any]:
    """Figures of a player's games (at least one), all of them single values, so that SQL has them as columns.

    For the shares see ``won_shares``. ``missing_share``: of the look-ups in the table, those that found nothing.
    Seconds are processor time.
    """
    outcomes = rows["outcome"].to_pylist()
    count = len(outcomes)
    seconds = rows["elapsed_s"].to_pylist()
    total_s = math.fsum(seconds)
    sums = {name: sum(rows[name].to_pylist()) for name in COLUMNS if name.endswith("_count")}
    found = {
        **won_shares(outcomes.count("won"), outcomes.count("lost"), count),
        "evaluations_count": sums["evaluations_count"],
        "lookups_count": sums["lookups_count"],
        "missing_count": sums["missing_count"],
        "missing_share": sums["missing_count"] / sums["lookups_count"] if sums["lookups_count"] else None,
        "evaluations_per_s": sums["evaluations_count"] / total_s if total_s else None,
        "lookups_per_s": sums["lookups_count"] / total_s if total_s else None,
        "deals_per_s": count / total_s if total_s else None,
    }
    for name, values in measures(rows):
        found |= spread(name, values)
    return found


def measures(rows: pa.Table) -> Iterator[tuple[str, list[float]]]:
    """The values of each measure, in the order of the rows; ``lost_left``: cards left of lost games."""
    yield "deal_s", rows["elapsed_s"].to_pylist()
    yield "lost_left", [left for left in rows["left_count"].to_pylist() if left]
