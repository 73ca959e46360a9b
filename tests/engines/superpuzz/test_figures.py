"""Shares, means and their intervals."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from engines.statistics.intervals import mean, wilson
from engines.superpuzz import paper
from engines.superpuzz.figures import figures


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    # Newcombe (1998), table I, and the limits of nothing and all.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)
    mirrored = wilson(total - count, total)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_mean() -> None:
    assert mean([2.0, 4.0, 6.0]) == pytest.approx((4.0, 2 / math.sqrt(3)))
    assert mean([1.0]) is None


def rows(*values: tuple[str, int, int | None]) -> pa.Table:
    """Outcome, states and moves of each deal."""
    return pa.Table.from_pylist(
        [
            {
                "outcome": outcome,
                "states_count": states,
                "moves_count": moves,
                "states_before_win_count": None if moves is None else states // 2,
                "peak_bytes": states * 10,
            }
            for outcome, states, moves in values
        ],
        schema=pa.schema(
            [
                ("outcome", pa.string()),
                ("states_count", pa.int64()),
                ("moves_count", pa.int32()),
                ("states_before_win_count", pa.int64()),
                ("peak_bytes", pa.int64()),
            ]
        ),
    )


def test_open_deals_widen_the_share_and_stay_out_of_the_mean() -> None:
    found = figures(
        13, "decide", rows(("won", 10, 4), ("won", 30, 6), ("lost", 20, None), ("undecided", 999, None))
    )
    assert (found["won_count"], found["lost_count"], found["open_count"]) == (2, 1, 1)
    assert (found["won_share_min"], found["won_share_max"]) == (0.5, 0.75)
    assert found["won_share_low"] == wilson(2, 4)[0]
    assert found["won_share_high"] == wilson(3, 4)[1]
    assert (found["states_mean"], found["states_min"], found["states_max"]) == (20, 10, 30)
    assert found["states_mean_high"] - 20 == pytest.approx(1.96 * 10 / math.sqrt(3), rel=1e-3)
    assert found["states_mean_low"] + found["states_mean_high"] == pytest.approx(40)
    assert found["moves_mean"] == 5
    assert found["states_before_win_mean"] == 10
    assert (found["lost_states_mean"], found["lost_states_max"], found["lost_states_mean_low"]) == (
        20,
        20,
        None,
    )
    assert found["search_peak_bytes"] == 9990
    assert not any(name.startswith("paper") for name in found)
    assert all(value is None or isinstance(value, int | float | str) for value in found.values())


def test_a_census_that_hit_a_limit_has_its_win_but_not_its_states() -> None:
    found = figures(4, "census", rows(("won", 10, 4), ("undecided", 999, 6)))
    assert (found["won_count"], found["open_count"]) == (2, 0)
    assert found["states_mean"] == 10
    assert (found["moves_mean"], found["states_z"]) == (5, None)


def test_the_paper_s_row_stands_beside_a_census() -> None:
    values = [("lost", paper.TABLE_1[4].states_mean + d, None) for d in (-30, -10, 0, 10, 30 + 500)]
    found = figures(4, "census", rows(*values))
    assert (found["paper_deals_count"], found["paper_states_mean"], found["paper_lost_count"]) == (
        100,
        47452,
        11,
    )
    ours = mean([float(states) for _, states, _ in values])
    assert ours is not None
    # Standard errors of both add in squares; the paper's has our spread and 100 deals.
    error = ours[1] * math.sqrt(1 + 5 / 100)
    assert found["states_z"] == pytest.approx((ours[0] - 47452) / error)
