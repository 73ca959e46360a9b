"""A deal of Superpuzz: a first position, and which king lay in each of its holes.

Holes are alike in the rules. The names of the kings only serve to write moves down: a king stays with its hole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.superpuzz import rules
from engines.superpuzz.rules import HOLE, SUITS, Move, Position
from engines.text.cards import card_number


@dataclass(frozen=True)
class Deal:
    """A first position with its kings."""

    position: Position
    kings: tuple[int, ...]
    """The suits of the kings that the holes stand for, hole by hole in the order of their cells."""

    def kings_by_cell(self) -> dict[int, int]:
        """The suit of the king in each hole."""
        return dict(zip(self.position.holes, self.kings, strict=True))


def make_deal(columns: int, cards: Iterable[tuple[int, int] | None]) -> Deal:
    """A deal from the suit and rank of each cell, row by row; None is a hole without a name.

    Cards of rank ``columns`` are kings. Holes without a name get the kings that are left over, in the order C, D, H,
    S. ValueError when the cards are not all of ``columns`` ranks, each once.
    """
    cells: list[int] = []
    kings: list[int | None] = []
    for each in cards:
        if each is not None and each[1] != columns:
            cells.append(card_number(*each))
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
    return Deal(position, named)


def deal_from_deck(columns: int, numbers: Sequence[int]) -> Deal:
    """The deal of a shuffled deck, row by row; card ``n`` has suit n // columns and rank n % columns + 1."""
    return make_deal(columns, [(int(n) // columns, int(n) % columns + 1) for n in numbers])


def played(deal: Deal, move: Move) -> Deal:
    """The position after a move, as a deal whose kings keep their names; ValueError when it is against the rules."""
    source, hole = move
    after = rules.play(deal.position, move)
    kings = deal.kings_by_cell()
    kings[source] = kings.pop(hole)
    return Deal(after, tuple(kings[cell] for cell in after.holes))
