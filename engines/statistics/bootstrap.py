"""Intervals of means whose distribution is skewed, drawn from the values themselves.

Numbers of states have a heavy tail on the right: a few deals make up most of the mean, and a normal interval is too
low at both ends. Their logarithms are not normal either, for many lost deals have a handful of states. So no shape is
assumed: the interval is the studentized bootstrap's, because means and standard errors of skewed values are
correlated (Efron and Tibshirani, "An Introduction to the Bootstrap", section 12.5). scipy has no studentized one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

SAMPLES_COUNT = 10_000
SEED = 1
BATCH_VALUES = 1 << 20
"""How many values are drawn at a time."""
GROUPS = 1000
"""From twice as many values on, the values are replaced by the means of so many groups."""
ENDS = (0.025, 0.975)
"""Quantiles of a 95% interval."""


def mean_interval(values: Sequence[float], least: float = 0.0) -> tuple[float, float] | None:
    """95% interval of the mean of the distribution of ``values``; None for fewer than ten values, or when all are
    equal.

    ``least``: the smallest possible value. The studentized bootstrap does not know it, so with few values its
    interval may begin below ("An Introduction to the Bootstrap", section 12.6). That part is cut off; this does not
    change how often an interval has the mean in it. (A bootstrap of logarithms keeps intervals above 0, too. But with
    few values and a heavy tail its upper end is many times the mean, and it is right no more often.)
    """
    if len(values) < 10 or min(values) == max(values):
        return None
    all_values = np.array(values, np.float64)
    mean, error = all_values.mean(), all_values.std(ddof=1) / len(values) ** 0.5
    drawn = _grouped(all_values)
    means, errors = _samples(drawn, len(drawn))
    sound = errors > 0
    if not sound.any():
        return None
    low, high = np.quantile((means[sound] - drawn.mean()) / errors[sound], ENDS)
    return max(least, float(mean - high * error)), float(mean - low * error)


def mean_range(values: Sequence[int], count: int) -> tuple[float, float]:
    """The range in which the mean of ``count`` values, drawn from ``values``, lies in 95% of all cases."""
    means, _ = _samples(np.array(values, np.float64), count)
    low, high = np.quantile(means, ENDS)
    return float(low), float(high)


def _grouped(values: np.ndarray) -> np.ndarray:
    """The values; if there are many, the means of groups of equal size, in their order.

    Skewness and standard error of the mean stay the same, and so do the studentized quantiles up to terms smaller
    than 1 / len(values).
    """
    size = max(1, len(values) // GROUPS)
    grouped: np.ndarray = values[: len(values) // size * size].reshape(-1, size).mean(axis=1)
    return grouped


def _samples(values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Means of SAMPLES_COUNT samples of ``count`` (at least 2) values each, and their standard errors (float64)."""
    random = np.random.default_rng(SEED)
    means, errors = [], []
    batch = max(1, BATCH_VALUES // count)
    for begin in range(0, SAMPLES_COUNT, batch):
        rows = min(batch, SAMPLES_COUNT - begin)
        drawn = values[random.integers(len(values), size=(rows, count))]
        means.append(drawn.mean(axis=1))
        errors.append(drawn.std(axis=1, ddof=1) / count**0.5)
    return np.concatenate(means), np.concatenate(errors)
