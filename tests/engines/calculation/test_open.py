"""The search of Calculation with the whole pile known, against trying everything."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import _native
from engines.calculation import open as calculation
from engines.search import Bounds

ROWS = {
    4: ["1234", "2413", "3142", "4321"],
    5: ["12345", "24135", "31425", "43215"],
    13: ["123456789TJQK", "2468TQ13579JK", "369Q258J147TK", "48Q37J26T159K"],
}
"""Written out: for 13 ranks as the rules are printed."""
NAMES = " 123456789TJQK"


def rows(ranks: int) -> list[list[int]]:
    return [[NAMES.index(name) for name in row] for row in ROWS[ranks]]


def can_be_won(deck: Sequence[int], stacks: int) -> bool:
    """By trying everything that the rules allow, each position once."""
    ranks = len(deck) // 4
    needed = [[*row, 0] for row in rows(ranks)]
    seen = set()
    todo: list[tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]]] = [(0, (0,) * 4, ((),) * stacks)]
    while todo:
        position = todo.pop()
        drawn_count, heights, piles = position
        if sum(heights) == len(deck):
            return True
        if position in seen:
            continue
        seen.add(position)
        for foundation in range(4):
            rank = needed[foundation][heights[foundation]]
            raised = tuple(height + (f == foundation) for f, height in enumerate(heights))
            if drawn_count < len(deck) and deck[drawn_count] == rank:
                todo.append((drawn_count + 1, raised, piles))
            for pile in range(stacks):
                if piles[pile][-1:] == (rank,):
                    rest = (*piles[:pile], piles[pile][:-1], *piles[pile + 1 :])
                    todo.append((drawn_count, raised, tuple(sorted(rest))))
        if drawn_count < len(deck):
            for pile in range(stacks):
                more = (*piles[:pile], (*piles[pile], deck[drawn_count]), *piles[pile + 1 :])
                todo.append((drawn_count + 1, heights, tuple(sorted(more))))
    return False


def replay(deck: Sequence[int], stacks: int, moves: Sequence[tuple[int, int]]) -> bool:
    """Whether moves keep to the rules and win."""
    ranks = len(deck) // 4
    missing = [list(reversed(row)) for row in rows(ranks)]
    piles: list[list[int]] = [[] for _ in range(stacks)]
    left = list(reversed(deck))
    for source, target in moves:
        if source == 255:
            card = left.pop()
            if target >= 4:
                piles[target - 4].append(card)
                continue
        else:
            card = piles[source].pop()
        if not missing[target] or missing[target].pop() != card:
            return False
    return not left and not any(missing)


def found(deck: Sequence[int], stacks: int) -> calculation.Found:
    answer = calculation.search(deck, stacks, Bounds())
    assert answer.limit is None
    assert (answer.moves is not None) == (answer.outcome == "won")
    if answer.moves is not None:
        assert replay(deck, stacks, answer.moves)
        assert answer.moves_count == len(answer.moves)
    return answer


def shuffled(chance: random.Random, ranks: int, late_count: int) -> list[int]:
    """A deck of which some of the lowest ranks come last: harder than others."""
    cards = [rank for rank in range(1, ranks + 1) for _ in range(4)]
    late, early = cards[:late_count], cards[late_count:]
    chance.shuffle(late)
    chance.shuffle(early)
    return early + late


@pytest.mark.parametrize(
    ("ranks", "stacks", "late_count", "decks_count"),
    [(4, 1, 0, 1500), (4, 2, 0, 600), (4, 2, 8, 200), (4, 3, 8, 60), (5, 1, 0, 800), (5, 1, 4, 200), (5, 2, 0, 30)],
)
def test_as_trying_everything_finds(ranks: int, stacks: int, late_count: int, decks_count: int) -> None:
    t = time.time()
    chance = random.Random(100 * ranks + 10 * stacks + late_count)
    outcomes = {"won": 0, "lost": 0}
    for _ in range(decks_count):
        deck = shuffled(chance, ranks, late_count)
        expected = "won" if can_be_won(deck, stacks) else "lost"
        assert found(deck, stacks).outcome == expected, (deck, stacks)
        outcomes[expected] += 1
    print(ranks, stacks, late_count, outcomes, time.time() - t)
