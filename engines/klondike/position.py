"""Positions in the middle of a game of Klondike, pile by pile.

    stock: S3                            first dealt first
    waste:                               bottom first: the last one is in play
    foundations: C6 D5 H7 S2             the top card of each that has one
    0: | HK CQ HJ S0 D9 C8 D7            before the bar: face down; both parts bottom first
    1: H3 S4 | S9 D8

A line for each column, numbered from 0; lines of ``stock``, ``waste`` and ``foundations`` with nothing in them may be
left out. A blank line ends the position. With seven columns all 52 cards must be there; with fewer, a smaller deck
will do: all ranks up to the highest one of the suits that are there. The grammar::

    position = { pile end }
    pile     = "stock:" cards | "waste:" cards | "foundations:" cards | number ":" cards "|" cards
    end      = end of line | "/"                      (a position of lines joined by "/" ends with its line)
    cards    = [ card { [ blanks ] card } ]

``redeals: N`` is a line too: how many redeals there have been. ``??`` is a card that is not known, of the stock or face
down in a column: as many as cards are missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.klondike.pieces import UNKNOWN_NAME, Pieces
from engines.klondike.rules import Position
from engines.klondike.unknown import UNKNOWN
from engines.text.cards import card_name, card_number, name_of
from engines.text.forms import Line, Lines
from engines.text.textfile import shown

LINE = re.compile(r"\s*(?P<pile>stock|waste|foundations|redeals|[0-9]{1,3})\s*:(?P<cards>.*)", re.IGNORECASE)
"""A line of a position."""


def read_positions(lines: Lines, source: str, number: int) -> list[Position]:
    """The position of the lines up to a blank one, or of one line of parts; UserError when there is none."""
    pieces = Pieces(f"{source}, deal {number}", lines.line[0])
    return [_read_position(_position_lines(lines), pieces)]


def _position_lines(lines: Lines) -> list[Line]:
    """Up to a blank line, or one line of parts joined by ``/``."""
    found: list[Line] = []
    while not lines.at_end:
        number, line = lines.line
        parts = line.split("/")
        if not line.strip() or (found and len(parts) > 1):
            break
        lines.take()
        found += [(number, part) for part in parts]
        if len(parts) > 1:
            break
    return found


def _read_position(lines: Sequence[Line], pieces: Pieces) -> Position:
    known: set[str] = set()
    columns: dict[int, tuple[list[tuple[int, int]], int]] = {}
    for number, line in lines:
        match = LINE.fullmatch(line)
        if match is None:
            pieces.fail(
                f"expected stock:, waste:, foundations: or a column like 0:, found {shown(line.strip())}",
                number,
            )
        pile, text = match["pile"].lower(), match["cards"]
        pile = str(int(pile)) if pile.isdigit() else pile
        if pile in known:
            pieces.fail(f"{pile} is given twice", number)
        known.add(pile)
        if pile.isdigit():
            down, bar, up = text.partition("|")
            if not bar:
                pieces.fail(f"column {pile}: a bar | must stand between face-down and face-up cards", number)
            below = pieces.read_cards(down, f"column {pile}", number, may_hide=True)
            above = pieces.read_cards(up, f"column {pile}", number)
            columns[int(pile)] = (below + above, len(below))
        elif pile == "redeals":
            if not re.fullmatch(r"\s*[0-9]{1,6}\s*", text, re.ASCII):
                pieces.fail(f"redeals: {shown(text.strip())} is no number", number)
            pieces.redeals_count = int(text)
        else:
            cards = pieces.read_cards(text, pile, number, may_hide=pile == "stock")
            match pile:
                case "stock":
                    pieces.stock = cards
                case "waste":
                    pieces.waste = cards
                case "foundations":
                    for suit, rank in cards:
                        if pieces.foundations[suit]:
                            pieces.fail(
                                f"foundations: two cards of the suit of {card_name(suit, rank)}", number
                            )
                        pieces.foundations[suit] = rank
    if sorted(columns) != list(range(len(columns))):
        missing = next(index for index in range(len(columns) + 1) if index not in columns)
        pieces.fail(f"there is no column {missing}")
    for index in range(len(columns)):
        cards, down_count = columns[index]
        pieces.columns.append(cards)
        pieces.face_down.append(down_count)
    return pieces.position()


def format_position(position: Position, line_end: str = "\n") -> str:
    """The lines of a position; ``read_positions`` gives the same back. ``line_end`` stands between them."""
    tops = [card_number(suit, rank) for suit, rank in enumerate(position.foundations) if rank]
    piles = [("stock", position.stock), ("waste", position.waste), ("foundations", tuple(tops))]
    lines = [f"{name}: {_names(cards)}" for name, cards in piles if cards]
    if position.redeals_count:
        lines.append(f"redeals: {position.redeals_count}")
    for index, (column, down) in enumerate(zip(position.columns, position.face_down, strict=True)):
        parts = [f"{index}:", _names(column[:down]), "|", _names(column[down:])]
        lines.append(" ".join(part for part in parts if part))
    return line_end.join(lines)


def _names(cards: Sequence[int]) -> str:
    return " ".join(UNKNOWN_NAME if number == UNKNOWN else name_of(number) for number in cards)
