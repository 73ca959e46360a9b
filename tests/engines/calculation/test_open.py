"""The search of Calculation with the whole pile known, against trying everything."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from calculation_open_decks import NAMES, ROWS, can_be_won, replay, shuffled
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import _native
from engines.calculation import open as calculation
from engines.calculation import rules
from engines.calculation.core import random_deck
from engines.calculation.rules import Move
from engines.solitaire.found import Found
from engines.solitaire.limits import Bounds


def found(deck: Sequence[int], stacks: int) -> Found[Move]:
    answer = calculation.search(deck, stacks, Bounds())
    assert answer.limit is None
    assert (answer.moves is not None) == (answer.outcome == "won")
    if answer.moves is not None:
        assert replay(deck, stacks, answer.moves)
        assert answer.moves_count == len(answer.moves)
    return answer


@pytest.mark.parametrize(
    ("ranks", "stacks", "late_count", "decks_count"),
    [
        (4, 1, 0, 200),
        (4, 1, 12, 200),
        (4, 2, 0, 100),
        (4, 3, 0, 40),
        (4, 4, 0, 20),
        (4, 5, 0, 20),
        (5, 1, 0, 15),
        (5, 1, 8, 50),
        (5, 2, 0, 10),
        (6, 1, 12, 25),
    ],
)
def test_as_trying_everything_finds(ranks: int, stacks: int, late_count: int, decks_count: int) -> None:
    chance = random.Random(100 * ranks + 10 * stacks + late_count)
    outcomes = {True: 0, False: 0}
    for _ in range(decks_count):
        deck = shuffled(chance, ranks, late_count)
        expected = can_be_won(deck, stacks)
        assert (found(deck, stacks).outcome == "won") == expected, (deck, stacks)
        outcomes[expected] += 1
    assert outcomes[True]
    assert outcomes[False] or stacks > 1 or late_count == 0


@given(st.permutations([rank for rank in range(1, 6) for _ in range(4)]), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_what_fewer_stacks_win_more_do(deck: list[int], stacks: int) -> None:
    if found(deck, stacks).outcome == "won":
        assert found(deck, stacks + 1).outcome == "won"


@given(st.permutations([rank for rank in range(1, 14) for _ in range(4)]), st.integers(3, 5))
@settings(max_examples=25, deadline=None)
def test_whole_decks(deck: list[int], stacks: int) -> None:
    found(deck, stacks)


def test_rows() -> None:
    for ranks, expected in ROWS.items():
        written = ["".join(NAMES[rank] for rank in rules.row(f, ranks)) for f in range(4)]
        assert written == expected


@pytest.mark.parametrize("stacks", [1, 2, 3, 4])
def test_the_deck_that_is_lost_with_eleven_stacks(stacks: int) -> None:
    """Of the paper, section 1.3."""
    deck = [rank for rank in (*range(2, 14), 1) for _ in range(4)]
    assert found(deck, stacks).outcome == "lost"


def test_decks_of_a_seed() -> None:
    deck = random_deck(3, 5, 13)
    assert deck == tuple(n // 4 + 1 for n in _native.shuffled_deck(3, 5, 52).tolist())
    assert sorted(random_deck(3, 5, 7)) == [rank for rank in range(1, 8) for _ in range(4)]


@pytest.mark.parametrize(
    ("bounds", "limit"),
    [
        (Bounds(states_count=100), "states"),
        (Bounds(memory_bytes=1 << 20), "memory"),
        (Bounds(time_s=1e-9), "time"),
    ],
)
def test_limits_leave_a_deck_undecided(bounds: Bounds, limit: str) -> None:
    deck = random_deck(1, 0, 13)
    answer = calculation.search(deck, 2, bounds)
    assert (answer.outcome, answer.limit, answer.moves) == ("undecided", limit, None)
    assert answer.effort_count <= (bounds.states_count or answer.effort_count)
    assert answer.peak_bytes <= (bounds.memory_bytes or answer.peak_bytes)


@pytest.mark.parametrize(
    ("deck", "stacks", "message"),
    [
        ([1, 2, 3], 2, "deck: 3 cards"),
        ([], 2, "deck: 0 cards"),
        ([1] * 16, 2, "deck: rank 1 is there 16 times"),
        ([*range(1, 14)] * 3 + [*range(2, 15)], 2, "deck: rank 1 is there 3 times"),
        ([1, 2, 3, 0] * 4, 2, "deck: rank 4 is there 0 times"),
        ([1, 2, 3, 4] * 4, 0, "stacks: 0 is not in 1..5"),
        ([1, 2, 3, 4] * 4, 6, "stacks: 6 is not in 1..5"),
    ],
)
def test_what_is_out_of_range_is_named(deck: list[int], stacks: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        calculation.search(deck, stacks, Bounds())


def test_every_second_card_is_no_deck() -> None:
    cards = np.array([rank for rank in (1, 2, 3, 4) for _ in range(8)], np.uint8)
    with pytest.raises(ValueError, match="deck: not contiguous"):
        _native.calculation_open(cards[::2], stacks=2)


WON = [1, 2, 3, 4] * 4


def wrong(moves: list[Move]) -> list[list[Move]]:
    """Games that are none, made of one that is."""
    return [
        moves[:-1],
        [*moves, Move(255, 0)],
        [*moves, Move(0, 0)],
        [Move(255, 1), *moves[1:]],
        [Move(0, 0), *moves],
        [Move(255, 4), Move(0, 5), *moves[1:]],
    ]


def test_a_solution_that_is_none_does_not_leave() -> None:
    moves = calculation.search(WON, 2, Bounds()).moves
    assert moves is not None
    calculation.check_win(WON, 2, moves)
    for other in wrong(list(moves)):
        with pytest.raises(RuntimeError, match="the core's solution"):
            calculation.check_win(WON, 2, other)
