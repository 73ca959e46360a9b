"""What a search of one deal found, and what became of a solution that was replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from engines import _native

Move = TypeVar("Move")

WON, SURELY_WON = "won", "surely won"
"""Endings of a solution that wins: after the last move, and where the moves that are left go without saying."""


@dataclass(frozen=True)
class Best(Generic[Move]):
    """The most cards that a line of play brings where they are to go. The line was replayed by the referee."""

    count: int
    """Cards that are there after ``moves``."""
    most_count: int
    """No line of play gets more cards there; more than ``count`` only where a limit was hit."""
    limit: str | None
    """What the search ran into: ``states``, ``memory`` or ``time``; None where ``count`` is exact."""
    effort_count: int
    peak_bytes: int
    """As of ``Found``."""
    cpu_s: float
    """Processor time of the search, in seconds."""
    moves: tuple[Move, ...]
    free_count: int = 0
    """As of ``Found``."""

    @property
    def moves_count(self) -> int:
        """Moves of the line that count."""
        return len(self.moves) - self.free_count


@dataclass(frozen=True)
class Found(Generic[Move]):
    """What a search found. Its solution was replayed by the referee."""

    outcome: str
    """``won``, ``lost``: no play wins, or ``undecided``."""
    limit: str | None
    """What a search ran into: ``states``, ``memory`` or ``time``.

    It is undecided then, unless it has a solution and looked for a shorter one, or for more of them.
    """
    effort_count: int
    """What the search counts its work in, states if the game does not say otherwise."""
    peak_bytes: int
    """Memory of the search itself."""
    cpu_s: float
    """Processor time of the search, in seconds."""
    moves: tuple[Move, ...] | None
    """A solution, None without one."""
    counts: Mapping[str, int | None] = field(default_factory=dict)
    """Counts of the game's own, by column."""
    free_count: int = 0
    """Moves of the solution that count as none, such as redeals."""
    remark: str = ""
    """What else is said of it."""
    fewest_count: int | None = None
    """No solution has fewer moves; None where nobody asked for a shortest one, or there is none."""

    @property
    def moves_count(self) -> int | None:
        """Moves of the solution that count."""
        return None if self.moves is None else len(self.moves) - self.free_count


def found(
    result: _native.SearchResult,
    moves: tuple[Move, ...] | None,
    free_count: int = 0,
    remark: str = "",
    **counts: int | None,
) -> Found[Move]:
    """The core's answer with the moves that the referee has accepted."""
    fewest_count = result.fewest_count
    if fewest_count is not None and moves is not None:
        # The core counts the moves of a last card that the rules never deal.
        fewest_count = min(fewest_count, len(moves) - free_count)
    return Found(
        outcome=result.outcome,
        limit=result.limit,
        effort_count=result.states_count,
        peak_bytes=result.peak_bytes,
        cpu_s=result.elapsed_s,
        moves=moves,
        counts=counts,
        free_count=free_count,
        remark=remark,
        fewest_count=fewest_count,
    )


def best_found(result: _native.BestResult, moves: tuple[Move, ...], free_count: int = 0) -> Best[Move]:
    """The core's answer with the moves that the referee has accepted."""
    return Best(
        count=result.count,
        most_count=result.most_count,
        limit=result.limit,
        effort_count=result.states_count,
        peak_bytes=result.peak_bytes,
        cpu_s=result.elapsed_s,
        moves=moves,
        free_count=free_count,
    )


@dataclass(frozen=True)
class Replay(Generic[Move]):
    """What became of a written solution."""

    moves: tuple[Move, ...]
    """Those up to the end, or to the first that fails."""
    problem: str | None
    """What is wrong with it; None when it is what it says."""
    counts: Mapping[str, Any] = field(default_factory=dict)
    """What else is told of it, by name."""
    remark: str = ""
    """What else is said of it."""
    ending: str = WON
    """How it ends without a problem: ``won`` unless it may also end before the last move, or a game that is lost."""
    free_count: int = 0
    """Moves that count as none."""

    @property
    def is_win(self) -> bool:
        """Whether it wins, or ends where nothing can keep it from that."""
        return self.problem is None and self.ending in (WON, SURELY_WON)

    @property
    def moves_count(self) -> int:
        """How many were played that count."""
        return len(self.moves) - self.free_count
