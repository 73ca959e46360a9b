"""Solutions of Superpuzz as text, in the paper's notation.

    (D5, H6) -> (DA, D6) -> (C2, S6)        first move first
    (C2, S6) <- (DA, D6) <- (D5, H6)        the same as the paper writes it, last move first

A move is a card and the king whose hole it goes to; which of them is written first does not matter (printed is
first, as in the paper, what lies later row by row). The grammar::

    solutions = { remark | solution | unsolved }
    solution  = "()" | pair { arrow pair }            ("()": no move; all arrows of a solution point one way)
    pair      = "(" card "," card ")"                 (a card and a king; ``--`` is a king whose name is not known)
    arrow     = "->" | "<-"                           (with one dash or more; also the arrow characters)
    unsolved  = line that begins with "lost" or "undecided"
    remark    = "#" to the end of the line, or a line that begins with "No." or "won"

Such lines may begin with ``deal N:``, so that what ``yamafuda solve`` prints is read back, deal by deal. Lines mean
nothing else; a solution ends where no arrow follows. ``examples/*.solution`` are examples.

Why kings are named: any card but an ace has one place to go to, but an ace may have a choice of up to four holes,
and there the king's name says which. A king stays with its hole: when a card goes to the hole of a king, that king
lies where the card was. So with the kings named at the start, the names in every later pair are determined, and a
pair determines its move. See ``replay`` for solutions whose names are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from engines.cards import card_name, read_card
from engines.superpuzz import rules
from engines.superpuzz.deal import Deal
from engines.superpuzz.rules import Move
from engines.superpuzz.text import HOLE_NAME, KING, shown
from storage.errors import UserError

PAIRS_A_LINE = 10

Card = tuple[int, int]
"""Suit and rank."""

_TOKEN = re.compile(
    r"(?P<remark>#[^\n]*|^[^\S\n]*(?:deal[^\S\n]+[0-9]+:[^\S\n]*)?(?:No\.|won\b)[^\n]*)"
    r"|(?P<unsolved>^[^\S\n]*(?:deal[^\S\n]+[0-9]+:[^\S\n]*)?(?:lost|undecided)\b[^\n]*)"
    r"|(?P<none>\(\s*\))"
    r"|\((?P<first>[^(),]*),(?P<second>[^(),]*)\)"
    r"|(?P<backward><-+|←)|(?P<forward>-+>|→)"
    r"|(?P<blank>\s+)|(?P<unknown>\S{1,30})",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Pair:
    """A move as written. ``None`` is a king without a name."""

    first: Card | None
    second: Card | None
    line: int

    def split(self, columns: int) -> tuple[Card, int | None] | None:
        """The card that moves and the suit of the king; None when they are not just that."""
        first, second = (_in_columns(card, columns) for card in (self.first, self.second))
        for card, king in ((first, second), (second, first)):
            if card is not None and card[1] < columns and (king is None or king[1] == columns):
                return card, None if king is None else king[0]
        return None

    def __str__(self) -> str:
        return "({}, {})".format(
            *(HOLE_NAME if card is None else card_name(*card) for card in (self.first, self.second))
        )


Solution = tuple[Pair, ...]
"""Moves in the order of play."""


def read_solutions(text: str, source: str = "solution") -> list[Solution | None]:
    """The solutions of a text in its order, None for a deal without one; UserError that names the line."""
    return _Reader(text, source).solutions


def format_pairs(deal: Deal, moves: Sequence[Move]) -> list[str]:
    """Each move as a pair, kings by their names, first move first. The moves must be legal from the deal."""
    columns, kings = deal.position.columns, deal.kings_by_cell()
    cells = list(deal.position.cells)
    pairs = []
    for source, hole in moves:
        number, king = cells[source], kings.pop(hole)
        names = [card_name(rules.suit_of(number), rules.rank_of(number)), card_name(king, columns)]
        if hole > source:
            names.reverse()
        pairs.append(f"({names[0]}, {names[1]})")
        cells[hole], cells[source] = number, rules.HOLE
        kings[source] = king
    return pairs


def join_pairs(pairs: Sequence[str], line_end: str = "\n") -> str:
    """A solution of the pairs, first move first; ``()`` when there is none."""
    lines = [" -> ".join(pairs[i : i + PAIRS_A_LINE]) for i in range(0, len(pairs), PAIRS_A_LINE)]
    return f" ->{line_end}".join(lines) or "()"


def _in_columns(card: Card | None, columns: int) -> Card | None:
    return (card[0], columns) if card is not None and card[1] == KING else card


class _Reader:
    """Puts the pairs of one text together."""

    def __init__(self, text: str, source: str) -> None:
        self.solutions: list[Solution | None] = []
        self._source = source
        self._pairs: list[Pair] = []
        self._arrow = ""
        """The direction of the solution's arrows so far."""
        self._open = False
        """The last token was an arrow: a pair must follow."""
        line = 1
        for match in self._tokens(text):
            kind = match.lastgroup or ""
            self._line = line
            self._take("pair" if kind == "second" else kind, match)
            line += match.group().count("\n")
        self._line = line
        self._end_solution()
        if not self.solutions:
            raise UserError(source, "there is no solution in it; one without moves is written ()")

    def _tokens(self, text: str) -> Iterator[re.Match[str]]:
        yield from _TOKEN.finditer(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _take(self, kind: str, match: re.Match[str]) -> None:
        match kind:
            case "pair":
                if not self._open:
                    self._end_solution()
                self._pairs.append(Pair(self._card(match["first"]), self._card(match["second"]), self._line))
                self._open = False
            case "forward" | "backward":
                if self._open or not self._pairs:
                    self._fail("an arrow without a move before it")
                if self._arrow not in ("", kind):
                    self._fail("the arrows of a solution must all point one way")
                self._arrow, self._open = kind, True
            case "unsolved" | "none":
                self._end_solution()
                self.solutions.append(() if kind == "none" else None)
            case "unknown":
                self._fail(f"expected a move like (S6, D5) or an arrow, found {shown(match.group())}")

    def _end_solution(self) -> None:
        if self._open:
            self._fail("expected a move after the arrow")
        if self._pairs:
            order = reversed(self._pairs) if self._arrow == "backward" else self._pairs
            self.solutions.append(tuple(order))
        self._pairs, self._arrow = [], ""

    def _card(self, text: str) -> Card | None:
        word = text.strip()
        if word == HOLE_NAME:
            return None
        card = read_card(word)
        if card is None:
            self._fail(f"{shown(word)} is no card; a move is written like (S6, D5)")
        return card

    def _fail(self, message: str) -> NoReturn:
        raise UserError(f"{self._source}, line {self._line}", message)
