"""Deals, positions and games for the tests of Superpuzz."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from engines.superpuzz import paper, rules
from engines.superpuzz.core import random_deal
from engines.superpuzz.deal import Deal, deal_from_deck
from engines.superpuzz.rules import Move, Position
from engines.superpuzz.text import read_deals


def deal_of(text: str) -> Deal:
    """The only deal of a text."""
    (deal,) = read_deals(text)
    return deal


def figure(name: str) -> Deal:
    """The deal of a figure of the paper, such as ``7``."""
    return deal_of(paper.example(f"figure-{name}.deal"))


def as_deal(position: Position) -> Deal:
    """A position as a deal of its own; its holes get the kings in order."""
    return Deal(position, (0, 1, 2, 3))


def walk(position: Position, chance: random.Random, steps: int) -> tuple[list[Move], Position]:
    """At most so many random moves, and where they lead."""
    moves = []
    while len(moves) < steps and (legal := rules.legal_moves(position)):
        moves.append(chance.choice(legal))
        position = rules.play(position, moves[-1])
    return moves, position


def random_positions(columns: int, count: int, seed: int) -> list[Position]:
    """Positions some moves into random deals; every second one is a deal itself."""
    chance = random.Random(seed)
    found = []
    for index in range(count):
        start = random_deal(seed, index, columns).position
        found.append(start if index % 2 else walk(start, chance, chance.randrange(4 * columns))[1])
    return found


def deals(columns_max: int = rules.COLUMNS_MAX) -> st.SearchStrategy[Deal]:
    """Any deal of 2 to ``columns_max`` columns."""
    return st.integers(rules.COLUMNS_MIN, columns_max).flatmap(
        lambda columns: st.permutations(range(4 * columns)).map(lambda deck: deal_from_deck(columns, deck))
    )


@st.composite
def games(draw: st.DrawFn, columns_max: int = rules.COLUMNS_MAX) -> tuple[Deal, list[Move]]:
    """A deal and up to 60 random moves from it."""
    deal = draw(deals(columns_max))
    chance = random.Random(draw(st.integers(0, 2**32)))
    return deal, walk(deal.position, chance, draw(st.integers(0, 60)))[0]
