"""Columns that several games, or sweeps and tables, share: each is declared once."""

from __future__ import annotations

from storage.columns import Vocabulary

MOVES_COUNTED = (
    "Moves of the solution, up to the last card: of a card, of cards that go together, or a draw from the stock; "
    "redeals and turned cards do not count."
)
"""How moves are counted in all games."""
FEWEST = (
    "It is proven that no solution has fewer moves. Unless a limit was hit, the shortest ones have so many."
)
"""Of a search for a shortest solution."""

shared = Vocabulary(
    {
        "cards": ("uint8", "cards", "Cards of each player or board; of a table, the largest number.", False),
        "deal": ("string", "", "The deal as text.", True),
        "deal_index": ("uint64", "", "Number of the deal under its seed or in its file, from 0.", False),
        "fewest_count": ("int32", "moves", FEWEST, True),
        "layer": ("uint8", "cards", "Layer: cards left in the pile, or cards of each player.", False),
        "limit": ("string", "", "Limit that the search has hit: states, memory or time.", True),
        "moves_count": ("int32", "moves", MOVES_COUNTED, True),
        "peak_bytes": ("int64", "bytes", "Most memory that the work on the row took.", False),
        "solution": ("string", "", "Moves as text: of the solution, or of the game as it was played.", True),
        "stacks": ("uint8", "stacks", "Number of stacks.", False),
        "states_count": ("int64", "states", "States that a search has stored or a table has.", False),
    }
)
"""With whether they may be null."""
