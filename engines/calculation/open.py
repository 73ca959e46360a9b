"""Calculation with the whole pile known: the one door to the Rust search.

Every solution is replayed before it leaves here.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines import _native
from engines.search import Bounds

FOUNDATIONS = 4
RANKS_MIN, RANKS_MAX = 4, 13
STACKS_MAX = 5
DRAWN = 255
"""Where a move of the drawn card comes from."""

Move = tuple[int, int]
"""From ``DRAWN`` or a stack, 0 first; to a foundation, 0 to 3, or to stack s as 4 + s."""


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
    moves: tuple[Move, ...] | None
    """A solution, each draw being a move from ``DRAWN``; None without one."""

    @property
    def moves_count(self) -> int | None:
        """Moves of the solution."""
        return None if self.moves is None else len(self.moves)


def search(deck: Sequence[int], stacks: int, bounds: Bounds) -> Found:
    """Decide a deck: its ranks, from 1, first drawn first, each four times.

    ValueError names ``deck`` or ``stacks`` (1 to 5); RuntimeError if the core's solution is none.
    """
    start_s = time.perf_counter()
    states_limit, memory_bytes, time_s = bounds.arguments()
    result = _native.calculation_open(
        np.array(deck, np.uint8),
        stacks=stacks,
        states_limit=states_limit,
        memory_bytes=memory_bytes,
        time_s=time_s,
    )
    elapsed_s = time.perf_counter() - start_s
    moves = None
    if result.outcome == "won":
        moves = tuple((source, target) for source, target in result.moves.tolist())
        check_win(deck, stacks, moves)
    return Found(
        outcome=result.outcome,
        limit=result.limit or None,
        states_count=result.states_count,
        peak_bytes=result.peak_bytes,
        elapsed_s=elapsed_s,
        moves=moves,
    )


def random_deck(seed: int, index: int, ranks: int = RANKS_MAX) -> tuple[int, ...]:
    """Deck ``index`` of a seed, as ranks: the core's shuffled cards, which lie by suits before the shuffle.

    With fewer ranks it is that of a smaller pack.
    """
    shuffled = _native.shuffled_deck(seed, index, FOUNDATIONS * ranks)
    return tuple(number // FOUNDATIONS + 1 for number in shuffled.tolist())


def row(foundation: int, ranks: int) -> list[int]:
    """The ranks of a foundation in the order in which it takes them.

    They are the multiples of ``foundation + 1`` around the first prime that is no less than ``ranks``.
    """
    around = next(n for n in range(ranks, 2 * ranks) if all(n % divisor for divisor in range(2, n)))
    steps = [(foundation + 1) * step % around or around for step in range(1, around + 1)]
    return [rank for rank in steps if rank <= ranks]


def check_win(deck: Sequence[int], stacks: int, moves: Sequence[Move]) -> None:
    """RuntimeError unless the moves keep to the rules and win."""
    ranks = len(deck) // FOUNDATIONS
    rows = [row(foundation, ranks) for foundation in range(FOUNDATIONS)]
    piles: list[list[int]] = [[] for _ in range(stacks)]
    pile = list(reversed(deck))
    for number, (source, target) in enumerate(moves, 1):
        cards = pile if source == DRAWN else piles[source]
        if not cards:
            raise RuntimeError(f"the core's solution is against the rules: move {number} is of no card")
        rank = cards.pop()
        if target >= FOUNDATIONS and source == DRAWN:
            piles[target - FOUNDATIONS].append(rank)
        elif target < FOUNDATIONS and rows[target][:1] == [rank]:
            rows[target].pop(0)
        else:
            raise RuntimeError(f"the core's solution is against the rules: move {number} of a {rank}")
    if any(rows):
        raise RuntimeError("the core's solution does not end in a win")
