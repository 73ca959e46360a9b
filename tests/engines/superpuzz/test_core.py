"""The Rust searches against the referee, and against what is known of the paper's deals."""

from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest
from superpuzz_helpers import as_deal, figure, random_positions, walk

from engines import _native
from engines.solitaire.limits import Bounds
from engines.superpuzz import core, paper, rules
from engines.superpuzz.core import Mode
from engines.superpuzz.options import Order
from engines.superpuzz.rows import format_deal
from engines.superpuzz.rules import Position

FREE = Bounds()


def small_positions() -> list[Position]:
    """Deals and positions with holes anywhere, small enough for the referee's search."""
    some = random_positions(2, 200, seed=1) + random_positions(3, 60, seed=2)
    fours = random_positions(4, 60, seed=3)
    # Late in a game little is left to find.
    fours += [walk(each, random.Random(i), 200)[1] for i, each in enumerate(random_positions(4, 300, seed=4))]
    fives = [walk(each, random.Random(i), 400)[1] for i, each in enumerate(random_positions(5, 200, seed=5))]
    limit = 8_000
    return some + [
        state
        for state in fours + fives
        if core.search(as_deal(state), Mode.census, Bounds(states_count=limit)).effort_count < limit
    ]


def test_a_census_counts_as_the_referee_does() -> None:
    positions = small_positions()
    assert len(positions) > 500
    sizes = set()
    for state in positions:
        depths = dict(rules.reachable(state))
        wins = [depth for each, depth in depths.items() if rules.is_won(each)]
        sizes.add(len(depths))
        deal = as_deal(state)
        for order in Order:
            found = core.search(deal, Mode.census, FREE, order)
            assert (found.effort_count, found.counts["wins_count"]) == (len(depths), len(wins)), format_deal(
                deal
            )
            assert found.outcome == ("won" if wins else "lost")
            assert found.limit is None
        shortest = core.search(deal, Mode.shortest, FREE)
        assert shortest.outcome == found.outcome
        assert found.moves_count == shortest.moves_count == (min(wins) if wins else None)
        assert shortest.fewest_count == shortest.moves_count
        assert (found.counts["states_before_win_count"] is None) == (not wins)
    assert len(sizes) > 50


def test_figure_7() -> None:
    for order in Order:
        found = core.search(figure("7"), Mode.census, FREE, order)
        assert (found.effort_count, found.counts["wins_count"]) == (
            paper.FIGURE_7_STATES_COUNT,
            paper.FIGURE_7_WINS_COUNT,
        )
    assert found.moves_count is not None
    assert found.moves_count < 46


def test_figure_6a_has_no_win() -> None:
    found = core.search(figure("6a"), Mode.census, FREE, Order.breadth)
    assert (found.outcome, found.effort_count, found.counts["wins_count"]) == (
        "lost",
        paper.FIGURE_6A_STATES_COUNT,
        0,
    )


@pytest.mark.parametrize("mode", [Mode.census, Mode.shortest])
def test_limits_end_a_search_undecided(mode: Mode) -> None:
    deal = figure("6a")
    for bounds, limit in (
        (Bounds(states_count=1000), "states"),
        (Bounds(memory_bytes=1 << 20), "memory"),
        (Bounds(time_s=0.1), "time"),
    ):
        found = core.search(deal, mode, bounds)
        assert (found.outcome, found.limit, found.moves) == ("undecided", limit, None)
        assert found.effort_count > 0
        assert found.cpu_s < 5
        if limit == "states":
            assert found.effort_count <= 1000
        if limit == "memory":
            assert found.peak_bytes <= 1 << 20


def test_a_limit_leaves_the_best_solution_and_a_bound() -> None:
    deal = core.random_deal(1, 0, 7)
    whole = core.search(deal, Mode.shortest, FREE)
    assert (whole.outcome, whole.limit, whole.fewest_count) == ("won", None, whole.moves_count)
    part = core.search(deal, Mode.shortest, Bounds(states_count=whole.effort_count - 1))
    assert (part.outcome, part.limit) == ("won", "states")
    counts = [part.fewest_count, whole.moves_count, part.moves_count]
    assert None not in counts
    assert counts == sorted(counts, key=lambda count: count or 0)


def test_a_won_deal_has_no_moves() -> None:
    won = figure("7")
    moves = core.search(won, Mode.shortest, FREE).moves
    assert moves is not None
    end = as_deal(rules.replay(won.position, moves))
    for mode in (Mode.census, Mode.shortest):
        found = core.search(end, mode, FREE)
        assert (found.outcome, found.moves) == ("won", ())


@pytest.mark.parametrize("moves", [[], [[0, 1]], [[5, 4]]])
def test_a_wrong_solution_of_the_core_does_not_get_out(
    monkeypatch: pytest.MonkeyPatch, moves: list[list[int]]
) -> None:
    result = SimpleNamespace(
        outcome="won",
        limit=None,
        states_count=1,
        wins_count=1,
        states_before_win_count=1,
        fewest_count=None,
        peak_bytes=1,
        elapsed_s=0.0,
        moves=np.array(moves, np.uint8).reshape(-1, 2),
    )
    monkeypatch.setattr(_native, "superpuzz_census", lambda *_, limits: result)
    with pytest.raises(RuntimeError, match="the core's solution"):
        core.search(figure("7"), Mode.census, FREE)


def test_random_deals_are_pinned() -> None:
    """Deal 0 of seed 1, written down once; ``test_deck`` has the second implementation of the shuffle."""
    assert format_deal(core.random_deal(1, 0, 2), " / ") == "CA D2 / SA HA / C2 S2 / DA H2"
    assert format_deal(core.random_deal(1, 0, 13)).split("\n") == [
        "SK S4 D0 C3 H0 D9 CA HK DK DA SJ CQ CJ",
        "C2 D8 H5 S2 SA DQ D4 H9 S9 C5 C8 D6 DJ",
        "H8 H2 C7 C4 H6 HA D3 C0 S0 D5 H4 S5 H3",
        "CK C6 C9 HJ S6 S7 S3 HQ SQ D2 S8 D7 H7",
    ]
