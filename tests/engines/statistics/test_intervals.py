"""Intervals against published examples, and against scipy where it has the same."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from engines.statistics.intervals import (
    Z,
    difference,
    mcnemar,
    mean,
    paired_difference,
    t_quantile,
    wilson,
    won_shares,
)

NEWCOMBE_SINGLE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
]
"""R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven methods", Statistics
in Medicine 17, 1998, table I, method 3."""
NEWCOMBE_INDEPENDENT = [
    (56, 70, 48, 80, 0.0524, 0.3339),
    (9, 10, 3, 10, 0.1705, 0.8090),
    (10, 10, 0, 20, 0.6791, 1.0),
]
"""The same, "Interval estimation for the difference between independent proportions: comparison of eleven methods",
table II, method 10."""
NEWCOMBE_PAIRED = [
    ((36, 12, 2, 0), 0.0569, 0.3404),
    ((20, 12, 2, 16), 0.0562, 0.3292),
    ((14, 5, 0, 22), 0.0115, 0.2265),
]
"""The same, "Improved confidence intervals for the difference between binomial proportions based on paired data",
method 10; the third, and the second, with positive correlation, so that its continuity term counts. The third is table
6.2 of D. G. Altman and others, "Statistics with confidence", second edition, 2000, whose interval is 1% to 23%."""
STUDENT = [(1, 12.706), (2, 4.303), (5, 2.571), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980)]
"""Any printed table of Student's t, 97.5%."""
counts = st.integers(1, 10_000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))
cells = st.tuples(*[st.integers(0, 500)] * 4).filter(any)


@pytest.mark.parametrize(("count", "total", "low", "high"), NEWCOMBE_SINGLE)
def test_wilson_is_as_printed(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)


@given(counts)
def test_wilson_is_scipy_s(seen: tuple[int, int]) -> None:
    theirs = stats.binomtest(*seen).proportion_ci(method="wilson")
    assert wilson(*seen) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("first", "of", "second", "others", "low", "high"), NEWCOMBE_INDEPENDENT)
def test_differences_are_as_printed(
    first: int, of: int, second: int, others: int, low: float, high: float
) -> None:
    found = difference(first / of, *wilson(first, of), second / others, *wilson(second, others))
    assert found == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("pairs", "low", "high"), NEWCOMBE_PAIRED)
def test_paired_differences_are_as_printed(pairs: tuple[int, int, int, int], low: float, high: float) -> None:
    total, (_, first, second, _) = sum(pairs), pairs
    assert paired_difference(*pairs) == pytest.approx(((first - second) / total, low, high), abs=5e-5)


@given(cells)
def test_a_paired_difference_turns_round(pairs: tuple[int, int, int, int]) -> None:
    both, first, second, neither = pairs
    centre, low, high = paired_difference(both, first, second, neither)
    assert low <= centre <= high
    turned = paired_difference(both, second, first, neither)
    assert turned == pytest.approx((-centre, -high, -low), abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "p_value"),
    # Of table 6.2 above; and of A. Agresti's approval ratings ("Categorical data analysis", table 10.1).
    [(5, 0, 0.0625), (150, 86, 3.716e-05), (0, 0, 1.0), (7, 7, 1.0)],
)
def test_mcnemar_is_as_printed(first: int, second: int, p_value: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p_value, rel=5e-4)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_mcnemar_is_the_binomial_test(first: int, second: int) -> None:
    exact = stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(first, second) == pytest.approx(exact, rel=1e-9, abs=1e-250)


@pytest.mark.parametrize(("freedom", "quantile"), STUDENT)
def test_student_s_t_is_as_printed(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=5e-4)


def test_the_normal_quantile_is_the_limit_of_student_s() -> None:
    assert pytest.approx(stats.norm.ppf(0.975), abs=1e-15) == Z
    assert t_quantile(10**9) == pytest.approx(Z, abs=1e-8)


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=50))
def test_means_and_their_errors_are_scipy_s(values: list[int]) -> None:
    found = mean(values)
    assert found is not None
    assert found[0] == pytest.approx(math.fsum(values) / len(values))
    assert found[1] == pytest.approx(float(stats.sem(values)), abs=1e-6)


def test_too_few_values_have_no_interval() -> None:
    assert mean([1.0]) is None


@given(st.tuples(*[st.integers(0, 50)] * 3).filter(any))
def test_shares_hold_for_every_outcome_of_the_open_deals(outcomes: tuple[int, int, int]) -> None:
    won, lost, left = outcomes
    total = won + lost + left
    found = won_shares(won, lost, total)
    for more in range(left + 1):
        assert found["won_share_min"] <= (won + more) / total <= found["won_share_max"]
    assert found["won_share_low"] == wilson(won, total)[0]
    assert found["won_share_high"] == wilson(won + left, total)[1]


def test_pairs_that_hardly_go_together_count_as_independent() -> None:
    both, only_first, only_second, neither = 3, 2, 2, 2
    total = both + only_first + only_second + neither
    assert 0 < both * neither - only_first * only_second < total / 2
    first, second = both + only_first, both + only_second
    low, high = difference(first / total, *wilson(first, total), second / total, *wilson(second, total))
    found = paired_difference(both, only_first, only_second, neither)
    assert found == pytest.approx((first / total - second / total, low, high))
