"""Decks for the search with the pile open: which can be won, by trying everything, and games that were won."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engines.calculation.rules import Move

ROWS = {
    4: ["1234", "2413", "3142", "4321"],
    5: ["12345", "24135", "31425", "43215"],
    6: ["123456", "246135", "362514", "415263"],
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
        if drawn_count < len(deck):
            for pile in range(stacks):
                more = (*piles[:pile], (*piles[pile], deck[drawn_count]), *piles[pile + 1 :])
                todo.append((drawn_count + 1, heights, tuple(sorted(more))))
        for foundation in range(4):
            rank = needed[foundation][heights[foundation]]
            raised = tuple(height + (f == foundation) for f, height in enumerate(heights))
            if drawn_count < len(deck) and deck[drawn_count] == rank:
                todo.append((drawn_count + 1, raised, piles))
            for pile in range(stacks):
                if piles[pile][-1:] == (rank,):
                    rest = (*piles[:pile], piles[pile][:-1], *piles[pile + 1 :])
                    todo.append((drawn_count, raised, tuple(sorted(rest))))
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


def shuffled(chance: random.Random, ranks: int, late_count: int) -> list[int]:
    """A deck of which some of the lowest ranks come last: harder than others."""
    cards = [rank for rank in range(1, ranks + 1) for _ in range(4)]
    late, early = cards[:late_count], cards[late_count:]
    chance.shuffle(late)
    chance.shuffle(early)
    return early + late


def nearly_sorted(chance: random.Random, ranks: int, swaps_count: int) -> list[int]:
    """The aces last and the others in order, which is as hard as can be, but for so many swaps."""
    deck = [rank for rank in (*range(2, ranks + 1), 1) for _ in range(4)]
    for _ in range(swaps_count):
        one, other = chance.randrange(len(deck)), chance.randrange(len(deck))
        deck[one], deck[other] = deck[other], deck[one]
    return deck


def won_game(
    chance: random.Random, ranks: int, stacks: int, directness: float
) -> tuple[list[int], list[Move]]:
    """A deck, and moves that win it: a game that is played backwards, by chance, from the end that is won.

    Backwards, the top of a foundation goes to a stack or is the card that was drawn, and so may be the top of a stack.
    ``directness``: how often a card comes to the pile rather than to a stack.
    """
    foundations, piles = rows(ranks), [[] for _ in range(stacks)]
    deck: list[int] = []
    moves: list[Move] = []
    while len(deck) < 4 * ranks:
        sources = [f for f in range(4) if foundations[f]]
        tops = [pile for pile in range(stacks) if piles[pile]]
        if chance.random() < directness:
            place = chance.randrange(len(sources) + len(tops))
            if place < len(sources):
                deck.append(foundations[sources[place]].pop())
                moves.append(Move(255, sources[place]))
            else:
                pile = tops[place - len(sources)]
                deck.append(piles[pile].pop())
                moves.append(Move(255, 4 + pile))
        elif sources:
            source, pile = chance.choice(sources), chance.randrange(stacks)
            piles[pile].append(foundations[source].pop())
            moves.append(Move(pile, source))
    return deck[::-1], moves[::-1]
