"""Calculation with the whole pile known: the one door to the Rust search.

Every solution is replayed before it leaves here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines import _native
from engines.calculation import rules
from engines.calculation.rules import COPIES, Move
from engines.solitaire.found import Found, found
from engines.solitaire.limits import Bounds


def search(deck: Sequence[int], stacks: int, bounds: Bounds) -> Found[Move]:
    """Decide a deck: its ranks, from 1, first drawn first, each four times. Its work is counted in dead ends.

    From each dead end, some choices that cannot win together, the search learns a clause.
    ValueError names ``deck`` or ``stacks`` (1 to 5); RuntimeError if the core's solution is none.
    """
    states_limit, memory_bytes, time_s = bounds.arguments()
    result = _native.calculation_open(
        np.array(deck, np.uint8),
        stacks=stacks,
        states_limit=states_limit,
        memory_bytes=memory_bytes,
        time_s=time_s,
    )
    moves = None
    if result.outcome == "won":
        moves = tuple(Move(*row) for row in result.moves.tolist())
        check_win(deck, stacks, moves)
    return found(result, result.cpu_s, moves)


def check_win(deck: Sequence[int], stacks: int, moves: Sequence[Move]) -> None:
    """RuntimeError unless the referee says that the moves keep to the rules and win."""
    replayed = rules.replay(deck, moves, len(deck) // COPIES, stacks)
    if replayed.problem is not None:
        raise RuntimeError(f"the core's solution is against the rules: {replayed.problem}")
    if replayed.outcome != "won":
        raise RuntimeError("the core's solution does not end in a win")
