"""Moves of Klondike in words and as JSON values. Columns are counted from 1, as ``drawing`` shows them."""

from __future__ import annotations

from typing import Any

from engines.klondike.pieces import UNKNOWN_NAME
from engines.klondike.rules import Kind, Move, Position
from engines.klondike.unknown import UNKNOWN
from engines.text.cards import card_number, name_of, sign_of

WASTE, STOCK, FOUNDATION = "waste", "stock", "foundation"


def describe(position: Position, move: Move, after: Position) -> tuple[str, dict[str, Any]]:
    """``10♥ from column 3 to column 5``; and its parts: cards, from, to, and the card that is turned up."""
    cards, source, target = _moved(position, move, after)
    turned = _turned(position, after)
    values = {
        "cards": [_name(number) for number in cards],
        "from": source,
        "to": target,
        "turned": None if turned is None else _name(turned),
    }
    match move.kind:
        case Kind.DEAL:
            words = f"draw {len(cards)} from the stock"
        case Kind.REDEAL:
            words = "turn the waste over"
        case _:
            words = f"{_pile_words(cards)} from {_place(source)} to {_place(target)}"
            if move.kind != Kind.COLUMN_FOUNDATION and target.startswith("column"):
                words += "" if position.columns[move.target] else ", which is empty"
    if turned is not None:
        words += f"; {'a card' if turned == UNKNOWN else sign_of(turned)} is turned up"
    return words, values


def _moved(position: Position, move: Move, after: Position) -> tuple[tuple[int, ...], str, str]:
    """The cards that move, and from where to where."""
    column, source, target = position.columns, f"column {move.source + 1}", f"column {move.target + 1}"
    match move.kind:
        case Kind.COLUMN_COLUMN:
            return column[move.source][-move.cards_count :], source, target
        case Kind.COLUMN_FOUNDATION:
            return column[move.source][-1:], source, FOUNDATION
        case Kind.WASTE_COLUMN:
            return position.waste[-1:], WASTE, target
        case Kind.WASTE_FOUNDATION:
            return position.waste[-1:], WASTE, FOUNDATION
        case Kind.FOUNDATION_COLUMN:
            return (card_number(move.source, position.foundations[move.source]),), FOUNDATION, target
        case Kind.DEAL:
            return after.waste[len(position.waste) :], STOCK, WASTE
        case Kind.REDEAL:
            return position.waste, WASTE, STOCK


def _turned(position: Position, after: Position) -> int | None:
    """The card of a column that is turned up."""
    for index, (before, down) in enumerate(zip(position.face_down, after.face_down, strict=True)):
        if down < before:
            return after.columns[index][-1]
    return None


def _name(number: int) -> str:
    return UNKNOWN_NAME if number == UNKNOWN else name_of(number)


def _pile_words(cards: tuple[int, ...]) -> str:
    first = sign_of(cards[0])
    return first if len(cards) == 1 else f"{first} to {sign_of(cards[-1])}"


def _place(name: str) -> str:
    return name if name.startswith("column") else f"the {name}"
