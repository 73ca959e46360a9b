"""Figures of a sweep of deals for its summary: shares and means with 95% intervals, beside the paper's table 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from engines.superpuzz import paper

Z = 1.959963984540054
"""Of a 95% interval of the normal distribution."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share of which ``count`` of ``total`` (at least 1) were seen."""
    share, square = count / total, Z * Z / total
    centre = (share + square / 2) / (1 + square)
    half = Z * math.sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def mean(values: Sequence[float]) -> tuple[float, float] | None:
    """Mean and standard error, exactly rounded sums; None for fewer than two values."""
    if len(values) < 2:
        return None
    centre = math.fsum(values) / len(values)
    variance = math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1)
    return centre, math.sqrt(variance / len(values))


def figures(columns: int, mode: str, rows: pa.Table) -> dict[str, Any]:
    """Figures of the current rows of a sweep.

    ``won_share_min`` and ``won_share_max`` count the deals that are still open as lost and as won, and
    ``won_share_low`` to ``won_share_high`` is an interval that holds for both: Wilson's of the one below, of the other
    above. Means are over the deals that have the value; those of states over the decided ones (a deal that hit a limit
    has more states than were counted). Their distributions have heavy tails, so that the normal intervals (``low``,
    ``high``) of few deals are too narrow.
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
        "moves": _figure([row["moves_count"] for row in won]),
        "states": _figure([row["states_count"] for row in deals if row["outcome"] != "undecided"]),
        "states_before_win": _figure([row["states_before_win_count"] for row in won]),
        "lost_states": _figure([row["states_count"] for row in lost]),
        "search_peak_bytes": max((row["peak_bytes"] for row in deals), default=0),
    }
    if deals:
        found |= {
            "won_share_min": len(won) / len(deals),
            "won_share_max": (len(won) + open_count) / len(deals),
            "won_share_low": wilson(len(won), len(deals))[0],
            "won_share_high": wilson(len(won) + open_count, len(deals))[1],
        }
    if mode == "census" and columns in paper.TABLE_1:
        found["paper"] = _beside_paper(columns, found["states"])
    return found


def _figure(values: list[int]) -> dict[str, Any] | None:
    if not values:
        return None
    spread = mean(values)
    centre, error = (float(values[0]), None) if spread is None else spread
    return {
        "count": len(values),
        "mean": centre,
        "low": None if error is None else centre - Z * error,
        "high": None if error is None else centre + Z * error,
        "min": min(values),
        "max": max(values),
    }


def _beside_paper(columns: int, states: dict[str, Any] | None) -> dict[str, Any]:
    """The paper's row; ``states_z``: how many standard errors our mean is from the paper's.

    The paper tells no spread. Its error is taken from ours: the same distribution, with the paper's number of deals.
    """
    row = paper.TABLE_1[columns]
    values: dict[str, Any] = {"deals_count": paper.DEALS_COUNT, **asdict(row), "states_z": None}
    if states is not None and states["low"] is not None:
        error = (states["mean"] - states["low"]) / Z
        both = math.hypot(error, error * math.sqrt(states["count"] / paper.DEALS_COUNT))
        if both:
            values["states_z"] = (states["mean"] - row.states_mean) / both
    return values
