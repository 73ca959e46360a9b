"""A redeal, as Gaps is played: cards in their places stay, all others are shuffled and dealt again.

Each row keeps the cards in sequence from its left edge (``rules.in_place``); the cell after them becomes its hole,
the leftmost cell where there are none. The other cells get the gathered cards, row by row.
"""

from __future__ import annotations

from engines import _native
from engines.superpuzz import rules
from engines.superpuzz.deal import Deal
from engines.superpuzz.rules import HOLE, ROWS, Position

REDEALS_MAX = 7
INDEX_MAX = (1 << 60) - 1
"""Deals of a seed up to this index have their own shuffles for each redeal."""
_BEYOND_DEALS = 1 << 63
"""Streams of a seed from here on belong to redeals, not to deals."""


def redeal(deal: Deal, seed: int, index: int, number: int) -> Deal:
    """The position after redeal ``number`` (from 0) of deal ``index`` of a seed.

    Its holes have no names from before: they get them in the order C, D, H, S.
    """
    columns = deal.position.columns
    kept = set(rules.in_place(deal.position))
    holes = {
        next(cell for cell in range(row * columns, (row + 1) * columns) if cell not in kept)
        for row in range(ROWS)
    }
    gathered = [card for cell, card in enumerate(deal.position.cells) if cell not in kept and card != HOLE]
    stream = _BEYOND_DEALS + index * (REDEALS_MAX + 1) + number
    order = _native.shuffled_deck(seed, stream, len(gathered)).tolist()
    shuffled = iter([gathered[place] for place in order])
    cells = tuple(
        card if cell in kept else HOLE if cell in holes else next(shuffled)
        for cell, card in enumerate(deal.position.cells)
    )
    return Deal(Position(columns, cells), tuple(range(len(holes))), deal.aces_out)
