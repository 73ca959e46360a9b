"""Figures of a sweep of deals for its summary: shares and means with 95% intervals, beside the paper's table 1."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from engines.statistics.intervals import mean, spread, won_shares
from engines.superpuzz import paper


def figures(columns: int, mode: str, rows: pa.Table) -> dict[str, Any]:
    """Figures of the current rows (at least one) of a sweep, all of them plain, so that SQL has them as columns.

    For the shares see ``won_shares``. ``X_mean`` lies with its 95% interval from ``X_mean_low`` to ``X_mean_high``;
    means are over the deals that have an X, those of ``states`` over the decided ones (a deal that hit a limit has more
    states than were counted). The distributions have heavy tails, so that these normal intervals are too narrow for few
    deals.
    """
    deals = rows.to_pylist()
    won = [row for row in deals if row["moves_count"] is not None]
    lost = [row for row in deals if row["outcome"] == "lost"]
    found: dict[str, Any] = {
        "columns": columns,
        "mode": mode,
        **won_shares(len(won), len(lost), len(deals)),
        "search_peak_bytes": max(row["peak_bytes"] for row in deals),
    }
    decided = [row["states_count"] for row in deals if row["outcome"] != "undecided"]
    for name, values in (
        ("states", decided),
        ("moves", [row["moves_count"] for row in won]),
        ("states_before_win", [row["states_before_win_count"] for row in won]),
        ("lost_states", [row["states_count"] for row in lost]),
    ):
        found |= spread(name, values)
    if mode == "census" and columns in paper.TABLE_1:
        found |= _beside_paper(columns, decided)
    return found


def _beside_paper(columns: int, states: list[int]) -> dict[str, Any]:
    """The paper's row; ``states_z``: how many standard errors our mean is from the paper's.

    The paper tells no spread. Its error is taken from ours: the same distribution, with the paper's number of deals.
    """
    row = {f"paper_{name}": value for name, value in asdict(paper.TABLE_1[columns]).items()}
    found = mean(states)
    z = None
    if found is not None and found[1]:
        both = math.hypot(found[1], found[1] * math.sqrt(len(states) / paper.DEALS_COUNT))
        z = (found[0] - paper.TABLE_1[columns].states_mean) / both
    return row | {"paper_deals_count": paper.DEALS_COUNT, "states_z": z}
