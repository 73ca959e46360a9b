"""The best play of Calculation without seeing the pile: the only way to the Rust count of the orders that it wins."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engines import _native
from engines.calculation.rules import Position
from engines.solitaire.limits import Bounds

BEST_RANKS_MAX = 6
"""With more ranks a pile has more orders than the core counts."""


@dataclass(frozen=True)
class Best:
    """What the best play wins from a position on."""

    wins_count: int | None
    """Of ``orders_count``; None where a limit was hit."""
    orders_count: int
    """Orders in which the ranks of the pile can be drawn; all of them are as likely."""
    limit: str | None
    """The limit that was hit: ``states``, ``memory`` or ``time``."""
    states_count: int
    """Positions that the search stored."""
    peak_bytes: int
    """Memory of the search itself."""
    cpu_s: float
    """Processor time of the search, in seconds."""

    @property
    def chance(self) -> Fraction | None:
        """The chance to win; None where a limit was hit."""
        return None if self.wins_count is None else Fraction(self.wins_count, self.orders_count)


def best(position: Position, bounds: Bounds) -> Best:
    """The best play from a position between two draws, of up to six ranks and five stacks; ValueError names what is
    out of range."""
    found = _native.calculation_best(
        list(position.heights),
        [list(stack) for stack in position.stacks],
        ranks=position.ranks,
        limits=bounds.native(),
    )
    return Best(
        found.wins_count,
        found.orders_count,
        found.limit,
        found.states_count,
        found.peak_bytes,
        found.elapsed_s,
    )
