"""What players of Calculation have in common: how they play, what they tell of a game, what they advise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Protocol

from engines.calculation.estimate import Assignment, Edges, Value
from engines.calculation.rules import RANKS_MAX, Move, Position

LAST_HOPE = Fraction(1, 10**30)
"""What an assignment is worth, halved for each card of the pile that may go on no stack: its foundation may take it
when it is drawn. Not halved where every card has a stack and some two foundations have no chance. Less than any other
value, and told as 0."""


class PositionValue(StrEnum):
    """What a position is worth by the values p_i of its assignments."""

    max = "max"
    """The largest p_i."""
    independent = "independent"
    """1 - prod(1 - p_i), as if assignments succeeded independently."""
    norm = "norm"
    """(sum p_i ** exponent) ** (1 / exponent): between their sum (1) and the largest (infinite)."""


class Misfits(StrEnum):
    """What becomes of an assignment that meant another card for the place that one has gone to."""

    exchange = "exchange"
    """The two cards exchange their places."""
    drop = "drop"
    """It is dropped."""


class Alike(StrEnum):
    """What becomes of assignments with the same cards of the pile for each foundation and the same ten states."""

    once = "once"
    """The first is kept. Of those by which some card may go nowhere the cards of the pile alone count."""
    all = "all"
    """All are kept."""


class Recast(StrEnum):
    """What is added to the kept assignments before a drawn card is tried."""

    drawn = "drawn"
    """Those that differ from one of them in the targets of stacked cards of the drawn card's rank: one is meant for
    another foundation to which no other of them is to go, or two exchange theirs. Of all these the best ones stay: so
    many as may be kept."""
    none = "none"
    """Nothing."""


class Ties(StrEnum):
    """Which of equally good plays is made. Their order is that of ``candidates`` in ``method``."""

    foundation = "foundation"
    """The one with most cards on foundations, then the first."""
    stack = "stack"
    """The one with fewest cards on foundations, then the first."""
    last_stack = "last_stack"
    """The one with most cards on foundations, then the last."""


@dataclass(frozen=True)
class Options:
    """How a player plays."""

    ranks: int = RANKS_MAX
    stacks: int = 3
    keep: int = 200
    """Assignments that are kept, the best ones."""
    look_ahead: int = 0
    value: PositionValue = PositionValue.norm
    exponent: float = 2.0
    """Of the norm."""
    alike: Alike = Alike.once
    recast: Recast = Recast.drawn
    edges: Edges = Edges.own
    exact_cards: int = 12
    """States by all edges that the table has not are worked out up to so many cards; in others each of the two
    foundations counts as if it were alone."""
    misfits: Misfits = Misfits.exchange
    ties: Ties = Ties.foundation
    eager: bool = False
    """Stack tops go to foundations as soon as they can; else all ways are tried, also to leave them."""


@dataclass(frozen=True)
class Played:
    """A game, replayed by the referee."""

    outcome: str
    """``won`` or ``lost``."""
    moves: tuple[Move, ...]
    left_count: int
    """Cards that are on no foundation at the end."""
    draws_count: int
    """Draws after which some assignment had a stack for every card of the pile; all of them when it was won."""
    evaluations_count: int
    """Positions with an assignment that were valued."""
    lookups_count: int
    missing_count: int
    """Of the look-ups in the table, those that found nothing."""
    elapsed_s: float
    """Processor time."""
    assignments: tuple[Assignment | None, ...] = ()
    """After each turn the best assignment, None where none is left; empty unless asked for."""


@dataclass(frozen=True)
class Play:
    """What can be done with the drawn card, and with stack tops after it."""

    moves: tuple[Move, ...]
    position: Position
    """After them."""
    value: float
    assignment: Assignment | None
    """The best one in this position; None when none is left."""


class Player(Protocol):
    """Plays and advises by ``options``."""

    options: Options

    def play(self, decks: Sequence[Sequence[int]], assignments: bool = False) -> list[Played]:
        """Play decks (ranks, the first drawn first); ``assignments``: tell those that were the best."""

    def advise(self, position: Position) -> list[Play]:
        """All that can be done in a position with or without a drawn card, best first."""

    def evaluate(self, position: Position, assignment: Assignment) -> Value:
        """What a position between turns is worth with an assignment."""
