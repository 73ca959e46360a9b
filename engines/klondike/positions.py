"""Positions of Klondike for every door."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract.blank import Blank, pack
from engines.contract.positions import NoRules
from engines.klondike.game import Klondike
from engines.klondike.rules import COLUMNS_MAX, STOCK_MAX
from engines.solitaire.positions import SolitairePositions
from engines.text.cards import RANKS


class KlondikePositions(SolitairePositions):
    """Positions of a solitaire, with a deal to fill in."""

    def __init__(self) -> None:
        super().__init__(Klondike())

    def blank(self, sizes: NoRules) -> Blank:
        """Columns, the lowest card first, and the stock."""
        columns = ((f"column {count}", count) for count in range(1, COLUMNS_MAX + 1))
        return Blank((*columns, ("stock, first dealt first", STOCK_MAX)), pack(RANKS), "S3 or 10H")

    def filled(self, sizes: NoRules, names: Sequence[Sequence[str]]) -> str:
        """All cards on a line."""
        return " ".join(name for pile in names for name in pile)
