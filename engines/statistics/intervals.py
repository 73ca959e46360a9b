"""Intervals of shares and means. scipy is imported when it is needed, because ``scipy.special`` takes a third of a
second and ``scipy.stats`` one.

Wilson's interval has three lines, so it is here; the tests compare it with ``scipy.stats``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

Z = 1.959963984540054
"""Quantile of the normal distribution for a 95% interval."""


def wilson(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share, from ``count`` of ``total`` (at least 1)."""
    share, square = count / total, Z * Z / total
    centre = (share + square / 2) / (1 + square)
    half = Z * math.sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def difference(
    share: float, low: float, high: float, other: float, other_low: float, other_high: float
) -> tuple[float, float]:
    """95% interval of the difference of two shares of independent samples, from each one's 95% interval.

    Square and add: R. G. Newcombe, "Interval estimation for the difference between independent proportions:
    comparison of eleven methods", Statistics in Medicine 17, 1998, method 10. The shares agree if 0 is in it.
    """
    centre = share - other
    return (
        centre - math.hypot(share - low, other_high - other),
        centre + math.hypot(high - share, other - other_low),
    )


def paired_difference(
    both: int, only_first: int, only_second: int, neither: int
) -> tuple[float, float, float]:
    """Difference of two shares of one sample, each of its members (at least 1) counted in one cell; its 95% interval.

    Square and add, less the covariance of the shares: R. G. Newcombe, "Improved confidence intervals for the
    difference between binomial proportions based on paired data", Statistics in Medicine 17, 1998, method 10.
    """
    total = both + only_first + only_second + neither
    first, second = both + only_first, both + only_second
    low, high = wilson(first, total)
    other_low, other_high = wilson(second, total)
    product = first * (total - first) * second * (total - second)
    excess = float(both * neither - only_first * only_second)
    if excess > 0:
        excess = max(0.0, excess - total / 2)
    common = 2 * (excess / math.sqrt(product) if product else 0.0)
    share, other = first / total, second / total
    below = (share - low) ** 2 - common * (share - low) * (other_high - other) + (other_high - other) ** 2
    above = (high - share) ** 2 - common * (high - share) * (other - other_low) + (other - other_low) ** 2
    centre = share - other
    return centre, centre - math.sqrt(max(0.0, below)), centre + math.sqrt(max(0.0, above))


def mcnemar(only_first: int, only_second: int) -> float:
    """Probability of a split of the discordant pairs at least as uneven as this one, if both sides were equally
    likely.

    McNemar's test in its exact form, two-sided.
    """
    from scipy.special import bdtr

    count, fewer = only_first + only_second, min(only_first, only_second)
    return min(1.0, 2 * float(bdtr(fewer, count, 0.5))) if count else 1.0


def t_quantile(freedom: int) -> float:
    """97.5% quantile of Student's t with so many degrees of freedom, for a 95% interval."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def mean(values: Sequence[float]) -> tuple[float, float] | None:
    """Mean and standard error, exactly rounded sums; None for fewer than two values."""
    if len(values) < 2:
        return None
    centre = math.fsum(values) / len(values)
    variance = math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1)
    return centre, math.sqrt(variance / len(values))


def won_shares(won_count: int, lost_count: int, deals_count: int) -> dict[str, Any]:
    """Counts and shares of decided and open deals (at least one), all of them single values, so that SQL has them as
    columns.

    ``won_share_min`` counts open deals as lost, ``won_share_max`` as won. ``won_share_low`` to ``won_share_high`` is
    an interval for both: the lower end of Wilson's interval of the first, the upper end of that of the second.
    """
    open_count = deals_count - won_count - lost_count
    return {
        "deals_count": deals_count,
        "won_count": won_count,
        "lost_count": lost_count,
        "open_count": open_count,
        "won_share_min": won_count / deals_count,
        "won_share_max": (won_count + open_count) / deals_count,
        "won_share_low": wilson(won_count, deals_count)[0],
        "won_share_high": wilson(won_count + open_count, deals_count)[1],
    }
