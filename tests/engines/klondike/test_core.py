"""The Rust searches against the referee: the same answers for every combination of rules."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from klondike_helpers import ALL_RULES, k00198, position_of, small_deal, small_positions

from engines import _native
from engines.klondike import core, paper, rules
from engines.klondike.core import Mode, search
from engines.klondike.rules import Kind, Move, Position, RedealRule, Rules
from engines.solitaire.limits import Bounds
from engines.text.cards import rank_of, suit_of

USUAL = Rules(redeal_rule=RedealRule.standard, foundation_back=True)
SIZES = [(2, 3, 2), (2, 3, 3), (2, 4, 2), (3, 4, 2), (3, 3, 3), (2, 6, 1), (2, 3, 4)]
"""Columns, ranks and suits of deals that the referee searches here."""
LARGER = [(3, 4, 4), (4, 4, 3), (3, 5, 3), (4, 6, 2), (5, 5, 4)]
"""Of those that the plain search does."""
POSITIONS_MAX = 400
"""Of a small game that the referee searches here."""


def nearest_win(position: Position, options: Rules) -> tuple[bool, int | None]:
    """Whether the referee could search it all, and the fewest moves to a win."""
    for count, (each, depth) in enumerate(rules.reachable(position, options)):
        if rules.is_won(each):
            return True, depth
        if count == POSITIONS_MAX:
            return False, None
    return True, None


def check(position: Position, options: Rules, depth: int | None) -> None:
    """All searches must give the referee's answer."""
    for mode in Mode:
        found = search(position, options, mode, Bounds())
        assert found.outcome == ("lost" if depth is None else "won"), (mode, options, position)
        assert (found.limit, found.moves is None) == (None, depth is None)
        if found.moves is not None:
            assert found.counts["redeals_count"] == sum(move.kind == Kind.REDEAL for move in found.moves)
        if mode == Mode.shortest:
            assert found.moves_count == depth, (options, position)


@pytest.mark.parametrize("options", ALL_RULES, ids=repr)
def test_small_deals_have_the_referee_s_answer(options: Rules) -> None:
    chance = random.Random(repr(options))
    outcomes: list[bool] = []
    while len(outcomes) < 4 or not any(outcomes):
        deal = small_deal(chance, *chance.choice(SIZES))
        whole, depth = nearest_win(deal, options)
        if whole:
            check(deal, options, depth)
            outcomes.append(depth is not None)


@pytest.mark.parametrize("options", ALL_RULES, ids=repr)
def test_larger_deals_have_the_plain_search_s_answer(options: Rules) -> None:
    chance = random.Random(repr(options))
    for _ in range(12):
        deal = small_deal(chance, *chance.choice(LARGER))
        expected = search(deal, options, Mode.plain, Bounds(states_count=20_000))
        if expected.limit is None:
            assert search(deal, options, Mode.decide, Bounds()).outcome == expected.outcome, (options, deal)


@given(small_positions())
@settings(max_examples=50, deadline=None)
def test_positions_within_small_games_have_the_referee_s_answer(game: tuple[Position, Rules]) -> None:
    position, options = game
    whole, depth = nearest_win(position, options)
    if whole:
        check(position, options, depth)


def test_redeals_of_the_position_count() -> None:
    """A limit is one of the whole game: what was used before the position is used up."""
    options = Rules(draw=1, redeals=1)
    needs = position_of("waste: C2 C5", "0: | C3", "1: C4 | CA")
    for used, outcome in ((0, "won"), (1, "lost")):
        at = replace(needs, redeals_count=used)
        assert (rules.shortest(at, options) is None) == (outcome == "lost")
        assert search(at, options, Mode.decide, Bounds()).outcome == outcome


def test_a_win_from_whole_deals() -> None:
    outcomes = set()
    for index in range(6):
        found = search(core.random_deal(1, index), USUAL, Mode.decide, Bounds(states_count=300_000))
        outcomes.add(found.outcome)
        assert found.effort_count > 0
        assert found.peak_bytes > 0
        assert (found.limit is None) == (found.outcome != "undecided")
    assert "won" in outcomes


def test_a_won_position_needs_no_move() -> None:
    end = position_of(paper.example("k00198-won.deal"))
    for mode in Mode:
        found = search(end, Rules(), mode, Bounds())
        assert (found.outcome, found.moves, found.counts["redeals_count"]) == ("won", (), 0)


@pytest.mark.parametrize(
    ("bounds", "limit"),
    [
        (Bounds(states_count=100), "states"),
        (Bounds(memory_bytes=1 << 20), "memory"),
        (Bounds(time_s=0.001), "time"),
    ],
)
@pytest.mark.parametrize("mode", Mode)
def test_limits_give_undecided(bounds: Bounds, limit: str, mode: Mode) -> None:
    found = search(k00198(), Rules(), mode, bounds)
    assert (found.outcome, found.limit, found.moves) == ("undecided", limit, None)
    assert found.elapsed_s < 20
    if bounds.states_count is not None:
        assert found.effort_count <= bounds.states_count


def test_random_deals_are_those_of_the_seed() -> None:
    deal = core.random_deal(1, 7)
    assert rules.problem(deal) is None
    deck = _native.shuffled_deck(1, 7, 52).tolist()
    first, last = deal.columns[0][0], deal.stock[-1]
    assert (suit_of(first), rank_of(first)) == (deck[0] // 13, deck[0] % 13 + 1)
    assert (suit_of(last), rank_of(last)) == (deck[51] // 13, deck[51] % 13 + 1)
    assert [len(column) for column in deal.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert core.random_deal(1, 8) != deal != core.random_deal(2, 7)


def test_the_referee_has_the_last_word() -> None:
    start = position_of("0: | C3", "1: CA | D2", "2: | D3 C2", "foundations: DA")
    moves = (Move(Kind.COLUMN_FOUNDATION, 1), Move(Kind.COLUMN_FOUNDATION, 1))
    # Won after the first move already: what follows is left out.
    assert core.check_win(start, moves, Rules()) == moves[:1]
    with pytest.raises(RuntimeError, match="against the rules: move 1: C3 cannot"):
        core.check_win(start, (Move(Kind.COLUMN_FOUNDATION, 0),), Rules())
    with pytest.raises(RuntimeError, match="does not end in a win"):
        core.check_win(start, (), Rules())
