"""Positions of Superpuzz for every door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.contract.blank import Blank, pack
from engines.contract.options import option
from engines.solitaire.positions import SolitairePositions
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.rows import HOLE_NAME
from engines.superpuzz.rules import COLUMNS_MAX, COLUMNS_MIN, ROWS, SUITS
from engines.text.cards import RANKS


@dataclass(unsafe_hash=True)
class Sizes:
    """The size of a deal."""

    columns: int = option(COLUMNS_MAX, "Columns.", least=COLUMNS_MIN, most=COLUMNS_MAX)


class SuperpuzzPositions(SolitairePositions):
    """Positions of a solitaire, with a deal to fill in."""

    sizes = Sizes

    def __init__(self) -> None:
        super().__init__(Superpuzz())

    def blank(self, sizes: Sizes) -> Blank:
        """Rows, where kings were taken out."""
        rows = tuple((f"row {number}", sizes.columns) for number in range(1, ROWS + 1))
        return Blank(rows, pack(RANKS[: sizes.columns - 1]), "S3 or 10H", holes_count=SUITS)

    def filled(self, sizes: Sizes, names: Sequence[Sequence[str]]) -> str:
        """Rows joined by slashes."""
        return " / ".join(" ".join(name or HOLE_NAME for name in row) for row in names)
