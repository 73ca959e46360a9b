"""Columns shared by jobs of trick taking."""

from __future__ import annotations

from storage.columns import Vocabulary

shared = Vocabulary(
    {
        "above": ("uint8", "cards", "Cards above the point cards."),
        "aim": ("string", "", "most: point cards are to be won; fewest: they are to be avoided."),
        "k": ("uint8", "cards", "Point cards."),
        "point_cards": (
            "string",
            "",
            "Which cards are point cards: the highest, the lowest, or anywhere in a row.",
        ),
    }
)
