"""The one door to the Rust searches of Superpuzz. Every solution is replayed by the referee before it leaves here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engines import _native
from engines.solitaire.limits import Bounds
from engines.superpuzz import rules
from engines.superpuzz.deal import Deal, deal_from_deck
from engines.superpuzz.rules import Move, Position


class Mode(StrEnum):
    """What is searched for."""

    census = "census"
    """All reachable states and all wins."""
    decide = "decide"
    """A win, or the proof that there is none, as fast as possible."""
    shortest = "shortest"
    """A win after as few moves as can be."""


class Order(StrEnum):
    """In which order a census finds states."""

    depth = "depth"
    breadth = "breadth"


@dataclass(frozen=True)
class Found:
    """What a search found."""

    outcome: str
    """``won``, ``lost`` or ``undecided``."""
    limit: str | None
    """What an undecided search ran into: ``states``, ``memory`` or ``time``."""
    states_count: int
    """Census and shortest: states in the paper's sense, the first one counted. Decide: states that were stored."""
    wins_count: int | None
    """Winning positions that were found; census only."""
    states_before_win_count: int | None
    """States that had been found when the first win was; None without a win."""
    peak_bytes: int
    """Memory of the search itself."""
    elapsed_s: float
    """Processor time of the search itself."""
    moves: tuple[Move, ...] | None
    """A solution, None without one."""

    @property
    def moves_count(self) -> int | None:
        """Moves of the solution."""
        return None if self.moves is None else len(self.moves)


def search(deal: Deal, mode: Mode, bounds: Bounds, order: Order = Order.depth) -> Found:
    """Search a deal; ``order`` is that of a census. RuntimeError if the referee does not accept the solution."""
    cells = np.array(deal.position.cells, np.uint8)
    columns = deal.position.columns
    limits = bounds.native()
    match mode:
        case Mode.census:
            result = _native.superpuzz_census(cells, columns, order.value, limits=limits)
        case Mode.shortest:
            result = _native.superpuzz_shortest(cells, columns, limits=limits)
        case Mode.decide:
            result = _native.superpuzz_decide(cells, columns, limits=limits)
    won = result.outcome == "won"
    moves = tuple((int(source), int(hole)) for source, hole in result.moves) if won else None
    if moves is not None:
        check_win(deal.position, moves)
    return Found(
        outcome=result.outcome,
        limit=result.limit,
        states_count=result.states_count,
        wins_count=result.wins_count,
        states_before_win_count=result.states_before_win_count,
        peak_bytes=result.peak_bytes,
        elapsed_s=result.elapsed_s,
        moves=moves,
    )


def check_win(position: Position, moves: tuple[Move, ...]) -> None:
    """RuntimeError unless the referee plays the moves to a win."""
    try:
        end = rules.replay(position, moves)
    except ValueError as error:
        raise RuntimeError(f"the core's solution is against the rules: {error}") from error
    if not rules.is_won(end):
        raise RuntimeError("the core's solution does not end in a win")


def random_deal(seed: int, index: int, columns: int) -> Deal:
    """Deal ``index`` of a seed: the core's shuffled deck, dealt row by row."""
    return deal_from_deck(columns, _native.shuffled_deck(seed, index, rules.ROWS * columns).tolist())
