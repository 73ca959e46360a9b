"""The referee: rows, moves, and games played again."""

from __future__ import annotations

import pytest
from calculation_games import random_game
from hypothesis import given
from hypothesis import strategies as st

from engines.calculation import rules
from engines.calculation.rules import DRAWN, FOUNDATIONS, Move, Position

PRINTED = {
    0: "A 2 3 4 5 6 7 8 9 T J Q K",
    1: "2 4 6 8 T Q A 3 5 7 9 J K",
    2: "3 6 9 Q 2 5 8 J A 4 7 T K",
    3: "4 8 Q 3 7 J 2 6 T A 5 9 K",
}
"""Section 1.1 of the paper."""


@pytest.mark.parametrize(("foundation", "printed"), PRINTED.items())
def test_rows_of_the_paper(foundation: int, printed: str) -> None:
    assert rules.row(foundation, 13) == tuple("A23456789TJQK".index(name) + 1 for name in printed.split())


@pytest.mark.parametrize("ranks", range(rules.RANKS_MIN, rules.RANKS_MAX + 1))
def test_rows_of_smaller_games(ranks: int) -> None:
    rows = [rules.row(foundation, ranks) for foundation in range(FOUNDATIONS)]
    assert all(sorted(row) == list(range(1, ranks + 1)) for row in rows)
    assert [row[0] for row in rows] == [1, 2, 3, 4]


def test_a_row_around_the_next_prime() -> None:
    assert rules.row(2, 8) == (3, 6, 1, 4, 7, 2, 5, 8)  # 3 6 9 1 4 7 10 2 5 8 11 without 9, 10 and 11


def test_the_pile_that_no_eleven_stacks_win() -> None:
    """Section 1.3: with eleven stacks it is lost whatever one does; twelve, a card's place each, win any pile."""
    deck = [rank for rank in [*range(2, 14), 1] for _ in range(4)]
    position = rules.start(13, 12)
    targets = {rank: list(range(FOUNDATIONS)) for rank in range(1, 14)}
    moves = []
    for rank in deck:
        foundation = targets[rank].pop()
        place = rules.row(foundation, 13).index(rank)
        move = Move(DRAWN, FOUNDATIONS + place - 1 if place else foundation)
        moves.append(move)
        position = rules.play(rules.draw(position, rank), move)
    while legal := rules.legal_moves(position):
        moves.append(legal[0])
        position = rules.play(position, legal[0])
    assert rules.replay(deck, moves, 13, 12).outcome == "won"


@given(st.integers(4, 13), st.integers(1, 5), st.integers(0, 1000))
def test_any_game_is_played_again(ranks: int, stacks: int, seed: int) -> None:
    deck, moves = random_game(ranks, stacks, seed)
    found = rules.replay(deck, moves, ranks, stacks)
    assert found.problem is None
    assert found.outcome == ("won" if found.left_count == 0 else "lost")
    assert found.draws_count == len(deck)
    assert found.left_count == sum(map(len, found.position.stacks))
    assert set(found.position.pile().values()) == {0}


@given(st.integers(4, 8), st.integers(1, 4), st.integers(0, 1000), st.data())
def test_legal_moves_are_those_that_can_be_played(
    ranks: int, stacks: int, seed: int, data: st.DataObject
) -> None:
    deck, moves = random_game(ranks, stacks, seed)
    count = data.draw(st.integers(0, len(moves) - 1))
    seen = list(rules.positions(deck, moves[:count], ranks, stacks))
    position = seen[-1] if seen else rules.start(ranks, stacks)
    if moves[count].source == DRAWN:
        position = rules.draw(position, deck[sum(move.source == DRAWN for move in moves[:count])])
    legal = set(rules.legal_moves(position))
    assert moves[count] in legal
    for source in [*range(-1, stacks + 1), DRAWN]:
        for target in range(-1, FOUNDATIONS + stacks + 1):
            move = Move(source, target)
            try:
                rules.play(position, move)
            except ValueError:
                assert move not in legal
            else:
                assert move in legal


@given(st.integers(4, 8), st.integers(1, 4), st.integers(0, 1000), st.data())
def test_the_first_illegal_move_is_named(ranks: int, stacks: int, seed: int, data: st.DataObject) -> None:
    deck, moves = random_game(ranks, stacks, seed)
    at = data.draw(st.integers(0, len(moves) - 1))
    wrong = [*moves[:at], Move(0, FOUNDATIONS), *moves[at:]]
    found = rules.replay(deck, wrong, ranks, stacks)
    assert found.problem is not None
    assert found.problem.startswith(f"move {at + 1}: ")
    assert found.outcome == "undecided"
    assert found.draws_count == sum(move.source == DRAWN for move in moves[:at])


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ([(DRAWN, 1)], "move 1: foundation 1 waits for rank 2, not 1"),
        ([(DRAWN, 6)], "move 1: there is no stack 2; stacks are 0 to 1"),
        ([(0, 0)], "move 1: stack 0 is empty"),
        ([(DRAWN, 0), (2, 0)], "move 2: there is no stack 2; stacks are 0 to 1"),
        ([(DRAWN, 4), (0, 1)], "move 2: foundation 1 waits for rank 2, not 1"),
        ([(DRAWN, 4), (0, 5)], "move 2: a card leaves a stack for a foundation only"),
        ([(DRAWN, 4)] * 17, "move 17: the pile is empty"),
    ],
)
def test_what_is_against_the_rules(moves: list[tuple[int, int]], problem: str) -> None:
    deck = [1, 2, 3, 4] * 4
    assert rules.replay(deck, [Move(*move) for move in moves], 4, 2).problem == problem


def test_a_full_foundation() -> None:
    position = Position(4, (4, 0, 0, 0), ((), ()), drawn=1)
    with pytest.raises(ValueError, match="foundation 0 is full"):
        rules.play(position, Move(DRAWN, 0))


def test_a_game_that_is_left() -> None:
    found = rules.replay([1, 2, 3, 4] * 4, [Move(DRAWN, 0)], 4, 2)
    assert (found.outcome, found.draws_count, found.left_count, found.problem) == ("undecided", 1, 15, None)


def test_a_game_that_could_go_on_is_not_lost() -> None:
    deck = [1, 2, 3, 4] * 4
    on_one_stack = [Move(DRAWN, FOUNDATIONS)] * 16
    assert (
        rules.replay(deck, on_one_stack, 4, 1).outcome == "undecided"
    )  # a 4 is on top: foundation 3 waits for it
    assert (
        rules.replay(deck, [*on_one_stack, Move(0, 3), Move(0, 2), Move(0, 1), Move(0, 0)], 4, 1).outcome
        != "won"
    )


@pytest.mark.parametrize("deck", [[1, 2, 3, 4] * 3, [1, 2, 3, 3] * 4, [1, 2, 3, 5] * 4, [0, 1, 2, 3, 4] * 4])
def test_a_wrong_deck(deck: list[int]) -> None:
    with pytest.raises(ValueError, match="rank"):
        rules.replay(deck, [], 4, 2)


def test_drawing() -> None:
    drawn = rules.draw(rules.start(4, 2), 1)
    with pytest.raises(ValueError, match="in hand"):
        rules.draw(drawn, 1)
    full = Position(4, (1, 1, 1, 1), ((1, 1, 1), ()))
    with pytest.raises(ValueError, match="no card of rank 1 left"):
        rules.draw(full, 1)
