"""Deals of Superpuzz and Gaps in the JSON form of the solver Solvitaire.

    {
      "sequences": [["2C","4S","4C",""], ["2D","3S","4D",""], ["2S","3C","3D",""], ["2H","3H","4H",""]]
    }

An object for each deal, one after another or in an array; a row of the deal is an array, and a hole is an empty text.
The rows are otherwise those of ``text``.
"""

from __future__ import annotations

import json
from typing import Any

from engines.superpuzz.deal import Deal
from engines.superpuzz.rows import HOLE_NAME, Row, RowsReader, names_of
from engines.text.forms import Lines
from engines.text.jsonform import take_values
from engines.text.textfile import shown
from storage.errors import UserError

_KEY = "sequences"


def read_sequences(lines: Lines, source: str, number: int) -> list[Deal]:
    """All deals of the JSON values that come next, the first of them deal ``number``; UserError when there are none."""
    return [
        RowsReader(source, at, _rows(value, f"{source}, deal {at}, line {line}", line)).deal()
        for at, (line, value) in enumerate(take_values(lines, source), start=number)
    ]


def format_sequences(deal: Deal) -> str:
    """A deal as a JSON object, one row on each line. Holes have no names."""
    holes = set(deal.position.holes)
    words = [
        "" if cell in holes else ("10" if name[1] == "0" else name[1]) + name[0]
        for cell, name in enumerate(names_of(deal))
    ]
    columns = deal.position.columns
    rows = [json.dumps(words[at : at + columns]) for at in range(0, len(words), columns)]
    return '{\n  "sequences": [\n    ' + ",\n    ".join(rows) + "\n  ]\n}"


def _rows(value: Any, place: str, line: int) -> list[Row]:
    if not isinstance(value, dict) or list(value) != [_KEY]:
        raise UserError(place, f'a deal is an object with "{_KEY}" alone, not {shown(json.dumps(value))}')
    rows = value[_KEY]
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise UserError(place, f'"{_KEY}" are arrays of cards, not {shown(json.dumps(rows))}')
    for word in (word for row in rows for word in row):
        if not isinstance(word, str):
            raise UserError(place, f'{shown(json.dumps(word))} is no card; cards are like "3S" or "10h"')
    return [Row(line, [word.strip() or HOLE_NAME for word in row]) for row in rows]
