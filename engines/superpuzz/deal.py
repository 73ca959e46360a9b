"""A deal of Superpuzz: a first position, and which king lay in each of its holes.

In the rules all holes are equal. The names of the kings only serve to write moves down: a king stays with its hole.

Gaps, or Montana, is the same game with **aces taken out**: rows go from two to king, and the leftmost column takes any
two. Such a deal is one of Superpuzz with every card a rank lower; only the names of cards tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.superpuzz import rules
from engines.superpuzz.rules import HOLE, SUITS, Move, Position
from engines.text.cards import card_name, card_number, rank_of, suit_of

HOLE_RANK = 0
"""Followed by a suit: a hole named by the suit of its king or ace."""


@dataclass(frozen=True)
class Deal:
    """A first position with its kings."""

    position: Position
    kings: tuple[int, ...]
    """The suits of the kings of the holes, in the order of their cells."""
    aces_out: bool = False
    """Whether aces were taken out instead of kings: then a card of rank r is called r + 1, and a hole by its ace."""

    def kings_by_cell(self) -> dict[int, int]:
        """The suit of the king in each hole."""
        return dict(zip(self.position.holes, self.kings, strict=True))

    def name_of(self, number: int) -> str:
        """The name of a card."""
        return card_name(suit_of(number), rank_of(number) + self.aces_out)

    def hole_name(self, suit: int) -> str:
        """The name of the card that a hole stands for."""
        return card_name(suit, 1 if self.aces_out else self.position.columns)

    def card_of(self, suit: int, rank: int) -> tuple[int, int] | None:
        """Suit and rank, as in positions, of a card by its name; None for one that is taken out."""
        return _card_of(suit, rank, self.position.columns, self.aces_out)


def _card_of(suit: int, rank: int, columns: int, aces_out: bool) -> tuple[int, int] | None:
    if rank in (HOLE_RANK, 1 if aces_out else columns):
        return None
    return suit, rank - aces_out


def make_deal(columns: int, cards: Iterable[tuple[int, int] | None], aces_out: bool = False) -> Deal:
    """A deal from the named suit and rank of each cell, row by row; None is a hole without a name.

    Cards of rank ``columns`` are taken out, or aces are. Holes without a name get the remaining kings, in the order
    C, D, H, S. ValueError when the cards are not all of ``columns`` ranks, each once.
    """
    cells: list[int] = []
    kings: list[int | None] = []
    for each in cards:
        card = None if each is None else _card_of(*each, columns, aces_out)
        if card is not None:
            cells.append(card_number(*card))
        else:
            cells.append(HOLE)
            kings.append(None if each is None else each[0])
    position = Position(columns, tuple(cells))
    found = rules.problem(position)
    if found is not None:
        raise ValueError(found)
    left = iter([suit for suit in range(SUITS) if suit not in kings])
    named = tuple(next(left) if suit is None else suit for suit in kings)
    if len(set(named)) < SUITS:
        raise ValueError("a king lies in two holes")
    return Deal(position, named, aces_out)


def deal_from_deck(columns: int, numbers: Sequence[int]) -> Deal:
    """The deal of a shuffled deck, row by row; card ``n`` has suit n // columns and rank n % columns + 1."""
    return make_deal(columns, [(int(n) // columns, int(n) % columns + 1) for n in numbers])


def played(deal: Deal, move: Move) -> Deal:
    """The position after a move, as a deal whose kings keep their names; ValueError when it is against the rules."""
    source, hole = move
    after = rules.play(deal.position, move)
    kings = deal.kings_by_cell()
    kings[source] = kings.pop(hole)
    return Deal(after, tuple(kings[cell] for cell in after.holes), deal.aces_out)
