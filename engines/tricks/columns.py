"""Columns that jobs of trick taking have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.columns import column

if TYPE_CHECKING:
    import pyarrow as pa


def shared(*names: str) -> list[pa.Field]:
    """These columns."""
    return [column(name, *_SHARED[name]) for name in names]


_SHARED: dict[str, tuple[str, str, str]] = {
    "above": ("uint8", "cards", "Cards above the point cards."),
    "aim": ("string", "", "most: point cards are to be won; fewest: they are to be avoided."),
    "k": ("uint8", "cards", "Point cards."),
    "point_cards": (
        "string",
        "",
        "Which cards are point cards: the highest, the lowest, or anywhere in a row.",
    ),
}
"""Name -> type, unit and meaning."""
