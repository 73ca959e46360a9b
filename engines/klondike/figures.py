"""Figures of a sweep of deals for its summary, beside what was published for its rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engines.klondike.paper import published
from engines.klondike.rules import Rules
from engines.statistics.intervals import spread, won_shares

QUANTILES = {"median": 0.5, "p90": 0.9, "p99": 0.99}


def figures(rules: Rules, random: bool, rows: pa.Table) -> dict[str, Any]:
    """Figures of the current rows (at least one) of a sweep, all of them plain, so that SQL has them as columns.

    For the shares see ``won_shares``. ``X_mean`` lies with its normal 95% interval from ``X_mean_low`` to
    ``X_mean_high``; the distributions have heavy tails, so that this is too narrow for few deals. ``states`` are those
    of all deals, ``lost_states`` of the lost ones, ``moves`` and ``redeals`` those of solutions, ``deal_s`` the
    seconds of a deal. Published shares are for ``random`` deals only.
    """
    outcomes = np.array(rows["outcome"].to_pylist())
    won, lost = outcomes == "won", outcomes == "lost"
    found: dict[str, Any] = won_shares(int(won.sum()), int(lost.sum()), len(outcomes))
    found["search_peak_bytes"] = max(rows["peak_bytes"].to_pylist())
    states = _numbers(rows, "states_count")
    for name, values in (
        ("deal_s", _numbers(rows, "elapsed_s")),
        ("states", states),
        ("lost_states", states[lost]),
        ("moves", _numbers(rows, "moves_count")[won]),
        ("redeals", _numbers(rows, "redeals_count")[won]),
    ):
        found |= spread(name, values.tolist())
        for quantile, share in QUANTILES.items():
            found[f"{name}_{quantile}"] = float(np.quantile(values, share)) if len(values) else None
    known = published(rules) if random else None
    if known is not None:
        found |= {
            "published_source": known.source,
            "published_won_share": known.won_share,
            "published_won_share_low": known.won_share - known.half_width,
            "published_won_share_high": known.won_share + known.half_width,
        }
    return found


def _numbers(rows: pa.Table, name: str) -> npt.NDArray[np.float64]:
    """A column as numbers, NaN where it has none."""
    return np.array(rows[name].cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
