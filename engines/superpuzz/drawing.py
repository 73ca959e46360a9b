"""Drawings of deals of Superpuzz: rows and columns with their numbers from 1."""

from __future__ import annotations

from engines.superpuzz.deal import Deal
from engines.superpuzz.rows import HOLE_NAME, names_of
from engines.text.cards import sign_of_name

_CELL = 4


def draw(deal: Deal) -> str:
    """A line for each row, holes as ``--``."""
    columns, holes = deal.position.columns, set(deal.position.holes)
    signs = [HOLE_NAME if cell in holes else sign_of_name(name) for cell, name in enumerate(names_of(deal))]
    rows = [["", *map(str, range(1, columns + 1))]]
    rows += [
        [str(begin // columns + 1), *signs[begin : begin + columns]]
        for begin in range(0, len(signs), columns)
    ]
    return "\n".join(row[0].rjust(2) + "".join(f"{each:>{_CELL}}" for each in row[1:]) for row in rows)
