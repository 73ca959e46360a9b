"""The Rust searches against the referee: the same answers for every combination of rules."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from klondike_helpers import ALL_RULES, k00198, position_of, small_deal, small_positions

from engines import _native
from engines.klondike import core, paper, rules
from engines.klondike.core import Mode, search
from engines.klondike.rules import REPORT, USUAL, Kind, Move, Position, Rules
from engines.solitaire.limits import Bounds
from engines.text.cards import rank_of, suit_of

SIZES = [(2, 3, 2), (2, 3, 3), (2, 4, 2), (3, 4, 2), (3, 3, 3), (2, 6, 1), (2, 3, 4)]
"""Columns, ranks and suits of deals that the referee searches here."""
LARGER = [(3, 4, 4), (4, 4, 3), (3, 5, 3), (4, 6, 2), (5, 5, 4)]
"""Of those that the plain search does."""
POSITIONS_MAX = 400
"""Of a small game that the referee searches here."""


def nearest_win(position: Position, options: Rules) -> tuple[bool, int | None]:
    """Whether the referee could search it all, and the fewest moves to the last card."""
    is_small = (
        len(list(itertools.islice(rules.reachable(position, options), POSITIONS_MAX + 1))) <= POSITIONS_MAX
    )
    return is_small, rules.shortest(position, options) if is_small else None


def moves_to_sure_win(position: Position, options: Rules, moves: Sequence[Move]) -> int:
    """How many of the moves lead to a sure win; after them nothing but cards goes up, each of them once."""
    count = 0
    while not rules.is_won(position):
        position = rules.play(position, moves[count], options)
        count += 1
    left_count = rules.cards_left(position)
    stuck = position.stock and options.draw == 3 and options.redeal_rule == "carry" and not options.deal_last
    end = rules.replay(position, moves[count:], options)
    assert rules.cards_left(end) == 0 or stuck
    assert stuck or len(moves) - count == left_count + len(position.stock)
    return count


def check(position: Position, options: Rules, depth: int | None) -> None:
    """All searches must give the referee's answer."""
    for mode in Mode:
        found = search(position, options, mode, Bounds())
        assert found.outcome == ("lost" if depth is None else "won"), (mode, options, position)
        assert (found.limit, found.moves is None) == (None, depth is None)
        if found.moves is not None:
            assert found.counts["redeals_count"] == sum(move.kind == Kind.REDEAL for move in found.moves)
            sure = moves_to_sure_win(position, options, found.moves)
            if mode == Mode.shortest:
                redeals = sum(move.kind == Kind.REDEAL for move in found.moves[:sure])
                to_end = rules.moves_to_end(rules.replay(position, found.moves[:sure], options))
                assert sure - redeals + to_end == depth, (options, position)
                assert found.fewest_count == found.moves_count


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


def test_a_surely_won_position_is_played_to_the_last_card() -> None:
    end = position_of(paper.example("k00198-won.deal"))
    for mode in Mode:
        found = search(end, REPORT, mode, Bounds())
        assert found.moves is not None
        assert rules.cards_left(rules.replay(end, found.moves, REPORT)) == 0
        assert (found.outcome, found.counts["redeals_count"]) == ("won", 0)
        # Cards that are left, and a draw.
        assert found.moves_count == len(found.moves) == rules.cards_left(end) + 1


def test_a_last_card_that_is_never_dealt_is_told() -> None:
    end = position_of("stock: C2", "foundations: H3", "0: | C3", "1: | CA")
    found = search(end, replace(REPORT, deal_last=False), Mode.decide, Bounds())
    assert (found.outcome, found.moves_count) == ("won", 1)
    assert (
        found.remark
        == "2 cards are left to go up, 2 of them never, as the last one of the stock is not dealt"
    )


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
    found = search(k00198(), REPORT, mode, bounds)
    assert (found.outcome, found.limit, found.moves) == ("undecided", limit, None)
    assert found.cpu_s < 20
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
    # Surely won after the first move already: what follows is the way to the end.
    found, end = core.check_win(start, moves, REPORT)
    assert (found[0], len(found), rules.cards_left(end)) == (moves[0], 5, 0)
    with pytest.raises(RuntimeError, match="against the rules: move 1: C3 cannot"):
        core.check_win(start, (Move(Kind.COLUMN_FOUNDATION, 0),), REPORT)
    with pytest.raises(RuntimeError, match="does not end in a win"):
        core.check_win(start, (), REPORT)
