"""Figures of a sweep of deals for its summary: shares and means with 95% intervals, beside the paper's table 1."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from engines.statistics import Z, mean, wilson
from engines.superpuzz import paper


def figures(columns: int, mode: str, rows: pa.Table) -> dict[str, Any]:
    """Figures of the current rows (at least one) of a sweep, all of them plain, so that SQL has them as columns.

    ``won_share_min`` and ``won_share_max`` count the deals that are still open as lost and as won, and
    ``won_share_low`` to ``won_share_high`` is an interval that holds for both: Wilson's of the one below, of the other
    above. ``X_mean`` lies with its 95% interval from ``X_mean_low`` to ``X_mean_high``; means are over the deals that
    have an X, those of ``states`` over the decided ones (a deal that hit a limit has more states than were counted).
    The distributions have heavy tails, so that these normal intervals are too narrow for few deals.
    """
    deals = rows.to_pylist()
    won = [row for row in deals if row["moves_count"] is not None]
    lost = [row for row in deals if row["outcome"] == "lost"]
    open_count = len(deals) - len(won) - len(lost)
    found: dict[str, Any] = {
        "columns": columns,
        "mode": mode,
        "deals_count": len(deals),
        "won_count": len(won),
        "lost_count": len(lost),
        "open_count": open_count,
        "won_share_min": len(won) / len(deals),
        "won_share_max": (len(won) + open_count) / len(deals),
        "won_share_low": wilson(len(won), len(deals))[0],
        "won_share_high": wilson(len(won) + open_count, len(deals))[1],
        "search_peak_bytes": max(row["peak_bytes"] for row in deals),
    }
    decided = [row["states_count"] for row in deals if row["outcome"] != "undecided"]
    for name, values in (
        ("states", decided),
        ("moves", [row["moves_count"] for row in won]),
        ("states_before_win", [row["states_before_win_count"] for row in won]),
        ("lost_states", [row["states_count"] for row in lost]),
    ):
        found |= _spread(name, values)
    if mode == "census" and columns in paper.TABLE_1:
        found |= _beside_paper(columns, decided)
    return found


def _spread(name: str, values: list[int]) -> dict[str, Any]:
    """Mean with its interval, and extremes; None where there are not enough values."""
    spread = mean(values)
    half = None if spread is None else Z * spread[1]
    centre = math.fsum(values) / len(values) if values else None
    return {
        f"{name}_mean": centre,
        f"{name}_mean_low": None if centre is None or half is None else centre - half,
        f"{name}_mean_high": None if centre is None or half is None else centre + half,
        f"{name}_min": min(values, default=None),
        f"{name}_max": max(values, default=None),
    }


def _beside_paper(columns: int, states: list[int]) -> dict[str, Any]:
    """The paper's row; ``states_z``: how many standard errors our mean is from the paper's.

    The paper tells no spread. Its error is taken from ours: the same distribution, with the paper's number of deals.
    """
    row = {f"paper_{name}": value for name, value in asdict(paper.TABLE_1[columns]).items()}
    spread = mean(states)
    z = None
    if spread is not None and spread[1]:
        both = math.hypot(spread[1], spread[1] * math.sqrt(len(states) / paper.DEALS_COUNT))
        z = (spread[0] - paper.TABLE_1[columns].states_mean) / both
    return row | {"paper_deals_count": paper.DEALS_COUNT, "states_z": z}
