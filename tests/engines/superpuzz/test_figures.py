"""Shares and means of Superpuzz's deals, and the paper's beside them."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from engines.solitaire.figures import figures, measures
from engines.statistics.intervals import mean, wilson
from engines.superpuzz import paper
from engines.superpuzz.figures import beside_paper
from engines.superpuzz.game import Superpuzz


def rows(*values: tuple[str, int, int | None]) -> pa.Table:
    """Outcome, states and moves of each deal."""
    return pa.Table.from_pylist(
        [
            {
                "outcome": outcome,
                "elapsed_s": states / 1000,
                "states_count": states,
                "moves_count": moves,
                "wins_count": None,
                "states_before_win_count": None if moves is None else states // 2,
                "peak_bytes": states * 10,
            }
            for outcome, states, moves in values
        ],
        schema=pa.schema(
            [
                ("outcome", pa.string()),
                ("elapsed_s", pa.float64()),
                ("states_count", pa.int64()),
                ("moves_count", pa.int32()),
                ("wins_count", pa.int32()),
                ("states_before_win_count", pa.int64()),
                ("peak_bytes", pa.int64()),
            ]
        ),
    )


def test_open_deals_widen_the_share_and_stay_out_of_the_mean() -> None:
    values = ("won", 10, 4), ("won", 30, 6), ("lost", 20, None), ("undecided", 999, None)
    found = figures(Superpuzz(), rows(*values), None)
    assert (found["won_count"], found["lost_count"], found["open_count"]) == (2, 1, 1)
    assert (found["won_share_min"], found["won_share_max"]) == (0.5, 0.75)
    assert found["won_share_low"] == wilson(2, 4)[0]
    assert found["won_share_high"] == wilson(3, 4)[1]
    assert (found["states_mean"], found["states_min"], found["states_max"]) == (20, 10, 30)
    assert found["moves_mean"] == 5
    assert found["states_before_win_mean"] == 10
    assert (found["lost_states_mean"], found["lost_states_max"]) == (20, 20)
    told = dict(measures(Superpuzz(), rows(*values)))
    assert (told["states"], told["lost_states"], told["moves"]) == ([10, 30, 20], [20], [4, 6])
    # Only a census counts wins.
    assert found["wins_mean"] is found["wins_median"] is found["wins_max"] is None
    assert found["search_peak_bytes"] == 9990
    assert not any(name.startswith("paper") for name in found)
    assert all(value is None or isinstance(value, int | float | str) for value in found.values())


def test_a_census_that_hit_a_limit_has_its_win_but_not_its_states() -> None:
    values = rows(("won", 10, 4), ("undecided", 999, 6))
    found = figures(Superpuzz(), values, None)
    assert (found["won_count"], found["open_count"]) == (2, 0)
    assert (found["states_mean"], found["moves_mean"]) == (10, 5)
    assert beside_paper(4, values)["states_z"] is None


def test_the_paper_s_row_stands_beside_a_census() -> None:
    values = [("lost", paper.TABLE_1[4].states_mean + d, None) for d in (-30, -10, 0, 10, 30 + 500)]
    found = beside_paper(4, rows(*values, ("undecided", 10**9, None)))
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
