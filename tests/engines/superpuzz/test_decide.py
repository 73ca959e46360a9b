"""Decide against the census: whatever it leaves out or puts together, it must decide the same."""

from __future__ import annotations

import pytest
from superpuzz_helpers import as_deal, figure, random_positions

from engines.solitaire.limits import Bounds
from engines.superpuzz import core
from engines.superpuzz.core import Mode
from engines.superpuzz.rows import format_deal

FREE = Bounds()


@pytest.mark.parametrize(("columns", "count"), [(2, 500), (3, 1500), (4, 200), (5, 20)])
def test_it_decides_as_the_census_does(columns: int, count: int) -> None:
    """Deals, and positions some moves into them with holes anywhere; solutions are replayed on the way."""
    outcomes = set()
    for position in random_positions(columns, count, seed=100 + columns):
        deal = as_deal(position)
        census, found = (core.search(deal, mode, FREE) for mode in (Mode.census, Mode.decide))
        assert found.outcome == census.outcome, format_deal(deal)
        assert found.limit is None
        outcomes.add(found.outcome)
    assert outcomes == ({"won"} if columns == 2 else {"won", "lost"})


def test_the_paper_s_deals() -> None:
    for name, outcome in (("1", "won"), ("6a", "lost"), ("7", "won")):
        assert core.search(figure(name), Mode.decide, FREE).outcome == outcome


def test_limits_end_it_undecided() -> None:
    for bounds, limit in ((Bounds(states_count=1000), "states"), (Bounds(time_s=0.05), "time")):
        found = core.search(figure("6b"), Mode.decide, bounds)
        assert (found.outcome, found.limit, found.moves) == ("undecided", limit, None)
