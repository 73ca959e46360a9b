"""Intervals of shares and means."""

from __future__ import annotations

import math
from collections.abc import Sequence

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
