"""Shared by players of Calculation: their options, their games, their advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Protocol

from engines.calculation.estimate import Assignment, Edges, Value
from engines.calculation.options import STACKS_MAX, Ranks, stacks_option
from engines.calculation.rules import Move, Position
from engines.contract.options import option

LAST_HOPE = Fraction(1, 10**30)
"""Value of an assignment by which some cards of the pile may go on no stack; it is halved for each such card. Such a
card may still be drawn when its foundation takes it. It is not halved where every card has a stack, but two
foundations have no chance together. Smaller than any other value, and shown as 0."""


class PositionValue(StrEnum):
    """How the value of a position follows from the values p_i of its assignments."""

    max = "max"
    """The largest p_i."""
    independent = "independent"
    """1 - prod(1 - p_i), as if assignments succeeded independently."""
    norm = "norm"
    """(sum p_i ** exponent) ** (1 / exponent): between their sum (1) and the largest (infinite)."""


class Misfits(StrEnum):
    """What happens to an assignment that expected another copy of a card on the foundation to which one has gone."""

    exchange = "exchange"
    """The two cards exchange their places."""
    drop = "drop"
    """It is dropped."""


class Alike(StrEnum):
    """What happens to assignments with the same cards of the pile for each foundation and the same ten states."""

    once = "once"
    """Only the first is kept. Where some card may go nowhere, only the cards of the pile are compared."""
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
    """Which of equally good plays is made; they are in the order of ``candidates`` in ``method``."""

    foundation = "foundation"
    """The one with most cards on foundations, then the first."""
    stack = "stack"
    """The one with fewest cards on foundations, then the first."""
    last_stack = "last_stack"
    """The one with most cards on foundations, then the last."""


@dataclass(unsafe_hash=True)
class Method:
    """Options of a player, whatever the size of the game."""

    look_ahead: int = option(
        0, "Draws to look ahead (Tanaka, section 3.4).", most=2, column="uint8", unit="draws"
    )
    keep: int = option(
        200,
        "How many assignments are kept, the best ones. An assignment says to which foundation each card on a stack "
        "will go (Tanaka, section 3.3).",
        least=1,
        most=1_000_000,
        column="int32",
        unit="assignments",
    )
    value: PositionValue = option(
        PositionValue.norm,
        "What a position is worth by the values p of its assignments. max: the largest p, as in Tanaka's player; "
        "independent: 1 - prod(1 - p), which he tried, too (section 3.3); norm: the norm of all p, not in the paper.",
        column="string",
    )
    exponent: float = option(
        2.0,
        "Exponent of the norm (not in the paper). With 1 values are added up; the larger it is, the more the best one "
        "alone counts.",
        least=1,
        most=100,
        column="float64",
    )
    alike: Alike = option(
        Alike.once,
        "How many are kept of assignments that are alike: each foundation gets the same cards of the pile, and all "
        "states are the same. once: the first one, much as Tanaka's section 5 proposes; all: all, as by his player.",
        column="string",
    )
    recast: Recast = option(
        Recast.drawn,
        "Which assignments are added when a card is drawn. drawn: those that send stacked cards of its rank to other "
        "foundations; none: none, since they are added only when a card is stacked, as in Tanaka's section 3.3.",
        column="string",
    )
    edges: Edges = option(
        Edges.own,
        "Cards on stacks decide which card must come before which, and which stacks a card may not go on. Which of "
        "them count when the table is asked about one or two foundations. own: those meant for these foundations; "
        "all: those meant for any, as in Tanaka's section 3.2.",
        column="string",
    )
    exact_cards: int = option(
        12,
        "With edges all, the table lacks some states of two foundations; the paper does not mention them. Those of "
        "up to so many cards are computed. In larger ones each foundation counts as if it were alone.",
        most=24,
        column="uint8",
        unit="cards",
    )
    ties: Ties = option(
        Ties.foundation,
        "Which of equally good plays is made; the paper does not say. foundation: the one with most cards on "
        "foundations, then the first; stack: the one with fewest; last_stack: the one with most, then the last.",
        column="string",
    )
    misfits: Misfits = option(
        Misfits.exchange,
        "What becomes of an assignment that meant another card of the same rank for the foundation to which a card "
        "has just gone; the paper does not say. exchange: the two cards exchange their targets; drop: it is dropped.",
        column="string",
    )
    eager: bool = option(
        False,
        "Always move stack tops to foundations as soon as they fit, though by the rules they may stay (Tanaka, section "
        "1.1).",
        column="bool",
    )
    playouts: int = option(
        0,
        "Piles in random order on which the next draws are played out after each of the best plays of a turn; the "
        "play that leads to the best chances is made. Plays that are surely no better get fewer. Not in the paper. "
        "With 0 the value of a position decides alone.",
        most=10_000,
        column="int32",
        unit="piles",
    )


@dataclass(unsafe_hash=True)
class Stacks:
    """The number of stacks, up to that of the tables."""

    stacks: int = stacks_option(STACKS_MAX)


@dataclass(unsafe_hash=True)
class Playing(Method, Stacks):
    """Options of a player for decks, which have their own number of ranks."""


@dataclass(unsafe_hash=True)
class Options(Playing, Ranks):
    """All options of a player; never changed."""


@dataclass(frozen=True)
class Played:
    """A game, replayed by the referee."""

    outcome: str
    """``won`` or ``lost``."""
    moves: tuple[Move, ...]
    left_count: int
    """Cards that are on no foundation at the end."""
    draws_count: int
    """Number of draws after which some assignment had a stack for every card of the pile; all draws in a won game."""
    evaluations_count: int
    """Positions with an assignment that were valued."""
    lookups_count: int
    missing_count: int
    """Look-ups in the table that found nothing."""
    elapsed_s: float
    """Processor time."""
    assignments: tuple[Assignment | None, ...] = ()
    """After each turn the best assignment, None where none is left; empty unless asked for."""


@dataclass(frozen=True)
class Play:
    """A play: a move of the drawn card, and moves of stack tops after it."""

    moves: tuple[Move, ...]
    position: Position
    """After them."""
    value: float
    assignment: Assignment | None
    """The best assignment after it; None when none is left."""
    chances: tuple[float, ...] = ()
    """Chances to win by playouts, one for each pile; empty if it is not tried."""


class Player(Protocol):
    """Plays and advises by ``options``."""

    options: Options

    def play(self, decks: Sequence[Sequence[int]], assignments: bool = False) -> list[Played]:
        """Play decks (ranks, the first drawn first); ``assignments``: also return the best ones."""

    def advise(self, position: Position) -> list[Play]:
        """All plays in a position with or without a drawn card, best first."""

    def evaluate(self, position: Position, assignment: Assignment) -> Value:
        """The value of a position between turns with an assignment."""
