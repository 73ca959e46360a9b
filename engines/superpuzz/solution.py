"""Solutions of Superpuzz as text, in the paper's notation.

    (D5, H6) -> (DA, D6) -> (C2, S6)        first move first
    (C2, S6) <- (DA, D6) <- (D5, H6)        the same as the paper writes it, last move first

A move is a card and the king whose hole it goes to; their order does not matter (as in the paper, the one that lies
later, row by row, is printed first). The grammar::

    solutions = { remark | solution | unsolved }
    solution  = "()" | pair { arrow pair }            ("()": no move; all arrows of a solution point one way)
    pair      = "(" card "," card ")"                 (a card and a king; ``--`` is a king whose name is not known)
    arrow     = "->" | "<-"                           (with one dash or more; also the arrow characters)
    unsolved  = line that begins with "lost" or "undecided"
    remark    = "#" to the end of the line, or a line that begins with "No." or "won"

Such lines may begin with ``deal N:``, so that the output of ``yamafuda solve`` can be read back, deal by deal. Line
breaks have no other meaning; a solution ends where no arrow follows. ``examples/*.solution`` are examples.

Why kings are named: every card but an ace has only one place to go to. An ace may choose among up to four holes; the
king's name says which. A king stays with its hole: when a card goes to the hole of a king, that king lies where the
card was. So the names of the kings at the start determine the names in every later pair, and a pair determines its
move. See ``replay`` for solutions whose names are wrong. Where aces were taken out, as in Gaps, read twos for aces
and aces for kings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.superpuzz import rules
from engines.superpuzz.deal import Deal
from engines.superpuzz.rows import HOLE_NAME, KING
from engines.superpuzz.rules import Move
from engines.text.cards import card_name, read_card
from engines.text.movelist import MoveListReader, join_moves
from engines.text.textfile import shown
from storage.errors import UserError

PAIRS_A_LINE = 10

Card = tuple[int, int]
"""Suit and rank."""

_READER = MoveListReader(r"\((?P<first>[^(),]*),(?P<second>[^(),]*)\)", "(S6, D5)")


@dataclass(frozen=True)
class Pair:
    """A move as written. ``None`` is a king without a name."""

    source: str
    line: int
    first: Card | None
    second: Card | None

    def split(self, deal: Deal) -> tuple[Card, int | None] | None:
        """The number of the card that moves, and the suit of the king; None when the pair is not a card and a king."""
        first, second = (_in_columns(card, deal.position.columns) for card in (self.first, self.second))
        for named, king in ((first, second), (second, first)):
            card = None if named is None else deal.card_of(*named)
            if card is not None and (king is None or deal.card_of(*king) is None):
                return card, None if king is None else king[0]
        return None

    @property
    def place(self) -> str:
        """The line of the pair, for errors."""
        return f"{self.source}, line {self.line}"

    def __str__(self) -> str:
        return "({}, {})".format(
            *(HOLE_NAME if card is None else card_name(*card) for card in (self.first, self.second))
        )


Solution = tuple[Pair, ...]
"""Moves in the order of play."""


def read_solutions(text: str, source: str = "solution") -> list[Solution | None]:
    """The solutions of a text in its order, None for a deal without one; UserError that names the line."""
    return [
        None
        if moves is None
        else tuple(
            Pair(source, line, *(_read_card(match[which], source, line) for which in ("first", "second")))
            for match, line in moves
        )
        for moves in _READER.read(text, source)
    ]


def format_pairs(deal: Deal, moves: Sequence[Move]) -> list[str]:
    """Each move as a pair, kings by their names, first move first. The moves must be legal from the deal."""
    kings = deal.kings_by_cell()
    cells = list(deal.position.cells)
    pairs = []
    for source, hole in moves:
        number, king = cells[source], kings.pop(hole)
        names = [deal.name_of(number), deal.hole_name(king)]
        if hole > source:
            names.reverse()
        pairs.append(f"({names[0]}, {names[1]})")
        cells[hole], cells[source] = number, rules.HOLE
        kings[source] = king
    return pairs


def join_pairs(pairs: Sequence[str], line_end: str = "\n") -> str:
    """A solution of the pairs, first move first; ``()`` when there is none."""
    return join_moves(pairs, PAIRS_A_LINE, line_end)


def _in_columns(card: Card | None, columns: int) -> Card | None:
    return (card[0], columns) if card is not None and card[1] == KING else card


def _read_card(text: str, source: str, line: int) -> Card | None:
    word = text.strip()
    if word == HOLE_NAME:
        return None
    card = read_card(word)
    if card is None:
        raise UserError(
            f"{source}, line {line}", f"{shown(word)} is no card; a move is written like (S6, D5)"
        )
    return card
