"""Drawings of positions of Klondike: columns side by side, numbered from 1, face-down cards in brackets.

Cards that are not known are ``??``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from engines.klondike.pieces import UNKNOWN_NAME
from engines.klondike.rules import Position
from engines.klondike.unknown import UNKNOWN
from engines.text.cards import SIGNS, card_number, sign_of

CARDS_A_LINE = 12
_CELL = 6


def draw(position: Position) -> str:
    """The lines of a position: foundations, stock and waste, then the columns, the card on top of each lowest."""
    tops = [
        sign_of(card_number(suit, top)) if top else f"-{SIGNS[suit]}"
        for suit, top in enumerate(position.foundations)
    ]
    redeals = f"   redeals {position.redeals_count}" if position.redeals_count else ""
    lines = [f"foundations  {' '.join(f'{each:>3}' for each in tops)}{redeals}"]
    lines += _pile("stock", position.stock)
    lines += _pile("waste", position.waste)
    heads = [f"{number:>{_CELL - 1}} " for number in range(1, len(position.columns) + 1)]
    columns = [
        [
            f"{f'({_sign(number)})' if at < down else f'{_sign(number)} ':>{_CELL}}"
            for at, number in enumerate(column)
        ]
        for column, down in zip(position.columns, position.face_down, strict=True)
    ]
    lines += ["", "".join(heads)]
    lines += ["".join(cells) for cells in zip_longest(*columns, fillvalue=" " * _CELL)]
    return "\n".join(line.rstrip() for line in lines)


def _pile(name: str, cards: Sequence[int]) -> Iterator[str]:
    rows = [cards[at : at + CARDS_A_LINE] for at in range(0, len(cards), CARDS_A_LINE)] or [()]
    for at, row in enumerate(rows):
        signs = " ".join(f"{_sign(number):>3}" for number in row) or "  -"
        yield f"{'' if at else name:<11}  {signs}"


def _sign(number: int) -> str:
    return UNKNOWN_NAME if number == UNKNOWN else sign_of(number)
