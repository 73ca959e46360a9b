"""Intervals of means whose distribution is skewed, drawn from the values themselves.

Numbers of states have a heavy tail on the right: a few deals make up most of the mean, and a normal interval is too
low at both ends. Their logarithms are not normal either, for many lost deals have a handful of states. So no shape is
assumed: the interval is the bootstrap's, studentized, since means and standard errors of skewed values go together
(Efron and Tibshirani, "An Introduction to the Bootstrap", section 12.5). scipy has no studentized one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

SAMPLES_COUNT = 10_000
SEED = 1
BATCH_VALUES = 1 << 20
"""Values that are drawn at a time."""
GROUPS = 1000
"""Of twice as many values and more, means of so many groups are drawn."""
ENDS = (0.025, 0.975)
"""Quantiles of a 95% interval."""


def mean_interval(values: Sequence[float], least: float = 0.0) -> tuple[float, float] | None:
    """95% interval of the mean that random ``values`` were drawn from; None for fewer than ten or all alike.

    ``least``: below it no value can be. The interval of few values may begin there, which the studentized bootstrap
    does not know ("An Introduction to the Bootstrap", section 12.6). It is cut off: what cannot be the mean takes
    nothing from how often an interval has it. (Logarithms, drawn instead, keep intervals above 0 too, but of few values
    with a heavy tail the upper end is then many times the mean, and it is not right more often.)
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
    """Between which the mean of ``count`` values, drawn from ``values``, lies in 95% of all cases."""
    means, _ = _samples(np.array(values, np.float64), count)
    low, high = np.quantile(means, ENDS)
    return float(low), float(high)


def _grouped(values: np.ndarray) -> np.ndarray:
    """The values, or of many the means of groups of as many each, in their order.

    Skewness and standard error of the mean are the same by either, and with them the studentized quantiles up to terms
    that are smaller than 1 / len(values).
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
