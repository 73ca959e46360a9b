"""Figures of a measure for summaries and reports, such as the states or seconds of random deals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engines.statistics.bootstrap import mean_interval

QUANTILES = {"median": 0.5, "p90": 0.9, "p99": 0.99}


def spread(name: str, values: Sequence[float]) -> dict[str, Any]:
    """Mean and extremes as ``NAME_mean`` and so on; None without values."""
    return {
        f"{name}_mean": math.fsum(values) / len(values) if values else None,
        f"{name}_min": min(values, default=None),
        f"{name}_max": max(values, default=None),
    }


def mean_intervals(measures: Iterable[tuple[str, Sequence[float]]]) -> dict[str, float | None]:
    """95% intervals of the means of measures that are never below 0: ``NAME_mean_low`` and ``NAME_mean_high``.

    Measures of deals have heavy tails, so the intervals are the bootstrap's; None where ``mean_interval`` has none.
    They take some tenths of a second.
    """
    found: dict[str, float | None] = {}
    for name, values in measures:
        found[f"{name}_mean_low"], found[f"{name}_mean_high"] = mean_interval(values) or (None, None)
    return found


def quantiles(name: str, values: Sequence[float]) -> dict[str, float | None]:
    """``NAME_median``, ``NAME_p90`` and ``NAME_p99``; None without values."""
    return {
        f"{name}_{quantile}": float(np.quantile(values, share)) if values else None
        for quantile, share in QUANTILES.items()
    }
