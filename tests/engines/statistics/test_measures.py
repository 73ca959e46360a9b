"""What is told of a measure: no mean that cannot be is in its interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.statistics.bootstrap import mean_interval
from engines.statistics.measures import mean_intervals, quantiles, spread


def test_means_extremes_and_quantiles() -> None:
    values = [float(value) for value in range(1, 102)]
    assert spread("x", values) == {"x_mean": 51.0, "x_min": 1.0, "x_max": 101.0}
    assert quantiles("x", values) == {"x_median": 51.0, "x_p90": 91.0, "x_p99": 100.0}
    assert mean_intervals([("x", values)]) == dict(
        zip(("x_mean_low", "x_mean_high"), mean_interval(values) or (), strict=True)
    )


def test_of_nothing_nothing_is_told() -> None:
    assert set((spread("x", []) | quantiles("x", []) | mean_intervals([("x", [])])).values()) == {None}


@pytest.mark.parametrize("size", [10, 12, 20, 50])
def test_an_interval_of_few_values_with_a_heavy_tail_begins_at_0(size: int) -> None:
    random, cut = np.random.default_rng(size), 0
    for values in random.lognormal(0, 3, (20, size)).tolist():
        found = mean_intervals([("states", values)])
        low, high = found["states_mean_low"], found["states_mean_high"]
        assert low is not None
        assert high is not None
        assert 0 <= low <= np.mean(values) <= high
        cut += low == 0
    assert cut > 0 or size > 20


@given(st.lists(st.integers(0, 10**12), min_size=10, max_size=30).filter(lambda values: len(set(values)) > 1))
def test_no_interval_reaches_below_0(values: list[int]) -> None:
    found = mean_interval(values)
    if found is not None:
        assert 0 <= found[0] <= found[1]
