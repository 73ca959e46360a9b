"""Deals of Klondike in the JSON form of the solver Solvitaire.

    {
      "tableau piles": [["4D"], ["3c", "4C"], ["9s", "7d", "6H"], ["Ah", "7s", "2c", "JD"]],
      "stock": ["10H", "8D", "7H"],
      "waste": [],
      "foundations": ["AS", "2S"]
    }

An object for each deal, one after another or in an array. Cards are a rank (A or 1, 2 to 10, J or 11, Q or 12, K or
13) and a suit. The suit's letter is small for a card that lies face down; where no suit of a first deal is small
(nothing on waste and foundations, columns of 1, 2, ... cards), as in older files of that solver, the top cards alone
lie face up. Columns, waste and foundations go from the bottom to the top, and so does the stock, whose last card is
dealt first. ``stock``, ``waste`` and ``foundations`` (or ``foundation``) may be left out; foundations may be an array
for each suit, too, and the top card of a foundation stands for all of it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from engines.klondike.pieces import Card, Pieces
from engines.klondike.rules import Position
from engines.klondike.unknown import unknown_count
from engines.text.cards import SUITS as SUIT_NAMES
from engines.text.cards import card_name, card_number, name_of
from engines.text.forms import Lines
from engines.text.jsonform import take_values
from engines.text.textfile import shown

_FOUNDATIONS = ("foundations", "foundation")
_KEYS = ("tableau piles", "stock", "waste", *_FOUNDATIONS)
_RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(rank): rank for rank in range(1, 14)}
_CARD = re.compile(r"([0-9]{1,2}|[AJQK])([CDHS])", re.IGNORECASE | re.ASCII)


def read_solvitaire(lines: Lines, source: str, number: int) -> list[Position]:
    """All deals of the JSON values that come next, the first of them deal ``number``; UserError when there are none."""
    return [
        _position(value, Pieces(f"{source}, deal {at}", line))
        for at, (line, value) in enumerate(take_values(lines, source), start=number)
    ]


def format_solvitaire(position: Position) -> str | None:
    """A position as a JSON object, on a line for each part; None if a card is not known or after a redeal."""
    if unknown_count(position) or position.redeals_count:
        return None
    columns = [
        [_written(number, at < down) for at, number in enumerate(column)]
        for column, down in zip(position.columns, position.face_down, strict=True)
    ]
    founded = [
        [_written(card_number(suit, rank), False) for rank in range(1, top + 1)]
        for suit, top in enumerate(position.foundations)
    ]
    piles = ",\n".join(f"    {json.dumps(column)}" for column in columns)
    told = {
        "stock": [_written(number, False) for number in position.stock[::-1]],
        "waste": [_written(number, False) for number in position.waste],
        "foundations": founded,
    }
    parts = [
        f'  "tableau piles": [\n{piles}\n  ]',
        *(f'  "{key}": {json.dumps(cards)}' for key, cards in told.items()),
    ]
    return "{\n" + ",\n".join(parts) + "\n}"


def _written(number: int, down: bool) -> str:
    suit, rank = name_of(number)[0], name_of(number)[1]
    return ("10" if rank == "0" else rank) + (suit.lower() if down else suit)


def _position(value: Any, pieces: Pieces) -> Position:
    if not isinstance(value, dict):
        pieces.fail(f'a deal is an object with "tableau piles", not {shown(json.dumps(value))}')
    for key in value:
        if key not in _KEYS:
            pieces.fail(f"{shown(key)} is unknown; there can be {', '.join(_KEYS)}")
    if "tableau piles" not in value:
        pieces.fail('"tableau piles" is missing')
    columns = _array(value, "tableau piles", pieces)
    downs = []
    for index, column in enumerate(columns):
        where = f"column {index}"
        if not isinstance(column, list):
            pieces.fail(f"{where}: {shown(json.dumps(column))} is no array of cards")
        pieces.columns.append(_cards(column, where, pieces))
        downs.append([name[-1].islower() for name in column])
    pieces.stock = _cards(_array(value, "stock", pieces), "stock", pieces)[::-1]
    pieces.waste = _cards(_array(value, "waste", pieces), "waste", pieces)
    both = [key for key in _FOUNDATIONS if key in value]
    if len(both) > 1:
        pieces.fail(f"{' and '.join(both)} are the same")
    founded = _array(value, both[0] if both else "foundations", pieces)
    _found([name for each in founded for name in (each if isinstance(each, list) else [each])], pieces)
    if not any(map(any, downs)) and _is_first(pieces):
        downs = [[True] * (len(column) - 1) + [False] for column in downs]
    for index, down in enumerate(downs):
        if sorted(down, reverse=True) != down:
            pieces.fail(f"column {index}: a card lies face down on one that lies face up")
        pieces.face_down.append(sum(down))
    return pieces.position()


def _array(value: dict[str, Any], key: str, pieces: Pieces) -> list[Any]:
    found = value.get(key, [])
    if not isinstance(found, list):
        pieces.fail(f"{key}: {shown(json.dumps(found))} is no array")
    return found


def _cards(names: list[Any], where: str, pieces: Pieces) -> list[Card]:
    found = []
    for name in names:
        match = _CARD.fullmatch(name) if isinstance(name, str) else None
        rank = None if match is None else _RANKS.get(match[1].upper())
        if match is None or rank is None:
            pieces.fail(f'{where}: {shown(json.dumps(name))} is no card; cards are like "3S" or "10h"')
        found.append((SUIT_NAMES.index(match[2].upper()), rank))
    return found


def _found(names: list[Any], pieces: Pieces) -> None:
    for suit, rank in _cards(names, "foundations", pieces):
        top = pieces.foundations[suit]
        if top and rank != top + 1:
            pieces.fail(f"foundations: {card_name(suit, rank)} cannot lie on {card_name(suit, top)}")
        pieces.foundations[suit] = rank


def _is_first(pieces: Pieces) -> bool:
    lengths = sorted(map(len, pieces.columns))
    return not pieces.waste and not any(pieces.foundations) and lengths == list(range(1, len(lengths) + 1))
