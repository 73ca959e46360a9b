"""Moves of Superpuzz in words and as JSON values. Rows and columns are counted from 1, as ``drawing`` shows them."""

from __future__ import annotations

from typing import Any

from engines.superpuzz.deal import Deal
from engines.superpuzz.rows import names_of
from engines.superpuzz.rules import Move
from engines.text.cards import sign_of_name


def describe(deal: Deal, move: Move) -> tuple[str, dict[str, Any]]:
    """``3♦ from row 1, column 4 to row 2, column 5, right of 2♦``; and its parts: card, from, to."""
    source, hole = move
    names, columns = names_of(deal), deal.position.columns
    whence, whither = (f"row {cell // columns + 1}, column {cell % columns + 1}" for cell in move)
    words = f"{sign_of_name(names[source])} from {whence} to {whither}"
    if hole % columns:
        words += f", right of {sign_of_name(names[hole - 1])}"
    return words, {"cards": [names[source]], "from": whence, "to": whither}
