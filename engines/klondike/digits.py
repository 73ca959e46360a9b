"""Deals of Klondike as digits, three for each card: the rank (01 to 13) and the suit (1 to 4: C, D, H, S).

    122021053133044042092074131071131062...

The 52 cards as they are dealt row by row: a card for each of the seven columns, then for all but the first, and so on,
the last card of each column face up; then the stock, first dealt first. Solvers write deals so. The grammar::

    deal     = digit digit digit { [ blanks ] digit digit digit } end      (52 cards)
"""

from __future__ import annotations

import re

from engines.klondike.pieces import Card, Pieces
from engines.klondike.plain import CARDS, first_deck
from engines.klondike.rules import COLUMNS_MAX, RANKS_MAX, SUITS, Position
from engines.text.cards import rank_of, suit_of
from engines.text.forms import Lines

BEGINS = re.compile(r"\s*[0-9]{6}[0-9\s]*$", re.ASCII)
_DIGITS = 3


def read_digits(lines: Lines, source: str, number: int) -> list[Position]:
    """The deal of a line; UserError when it is none."""
    line, text = lines.take()
    pieces = Pieces(f"{source}, deal {number}", line)
    digits = "".join(text.split())
    cards: list[Card] = []
    for at in range(0, len(digits), _DIGITS):
        card = digits[at : at + _DIGITS]
        rank, suit = int(card[:2]), int(card[2:] or 0)
        if not (1 <= rank <= RANKS_MAX and 1 <= suit <= SUITS):
            pieces.fail(
                f"card {len(cards) + 1}: '{card}' is none; 013 is the ace of hearts (01 to 13, 1 to 4)"
            )
        cards.append((suit - 1, rank))
    if len(cards) != CARDS:
        pieces.fail(f"{len(cards)} cards; a deal of digits has {CARDS}")
    pieces.columns, pieces.stock = dealt_in_rows(cards)
    pieces.face_down = list(range(COLUMNS_MAX))
    return [pieces.position()]


def format_digits(position: Position) -> str | None:
    """A first deal of the whole game as digits; None for any other position."""
    if not first_deck(position):
        return None
    rows = [
        column[row]
        for row in range(COLUMNS_MAX)
        for column in position.columns[row:]
    ]  # fmt: skip
    return "".join(f"{rank_of(number):02}{suit_of(number) + 1}" for number in (*rows, *position.stock))


def dealt_in_rows(cards: list[Card]) -> tuple[list[list[Card]], list[Card]]:
    """The columns, each bottom first, and the stock of 52 cards that are dealt row by row, left to right."""
    left = iter(cards)
    columns: list[list[Card]] = [[] for _ in range(COLUMNS_MAX)]
    for row in range(COLUMNS_MAX):
        for column in columns[row:]:
            column.append(next(left))
    return columns, list(left)
