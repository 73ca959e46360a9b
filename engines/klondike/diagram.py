"""Positions of Klondike as a solver's screen has them: numbered piles, the top card of each first.

     0:                          the waste, the card in play first
     1: QD                       columns 1 to 7
     2: 7S -2C                   a dash before a card that lies face down
     3: 6C -KC-5H
     4: 6S -AC-7C-KH
     5: 6H -9C-2D-KD-4S
     6: 4C -8D-JS-TC-6D-4D
     7: 2S -AS-3S-7H-AH-QH-9D
     8: TH QC 9S JH TD 3C 3H KS 7D JC 8S 3D 2H 5D AD 8C JD QS 4H TS 8H 9H 5C 5S
     9:                          foundations, the top card first; it stands for all below it
    10:
    11:
    12:

Pile 8 is the stock, first dealt first. The grammar::

    position = pile { pile }
    pile     = number ":" [ cards ] { "-" cards } end     (0 to 12, each once; what is left out is empty)
    cards    = card { [ blanks ] card }

A blank line ends the position, and so does a line that begins with ``Minimum``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.klondike.pieces import Card, Pieces
from engines.klondike.rules import COLUMNS_MAX, SUITS, Position
from engines.klondike.unknown import unknown_count
from engines.text.cards import card_name, card_number, rank_first
from engines.text.forms import Lines
from engines.text.textfile import shown

BEGINS = re.compile(r"\s*0?[0-9]{1,2}\s*:[^|]*$", re.ASCII)
"""A column of a position within a game has a bar."""
_PILE = re.compile(r"\s*([0-9]{1,2})\s*:(.*)", re.ASCII)
_END = re.compile(r"\s*Minimum\b", re.IGNORECASE)
WASTE, STOCK, FOUNDATIONS = 0, 8, 9


def read_diagram(lines: Lines, source: str, number: int) -> list[Position]:
    """The position of the piles up to a blank line; UserError when they are none."""
    pieces = Pieces(f"{source}, deal {number}", lines.line[0])
    pieces.columns, pieces.face_down = [[] for _ in range(COLUMNS_MAX)], [0] * COLUMNS_MAX
    known: set[int] = set()
    for line, text in lines.take_block():
        if _END.match(text):
            break
        match = _PILE.fullmatch(text)
        pile = None if match is None else int(match[1])
        if match is None or pile is None or pile >= FOUNDATIONS + SUITS:
            pieces.fail(f"expected a pile like 0: to 12:, found {shown(text.strip())}", line)
        if pile in known:
            pieces.fail(f"pile {pile} is given twice", line)
        known.add(pile)
        _take(pieces, pile, match[2], line)
    return [pieces.position()]


def _take(pieces: Pieces, pile: int, text: str, line: int) -> None:
    up_text, _, down_text = text.partition("-")
    up = pieces.read_cards(up_text, f"pile {pile}", line)
    down = pieces.read_cards(down_text.replace("-", " "), f"pile {pile}", line)
    if down and not WASTE < pile < STOCK:
        pieces.fail(f"pile {pile}: only cards of the columns, 1 to 7, lie face down", line)
    if pile == WASTE:
        pieces.waste = up[::-1]
    elif pile == STOCK:
        pieces.stock = up
    elif pile < STOCK:
        pieces.columns[pile - 1] = (up + down)[::-1]
        pieces.face_down[pile - 1] = len(down)
    elif up:
        _found(pieces, up, line)


def _found(pieces: Pieces, cards: list[Card], line: int) -> None:
    suit, top = cards[0]
    for at, (other, rank) in enumerate(cards):
        if (other, rank) != (suit, top - at):
            pieces.fail(
                f"foundations: {card_name(other, rank)} cannot lie below {card_name(*cards[at - 1])}", line
            )
    if pieces.foundations[suit]:
        pieces.fail(f"foundations: two piles of the suit of {card_name(suit, top)}", line)
    pieces.foundations[suit] = top


def format_diagram(position: Position) -> str | None:
    """The lines of a position of seven columns, all cards known, before any redeal; None for any other."""
    if len(position.columns) != COLUMNS_MAX or unknown_count(position) or position.redeals_count:
        return None
    piles = [_cards(position.waste[::-1])]
    for column, down in zip(position.columns, position.face_down, strict=True):
        hidden = "".join(f"-{rank_first(number)}" for number in column[:down][::-1])
        piles.append(f"{_cards(column[down:][::-1])} {hidden}")
    piles.append(_cards(position.stock))
    piles += [
        rank_first(card_number(suit, top)) if top else "" for suit, top in enumerate(position.foundations)
    ]
    return "\n".join(f"{pile:2}: {cards}".rstrip() for pile, cards in enumerate(piles))


def _cards(cards: Sequence[int]) -> str:
    return " ".join(map(rank_first, cards))
