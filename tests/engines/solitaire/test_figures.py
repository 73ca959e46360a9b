"""Figures of a sweep of deals from rows whose figures are known."""

from __future__ import annotations

import pyarrow as pa
import pytest

from engines.klondike.game import Klondike
from engines.solitaire.figures import figures
from engines.solitaire.game import Published


def rows(outcomes: list[str]) -> pa.Table:
    """Deal i took i + 1 states, half as many seconds and, when won, as many moves."""
    count = len(outcomes)
    won = [outcome == "won" for outcome in outcomes]
    return pa.table(
        {
            "outcome": outcomes,
            "elapsed_s": [(i + 1) / 2 for i in range(count)],
            "states_count": list(range(1, count + 1)),
            "moves_count": [i + 1 if won[i] else None for i in range(count)],
            "redeals_count": [i % 3 if won[i] else None for i in range(count)],
            "peak_bytes": [1000 - i for i in range(count)],
        }
    )


def test_quantiles() -> None:
    found = figures(Klondike(), rows(["won"] * 101), None)
    assert (found["states_median"], found["states_p90"], found["states_p99"]) == (51, 91, 100)
    assert (found["moves_median"], found["moves_p90"], found["moves_p99"]) == (51, 91, 100)
    assert (found["deal_s_median"], found["deal_s_p90"], found["deal_s_p99"]) == (25.5, 45.5, 50)


def test_work_is_that_of_decided_deals() -> None:
    found = figures(Klondike(), rows(["won", "lost", "undecided", "lost"]), None)
    assert (found["deals_count"], found["won_count"], found["lost_count"], found["open_count"]) == (
        4,
        1,
        2,
        1,
    )
    assert (found["states_mean"], found["states_max"]) == (pytest.approx(7 / 3), 4)
    assert (found["lost_states_min"], found["lost_states_max"]) == (2, 4)
    assert (found["moves_mean"], found["redeals_mean"], found["deal_s_max"]) == (1, 0, 2)
    assert found["search_peak_bytes"] == 1000


def test_nothing_won() -> None:
    found = figures(Klondike(), rows(["undecided", "undecided"]), Published("somebody", 0.5, 0.1))
    assert found["states_mean"] is found["states_p99"] is found["moves_median"] is None
    assert (found["published_won_share_low"], found["published_won_share_high"]) == (0.4, 0.6)
