"""The referee of Calculation: the rules as they are defined, slow, plain, sharing no code with the core.

Four foundations are built up, each in its own order of the ranks; suits do not matter. A card is drawn from the pile:
it goes to a foundation that waits for its rank, or onto one of the stacks, also when a foundation waits for it.
Afterwards any number of stack tops may go to foundations, or none. The game is won when all foundations are full.
(Tanaka, "A calculation player program without using heuristic rules", section 1.1.)

The number of ranks is thirteen; with fewer the game is smaller, for tests and quick tries.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

FOUNDATIONS = 4
RANKS_MIN, RANKS_MAX = 4, 13
STACKS_MAX = 12
"""With so many stacks every pile can be won."""
COPIES = 4
"""Cards of each rank: one for each foundation."""
DRAWN = 255
"""A move's source: the card that was drawn."""


class Move(NamedTuple):
    """A move of one card."""

    source: int
    """``DRAWN``, or the stack whose top card moves."""
    target: int
    """A foundation, 0 to 3, or 4 and the number of a stack."""


@dataclass(frozen=True)
class Position:
    """What can be seen. All other cards are in the pile, in unknown order."""

    ranks: int
    """Number of ranks; cards are their ranks, from 1."""
    heights: tuple[int, ...]
    """Cards on each foundation."""
    stacks: tuple[tuple[int, ...], ...]
    """The cards of each stack, the lowest first."""
    drawn: int | None = None
    """The card that was drawn and has not gone anywhere yet."""

    def waits_for(self, foundation: int) -> int | None:
        """The rank that a foundation takes next; None when it is full."""
        height = self.heights[foundation]
        return None if height == self.ranks else row(foundation, self.ranks)[height]

    def pile(self) -> dict[int, int]:
        """How many cards of each rank are left in the pile; a negative number means an impossible position."""
        left = dict.fromkeys(range(1, self.ranks + 1), COPIES)
        for foundation, height in enumerate(self.heights):
            for rank in row(foundation, self.ranks)[:height]:
                left[rank] -= 1
        for rank in (rank for stack in self.stacks for rank in stack):
            left[rank] -= 1
        if self.drawn is not None:
            left[self.drawn] -= 1
        return left

    def is_won(self) -> bool:
        """True when all foundations are full."""
        return all(height == self.ranks for height in self.heights)


@dataclass(frozen=True)
class Replay:
    """A game as the referee replays it."""

    position: Position
    """After the last move that the rules allow."""
    outcome: str
    """``won``; ``lost`` when the pile is empty and no card can move; else ``undecided``: the game was left."""
    moves: tuple[Move, ...]
    """The moves that the rules allow."""
    draws_count: int
    problem: str | None
    """What is against the rules, with the number of the move, from 1; None for a game that keeps to them."""

    @property
    def left_count(self) -> int:
        """Cards that are on no foundation."""
        return FOUNDATIONS * self.position.ranks - sum(self.position.heights)


@functools.cache
def row(foundation: int, ranks: int) -> tuple[int, ...]:
    """All ranks of a foundation in the order in which it takes them.

    Those of the game go up in steps of ``foundation + 1`` around thirteen. Where the number of ranks is no prime,
    they go around the next prime, and the numbers that are no rank are passed over.
    """
    # Above 2 nothing is divided by the number before it: to leave that divisor out would change nothing.
    around = next(n for n in range(ranks, 2 * ranks) if all(n % divisor for divisor in range(2, n)))
    steps = [(foundation + 1) * step % around or around for step in range(1, around + 1)]
    return tuple(rank for rank in steps if rank <= ranks)


def check_deck(deck: Sequence[int], ranks: int) -> None:
    """ValueError naming the rank unless each is there four times and nothing else is."""
    for rank in deck:
        if not 1 <= rank <= ranks:
            raise ValueError(f"{rank} is no rank from 1 to {ranks}")
    for rank in range(1, ranks + 1):
        if deck.count(rank) != COPIES:
            raise ValueError(f"rank {rank} is there {deck.count(rank)} times, not {COPIES}")


def start(ranks: int, stacks: int) -> Position:
    """Before the first card is drawn."""
    return Position(ranks, (0,) * FOUNDATIONS, ((),) * stacks)


def draw(position: Position, rank: int) -> Position:
    """The position with a card drawn; ValueError when one is in hand, or the pile has none of this rank."""
    if position.drawn is not None:
        raise ValueError("a card is drawn while one is in hand")
    if position.pile()[rank] < 1:
        raise ValueError(f"the pile has no card of rank {rank} left")
    return replace(position, drawn=rank)


def legal_moves(position: Position) -> list[Move]:
    """Where the drawn card may go; without one, which stack tops may go to which foundations."""
    if position.drawn is not None:
        to_foundations = [
            Move(DRAWN, foundation)
            for foundation in range(FOUNDATIONS)
            if position.waits_for(foundation) == position.drawn
        ]
        return to_foundations + [Move(DRAWN, FOUNDATIONS + stack) for stack in range(len(position.stacks))]
    return [
        Move(stack, foundation)
        for stack, cards in enumerate(position.stacks)
        for foundation in range(FOUNDATIONS)
        if cards and position.waits_for(foundation) == cards[-1]
    ]


def play(position: Position, move: Move) -> Position:
    """The position after a move; ValueError says why it is against the rules."""
    stacks = list(position.stacks)
    stacks_count = len(stacks)
    if move.source == DRAWN:
        if position.drawn is None:
            raise ValueError("no card is drawn")
        rank = position.drawn
    else:
        if position.drawn is not None:
            raise ValueError("the drawn card has to go first")
        if not 0 <= move.source < stacks_count:
            raise ValueError(f"there is no stack {move.source}; stacks are 0 to {stacks_count - 1}")
        if not stacks[move.source]:
            raise ValueError(f"stack {move.source} is empty")
        rank = stacks[move.source][-1]
        stacks[move.source] = stacks[move.source][:-1]
    heights = list(position.heights)
    if 0 <= move.target < FOUNDATIONS:
        wanted = position.waits_for(move.target)
        if wanted is None:
            raise ValueError(f"foundation {move.target} is full")
        if wanted != rank:
            raise ValueError(f"foundation {move.target} waits for rank {wanted}, not {rank}")
        heights[move.target] += 1
    else:
        stack = move.target - FOUNDATIONS
        if move.source != DRAWN:
            raise ValueError("a card leaves a stack for a foundation only")
        if not 0 <= stack < stacks_count:
            raise ValueError(f"there is no stack {stack}; stacks are 0 to {stacks_count - 1}")
        stacks[stack] = (*stacks[stack], rank)
    return Position(position.ranks, tuple(heights), tuple(stacks))


def positions(deck: Sequence[int], moves: Iterable[Move], ranks: int, stacks: int) -> Iterator[Position]:
    """The position after each move of a game, cards being drawn from ``deck``; ValueError at one that is illegal."""
    position = start(ranks, stacks)
    pile = iter(deck)
    for move in moves:
        if move.source == DRAWN:
            rank = next(pile, None)
            if rank is None:
                raise ValueError("the pile is empty")
            position = draw(position, rank)
        position = play(position, move)
        yield position


def replay(deck: Sequence[int], moves: Sequence[Move], ranks: int, stacks: int) -> Replay:
    """Play a game again; ValueError for a wrong deck.

    The cards of ``deck`` (ranks, the first drawn first) are drawn one by one, each by the move that it makes.
    """
    check_deck(deck, ranks)
    position, problem, number = start(ranks, stacks), None, 0
    try:
        for number, position in enumerate(positions(deck, moves, ranks, stacks), start=1):  # noqa: B007
            pass
    except ValueError as error:
        problem = f"move {number + 1}: {error}"
    draws_count = sum(move.source == DRAWN for move in moves[:number])
    outcome = "undecided"
    if position.is_won():
        outcome = "won"
    elif problem is None and draws_count == len(deck) and not legal_moves(position):
        outcome = "lost"
    return Replay(position, outcome, tuple(moves[:number]), draws_count, problem)
