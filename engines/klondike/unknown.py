"""Unknown cards: positions as a player sees them, and deals that fit them.

In a position an unknown card is ``UNKNOWN``. It may lie face down in a column, or in the stock. Every order of the
missing cards has the same probability: the deck was shuffled, and all moves so far were chosen by what was seen
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines import _native
from engines.klondike.rules import SUITS, Position
from engines.text.cards import card_number

UNKNOWN = 0
"""Stands for a card's number."""
BEYOND_DEALS = 1 << 63
"""Streams of a seed from here on do not belong to deals."""


def unknown_count(position: Position) -> int:
    """How many cards are not known."""
    return sum(pile.count(UNKNOWN) for pile in (*position.columns, position.stock, position.waste))


def missing(position: Position) -> list[int]:
    """The unknown cards, in the order of suits and ranks."""
    told = {*position.stock, *position.waste, *(card for pile in position.columns for card in pile)}
    return [
        number
        for suit in range(SUITS)
        for rank in range(position.foundations[suit] + 1, position.ranks + 1)
        if (number := card_number(suit, rank)) not in told
    ]


def filled(position: Position, cards: Sequence[int]) -> Position:
    """The position with these cards in place of those not known: columns left to right, then the stock."""
    left = iter(cards)
    columns = tuple(
        tuple(next(left) if card == UNKNOWN else card for card in column) for column in position.columns
    )
    stock = tuple(next(left) if card == UNKNOWN else card for card in position.stock)
    return replace(position, columns=columns, stock=stock)


def sampled(position: Position, seed: int, stream: int) -> Position:
    """A random deal that fits a position, each with the same probability; ``stream`` numbers them, from 0 below
    2**63."""
    cards = missing(position)
    order = _native.shuffled_deck(seed, BEYOND_DEALS + stream, len(cards)).tolist()
    return filled(position, [cards[place] for place in order])


def as_dealt(truth: Position) -> Position:
    """What a player sees of a first position: neither cards that lie face down nor the stock."""
    columns = tuple(
        (UNKNOWN,) * down + column[down:] for column, down in zip(truth.columns, truth.face_down, strict=True)
    )
    return replace(truth, columns=columns, stock=(UNKNOWN,) * len(truth.stock))


def turned_up(seen: Position, truth: Position) -> Position:
    """What is seen after a move was made on both: cards that lie face up or in the waste are known from now on."""
    columns = tuple(
        known[:down] + real[down:]
        for known, real, down in zip(seen.columns, truth.columns, truth.face_down, strict=True)
    )
    return replace(seen, columns=columns, waste=truth.waste)
