"""Deals, positions, rules, games and runs for the tests of Klondike."""

from __future__ import annotations

import itertools
import random
from typing import Any

from hypothesis import strategies as st

from engines.klondike import paper, rules
from engines.klondike.game import Klondike
from engines.klondike.rules import Move, Position, RedealRule, Rules
from engines.klondike.text import read_deals
from engines.text.cards import card_number

ALL_RULES = [
    Rules(draw, redeals, rule, deal_last, back)
    for draw, redeals, rule, deal_last, back in itertools.product(
        (1, 3), (None, 0, 1, 2), RedealRule, (True, False), (False, True)
    )
]
"""Every combination of options, with some limits of redeals."""


def told(options: Rules) -> tuple[Any, ...]:
    """What tells the results by these rules apart from others."""
    return tuple(Klondike().distinct(options).values())


LATE_COLUMNS = ["0: CK | H0", "1: DK CQ | SJ D0", "2: | SK DQ CJ", "3: HK | HQ", "4: |", "5: DJ | HJ C0"]
"""Columns late in a game, as a position's text has them."""


def position_of(*lines: str) -> Position:
    """The only position of a text."""
    (position,) = read_deals("\n".join(lines))
    return position


def k00198() -> Position:
    """The deal of the report's figure 1."""
    return position_of(paper.example("k00198.deal"))


def walk(
    position: Position, options: Rules, chance: random.Random, steps: int
) -> tuple[list[Move], Position]:
    """At most so many random moves, and where they lead."""
    moves = []
    while len(moves) < steps and (legal := rules.legal_moves(position, options)):
        moves.append(chance.choice(legal))
        position = rules.play(position, moves[-1], options)
    return moves, position


def small_deal(chance: random.Random, columns: int, ranks: int, suits: int) -> Position:
    """A first position of few cards; there must be enough for the columns."""
    cards = [
        card_number(suit, rank) for suit in chance.sample(range(4), suits) for rank in range(1, ranks + 1)
    ]
    chance.shuffle(cards)
    return rules.first_position(cards, columns, ranks)


def whole_deals() -> st.SearchStrategy[Position]:
    """Any first deal of the whole game."""
    pack = [card_number(suit, rank) for suit in range(4) for rank in range(1, 14)]
    return st.permutations(pack).map(rules.first_position)


def all_options() -> st.SearchStrategy[Rules]:
    """Any rules."""
    return st.sampled_from(ALL_RULES)


@st.composite
def games(draw: st.DrawFn, steps_max: int = 60) -> tuple[Position, Rules, list[Move]]:
    """A whole deal, rules, and random moves from it."""
    deal, options = draw(whole_deals()), draw(all_options())
    chance = random.Random(draw(st.integers(0, 2**32)))
    return deal, options, walk(deal, options, chance, draw(st.integers(0, steps_max)))[0]


@st.composite
def small_positions(draw: st.DrawFn) -> tuple[Position, Rules]:
    """Positions within games of few cards, and rules."""
    suits, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    least = -(-columns * (columns + 1) // 2 // suits)
    ranks = draw(st.integers(least, max(least, 5)))
    chance, options = random.Random(draw(st.integers(0, 2**32))), draw(all_options())
    deal = small_deal(chance, columns, ranks, suits)
    return walk(deal, options, chance, draw(st.integers(0, 20)))[1], options
