"""The best play without seeing the pile: the core beside the referee, and the job."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial

import pytest
import run_helpers
from run_helpers import rows_of, summary

from engines.calculation import rules
from engines.calculation.best import best
from engines.calculation.chance import chance
from engines.calculation.rules import COPIES, FOUNDATIONS, Position
from engines.solitaire.limits import Bounds

run_of = partial(run_helpers.run_of, "calculation_best")


def played(ranks: int, stacks: int, left_count: int, stream: random.Random) -> Position:
    """A position with so many cards in the pile, after plays by chance that like foundations."""
    position = rules.start(ranks, stacks)
    for _ in range(COPIES * ranks - left_count):
        pile = [rank for rank, count in position.pile().items() for _ in range(count)]
        position = rules.draw(position, stream.choice(pile))
        moves = rules.legal_moves(position)
        to_foundations = [move for move in moves if move.target < FOUNDATIONS]
        position = rules.play(position, stream.choice(to_foundations or moves))
        while (moves := rules.legal_moves(position)) and stream.random() < 0.8:
            position = rules.play(position, stream.choice(moves))
    return position


def test_the_core_finds_what_the_referee_finds() -> None:
    stream, found = random.Random(8), []
    for ranks, stacks, left_count in [(4, 1, 4), (4, 2, 4), (5, 1, 4), (5, 2, 4), (6, 1, 3), (6, 2, 3)]:
        for _ in range(8):
            position = played(ranks, stacks, left_count, stream)
            found.append(chance(position))
            assert best(position, Bounds()).chance == found[-1], position
    assert {0, 1} < set(found)


def test_a_card_that_may_come_too_early() -> None:
    # Foundation 0 waits for 3 and 4, the last two in the pile; the only stack has room for a 4 that comes first.
    assert best(Position(4, (2, 4, 4, 4), ((),)), Bounds()).chance == 1
    # It waits for all, with 2 on the only stack: 3 and 4 over it could never leave.
    position = Position(4, (0, 4, 4, 4), ((2,),))
    assert best(position, Bounds()).chance == chance(position) == Fraction(1, 3)


def test_limits_leave_it_undecided() -> None:
    found = best(rules.start(4, 2), Bounds(states_count=1000))
    assert (found.wins_count, found.limit, found.chance) == (None, "states", None)
    assert found.orders_count == 63_063_000


def test_what_is_out_of_range_is_named() -> None:
    with pytest.raises(ValueError, match="ranks: 7 is not in"):
        best(rules.start(7, 2), Bounds())
    with pytest.raises(ValueError, match="stacks: 6 is not in"):
        best(rules.start(4, 6), Bounds())


@pytest.mark.usefixtures("workspace")
def test_the_job() -> None:
    run = run_of("ranks=4", "stacks=3", "limits.states=100")
    (row,) = rows_of(run)
    assert (row["outcome"], row["limit"], row["won_orders_count"]) == ("undecided", "states", None)
    run = run_of("ranks=4", "stacks=3", "limits.states=100000")
    (row,) = rows_of(run)
    assert (row["outcome"], row["limit"]) == (None, None)
    assert Fraction(row["won_orders_count"], row["orders_count"]) == 1
    assert summary(run)["won_orders_count"] == row["won_orders_count"]
