"""Columns that several games, or sweeps and tables, have: each is said once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.columns import column

if TYPE_CHECKING:
    import pyarrow as pa

_SHARED: dict[str, tuple[str, str, str, bool]] = {
    "cards": ("uint8", "cards", "Cards of each player or board; of a table: of its largest deals.", False),
    "deal": ("string", "", "The deal as text.", True),
    "deal_index": ("uint64", "", "Number of the deal under its seed or in its file, from 0.", False),
    "layer": ("uint8", "cards", "Layer of a table: cards left in the pile, or cards of each player.", False),
    "limit": ("string", "", "Limit that the search has hit: states, memory or time.", True),
    "moves_count": ("int32", "moves", "Moves of the solution.", True),
    "peak_bytes": ("int64", "bytes", "Most memory that the work on the row took.", False),
    "solution": ("string", "", "Moves as text: of the solution, or of the game as it was played.", True),
    "stacks": ("uint8", "stacks", "Number of stacks.", False),
    "states_count": ("int64", "states", "States that a search has stored or counted, or a table has.", False),
}
"""Name -> type, unit, meaning, and whether it may be null."""


def shared(*names: str) -> list[pa.Field]:
    """These columns."""
    return [column(name, *_SHARED[name]) for name in names]
