"""Pictures of deals of Superpuzz: rows from 1, and holes with the name of the card that was taken out."""

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
