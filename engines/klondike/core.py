"""The one door to the Rust searches of Klondike. Every solution is replayed by the referee before it leaves here."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.klondike import rules
from engines.klondike.rules import RANKS_MAX, SUITS, Kind, Move, Position, Rules
from engines.solitaire.limits import Bounds


class Mode(StrEnum):
    """What is searched for."""

    decide = "decide"
    """A win, or the proof that there is none, as fast as possible."""
    shortest = "shortest"
    """A win after as few moves as can be."""
    plain = "plain"
    """A win, depth first through plain positions without any pruning: slow, for comparison."""


@dataclass(frozen=True)
class Found:
    """What a search found."""

    outcome: str
    """``won``, ``lost`` or ``undecided``."""
    limit: str | None
    """What an undecided search ran into: ``states``, ``memory`` or ``time``."""
    states_count: int
    """States that the search stored."""
    redeals_count: int | None
    """Redeals of the solution, None without one."""
    peak_bytes: int
    """Memory of the search itself."""
    elapsed_s: float
    moves: tuple[Move, ...] | None
    """A solution, None without one."""

    @property
    def moves_count(self) -> int | None:
        """Moves of the solution."""
        return None if self.moves is None else len(self.moves)


def search(position: Position, options: Rules, mode: Mode, bounds: Bounds) -> Found:
    """Search a position; RuntimeError if the referee does not accept the solution."""
    start_s = time.perf_counter()
    result = answer(position, options, mode, bounds)
    return checked(position, options, result, time.perf_counter() - start_s)


def answer(position: Position, options: Rules, mode: Mode, bounds: Bounds) -> _native.KlondikeResult:
    """What the core answers; nothing but a benchmark may use it before it is ``checked``."""
    left = -1 if options.redeals is None else max(0, options.redeals - position.redeals_count)
    states_limit, memory_bytes, time_s = bounds.arguments()
    return _native.klondike_solve(
        np.array([number for column in position.columns for number in column], np.uint8),
        np.array([len(column) for column in position.columns], np.uint8),
        np.array(position.face_down, np.uint8),
        np.array(position.stock, np.uint8),
        np.array(position.waste, np.uint8),
        np.array(position.foundations, np.uint8),
        ranks=position.ranks,
        draw=options.draw,
        redeals=left,
        redeal_rule=options.redeal_rule.value,
        deal_last=options.deal_last,
        foundation_back=options.foundation_back,
        mode=mode.value,
        states_limit=states_limit,
        memory_bytes=memory_bytes,
        time_s=time_s,
    )


def checked(position: Position, options: Rules, result: _native.KlondikeResult, elapsed_s: float) -> Found:
    """An answer with its solution replayed by the referee; RuntimeError if it does not accept that."""
    won = result.outcome == "won"
    moves = check_win(position, _moves(result.moves), options) if won else None
    return Found(
        outcome=result.outcome,
        limit=result.limit or None,
        states_count=result.states_count,
        redeals_count=None if moves is None else sum(move.kind == Kind.REDEAL for move in moves),
        peak_bytes=result.peak_bytes,
        elapsed_s=elapsed_s,
        moves=moves,
    )


def check_win(position: Position, moves: tuple[Move, ...], options: Rules) -> tuple[Move, ...]:
    """The moves up to the first position that is won, as the referee plays them; RuntimeError unless there is one."""
    for number, move in enumerate(moves):
        if rules.is_won(position):
            return moves[:number]
        try:
            position = rules.play(position, move, options)
        except ValueError as error:
            raise RuntimeError(
                f"the core's solution is against the rules: move {number + 1}: {error}"
            ) from error
    if not rules.is_won(position):
        raise RuntimeError("the core's solution does not end in a win")
    return moves


def random_deal(seed: int, index: int) -> Position:
    """Deal ``index`` of a seed: the core's shuffled deck, columns first, then the stock."""
    deck = _native.shuffled_deck(seed, index, SUITS * RANKS_MAX).tolist()
    return rules.first_position([rules.card(n // RANKS_MAX, n % RANKS_MAX + 1) for n in deck])


def _moves(rows: npt.NDArray[np.uint8]) -> tuple[Move, ...]:
    """The core's moves as the referee's, which leave out what goes without saying."""
    found = []
    for kind, source, target, count in rows.tolist():
        match kind:
            case Kind.COLUMN_COLUMN:
                move = Move(Kind.COLUMN_COLUMN, source, target, count)
            case Kind.COLUMN_FOUNDATION:
                move = Move(Kind.COLUMN_FOUNDATION, source)
            case Kind.WASTE_COLUMN:
                move = Move(Kind.WASTE_COLUMN, 0, target)
            case Kind.FOUNDATION_COLUMN:
                move = Move(Kind.FOUNDATION_COLUMN, source, target)
            case _:
                move = Move(Kind(kind))
        found.append(move)
    return tuple(found)
