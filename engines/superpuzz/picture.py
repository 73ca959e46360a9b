"""Deals of Superpuzz as pictures: rows from 1, holes with the name of what was taken out there."""

from __future__ import annotations

from engines.contract.picture import Card, Look, Picture, Pile, Spread
from engines.superpuzz.deal import Deal
from engines.superpuzz.rules import HOLE


def picture(deal: Deal) -> Picture:
    """A row of cells for each row."""
    columns, kings = deal.position.columns, deal.kings_by_cell()
    cells = [
        Card(deal.hole_name(kings[cell]), Look.place) if number == HOLE else Card(deal.name_of(number))
        for cell, number in enumerate(deal.position.cells)
    ]
    return Picture(
        tuple(
            (Pile(f"row {begin // columns + 1}", tuple(cells[begin : begin + columns]), Spread.apart),)
            for begin in range(0, len(cells), columns)
        )
    )
