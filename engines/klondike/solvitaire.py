"""Deals of Klondike in the JSON form of the solver Solvitaire.

    {
      "tableau piles": [["4D"], ["3c", "4C"], ["9s", "7d", "6H"], ["Ah", "7s", "2c", "JD"]],
      "stock": ["10H", "8D", "7H"],
      "waste": [],
      "foundations": ["AS", "2S"]
    }

An object a deal, one after another or in an array. Cards are a rank (A or 1, 2 to 10, J or 11, Q or 12, K or 13) and a
suit. The suit's letter is small for a card that lies face down; where no suit of a first deal is small (nothing on
waste and foundations, columns of 1, 2, ... cards), as in older files of that solver, the top cards alone lie face up.
Columns, waste and foundations go from the bottom to the top, and so does the stock, whose last card is dealt first.
``stock``, ``waste`` and ``foundations`` may be left out; foundations may be an array for each suit, too, and the top
card of a foundation stands for all of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from engines.klondike.pieces import Card, Pieces
from engines.klondike.rules import Position
from engines.text.cards import SUITS as SUIT_NAMES
from engines.text.cards import card_name
from engines.text.textfile import shown
from storage.errors import UserError

_KEYS = ("tableau piles", "stock", "waste", "foundations")
_RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(rank): rank for rank in range(1, 14)}
_CARD = re.compile(r"([0-9]{1,2}|[AJQK])([CDHS])", re.IGNORECASE | re.ASCII)


def read_solvitaire(text: str, source: str) -> list[Position]:
    """All deals of a JSON text; UserError when it is none."""
    deals = []
    for number, (line, value) in enumerate(_objects(text, source), start=1):
        deals.append(_position(value, Pieces(f"{source}, deal {number}", line)))
    return deals


def _objects(text: str, source: str) -> Iterator[tuple[int, Any]]:
    """Every object, and the line where it begins (that of the array for objects in one)."""
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    at = 0
    while match := re.compile(r"\S").search(text, at):
        line = text.count("\n", 0, match.start()) + 1
        try:
            value, at = decoder.raw_decode(text, match.start())
        except json.JSONDecodeError as error:
            raise UserError(f"{source}, line {error.lineno}", f"is no JSON: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise UserError(f"{source}, line {line}", f"is no deal: {error}") from None
        for each in value if isinstance(value, list) else [value]:
            yield line, each


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{shown(max(names, key=names.count))} is told twice")
    return found


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
    founded = _array(value, "foundations", pieces)
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
