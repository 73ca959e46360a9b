"""Calculation with the whole pile known: the one door to the Rust search.

Every solution is replayed before it leaves here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines import _native
from engines.calculation import rules
from engines.calculation.rules import COPIES, Move
from engines.solitaire.limits import Bounds

STACKS_MAX = 5


@dataclass(frozen=True)
class Found:
    """What a search of a deck found."""

    outcome: str
    """``won``; ``lost``: no play wins; or ``undecided``."""
    limit: str | None
    """What an undecided search ran into: ``states``, ``memory`` or ``time``."""
    states_count: int
    """Dead ends of the search, from each of which it learnt a clause."""
    peak_bytes: int
    """Memory of the search itself."""
    elapsed_s: float
    """Processor time of the search itself."""
    moves: tuple[Move, ...] | None
    """A solution; None without one."""

    @property
    def moves_count(self) -> int | None:
        """Moves of the solution."""
        return None if self.moves is None else len(self.moves)


def search(deck: Sequence[int], stacks: int, bounds: Bounds) -> Found:
    """Decide a deck: its ranks, from 1, first drawn first, each four times.

    ValueError names ``deck`` or ``stacks`` (1 to 5); RuntimeError if the core's solution is none.
    """
    result = _native.calculation_open(np.array(deck, np.uint8), stacks=stacks, limits=bounds.native())
    moves = None
    if result.outcome == "won":
        moves = tuple(Move(*row) for row in result.moves.tolist())
        check_win(deck, stacks, moves)
    return Found(
        outcome=result.outcome,
        limit=result.limit,
        states_count=result.states_count,
        peak_bytes=result.peak_bytes,
        elapsed_s=result.elapsed_s,
        moves=moves,
    )


def check_win(deck: Sequence[int], stacks: int, moves: Sequence[Move]) -> None:
    """RuntimeError unless the referee says that the moves keep to the rules and win."""
    found = rules.replay(deck, moves, len(deck) // COPIES, stacks)
    if found.problem is not None:
        raise RuntimeError(f"the core's solution is against the rules: {found.problem}")
    if found.outcome != "won":
        raise RuntimeError("the core's solution does not end in a win")
