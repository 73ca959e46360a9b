"""Deals of Klondike, one a line: the 52 cards as they are dealt.

    C9 D5 C8 H8 D3 C7 H4 D6 D8 D9 ... H5 H3 H2 C2 SJ H4 ...

The columns from left to right, each bottom first (one card, then two, up to seven), then the stock, first dealt
first. Blanks between cards may be left out, or be commas. The grammar::

    deal     = card { [ blanks ] card } end           (52 cards; ``end`` is the end of the line)
    card     = suit rank | rank suit                  (either case)
    suit     = "C" | "D" | "H" | "S"
    rank     = "A" | "2" | ... | "9" | "T" | "0" | "10" | "J" | "Q" | "K"
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.klondike import rules
from engines.klondike.pieces import Card, Pieces
from engines.klondike.rules import COLUMNS_MAX, RANKS_MAX, SUITS, Position
from engines.klondike.unknown import UNKNOWN
from engines.text.cards import SIGNS_READ, name_of
from engines.text.forms import Lines

CARDS = SUITS * RANKS_MAX
BEGINS = re.compile(
    rf"\s*(?:[CDHS{SIGNS_READ}](?:10|[A0-9TJQK])|(?:10|[A0-9TJQK])[CDHS{SIGNS_READ}])", re.IGNORECASE
)


def read_plain(lines: Lines, source: str, number: int) -> list[Position]:
    """The deal of a line; UserError when it is none."""
    line, text = lines.take()
    pieces = Pieces(f"{source}, deal {number}", line)
    cards = pieces.read_cards(text, "deal", line)
    pieces.columns, pieces.stock = _dealt(cards)
    pieces.face_down = list(range(COLUMNS_MAX))
    if len(cards) != CARDS:
        # To name a doubled or missing card says more than a count; but a line that is cut short misses many.
        counted = (
            f"{len(cards)} cards; a deal on one line has {CARDS} "
            "(on several lines, piles have names: stock: and 0: H3 | C4)"
        )
        if len(set(cards)) == len(cards) < CARDS - 1:
            pieces.fail(counted)
    return [pieces.position()]


def format_plain(position: Position) -> str | None:
    """A first position of the whole game as one line; None for any other position."""
    return " ".join(map(name_of, first_deck(position))) or None


def first_deck(position: Position) -> list[int]:
    """The cards of a first position of the whole game, as ``read_plain`` has them; none for any other position."""
    deck = [number for column in position.columns for number in column] + list(position.stock)
    is_first = len(deck) == CARDS and UNKNOWN not in deck and rules.first_position(deck) == position
    return deck if is_first else []


def _dealt(cards: Sequence[Card]) -> tuple[list[list[Card]], list[Card]]:
    columns, begin = [], 0
    for length in range(1, COLUMNS_MAX + 1):
        columns.append(list(cards[begin : begin + length]))
        begin += length
    return columns, list(cards[begin:])
