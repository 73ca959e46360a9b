"""The result of a search of one deal, and the result of a replayed solution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from engines import _native

Move = TypeVar("Move")

WON, SURELY_WON = "won", "surely won"
"""Endings of a solution that wins: after the last move, and where only obvious moves are left."""


@dataclass(frozen=True)
class Best(Generic[Move]):
    """The most cards that a line of play brings to their places. The line was replayed by the referee."""

    count: int
    """Cards in their places after ``moves``."""
    most_count: int
    """Upper bound: no line of play gets more cards there. It differs from ``count`` only where a limit was hit."""
    limit: str | None
    """The limit that was hit: ``states``, ``memory`` or ``time``; None where ``count`` is exact."""
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
        """Counted moves of the line."""
        return len(self.moves) - self.free_count


@dataclass(frozen=True)
class Found(Generic[Move]):
    """The result of a search. Its solution was replayed by the referee."""

    outcome: str
    """``won``, ``lost``: no play wins, or ``undecided``."""
    limit: str | None
    """The limit that was hit: ``states``, ``memory`` or ``time``.

    Then the deal is undecided, unless the search has a solution and looked for a shorter one, or for more of them.
    """
    effort_count: int
    """The work of the search, in states if the game does not say otherwise."""
    peak_bytes: int
    """Memory of the search itself."""
    cpu_s: float
    """Processor time of the search, in seconds."""
    moves: tuple[Move, ...] | None
    """A solution, None without one."""
    counts: Mapping[str, int | None] = field(default_factory=dict)
    """Further counts of the game, by column."""
    free_count: int = 0
    """Moves of the solution that are not counted, such as redeals."""
    remark: str = ""
    """Further remarks, in words."""
    fewest_count: int | None = None
    """Lower bound: no solution has fewer moves. None where no shortest one was looked for, or there is none."""

    @property
    def moves_count(self) -> int | None:
        """Counted moves of the solution."""
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
        # The core also counts the moves of a last card that the rules never deal.
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
    """The result of replaying a written solution."""

    moves: tuple[Move, ...]
    """The moves up to the end, or up to the first that fails."""
    problem: str | None
    """What is wrong with it; None when it ends as it claims."""
    counts: Mapping[str, Any] = field(default_factory=dict)
    """Further values, by name."""
    remark: str = ""
    """Further remarks, in words."""
    ending: str = WON
    """Its ending where there is no problem: ``won``, or another where a solution may stop before the last move, or
    record a lost game."""
    free_count: int = 0
    """Moves that are not counted."""

    @property
    def is_win(self) -> bool:
        """Whether it wins, or ends where the win is certain."""
        return self.problem is None and self.ending in (WON, SURELY_WON)

    @property
    def moves_count(self) -> int:
        """Number of counted moves that were played."""
        return len(self.moves) - self.free_count
