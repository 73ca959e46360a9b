"""The value of a position of Calculation with an assignment, by the paper's estimate (sections 3.1 and 3.2).

An **assignment** says for every card on a stack to which foundation it will go; the foundations of the cards in the
pile follow. The cards in the pile make a state of the stack game: a chain for each foundation, the order that the cards
on stacks impose, and the stacks where a card may not go. The next card of a foundation is left out while it is in the
pile: it counts as drawn last. A position here is one between turns: no card is in hand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, pairwise
from math import prod

from engines.calculation.rules import FOUNDATIONS, Position, row
from engines.stackgame import rules
from engines.stackgame.rules import State

Assignment = tuple[tuple[int, ...], ...]
"""For each stack, lowest card first, the foundation of each card."""


class Edges(StrEnum):
    """Which cards on stacks determine the state of one or two foundations."""

    own = "own"
    """Those of these foundations alone. The table has every such state, unless a foundation's very first card lies on
    a stack."""
    all = "all"
    """Those of all foundations, as in the paper's example. The table does not have every such state: some stack may be
    forbidden by a card of a third foundation alone."""


@dataclass(frozen=True)
class Value:
    """The paper's estimate for a position: singles times the loss that each pair of foundations brings."""

    singles: dict[int, float]
    """Success probability of each foundation alone."""
    pairs: dict[tuple[int, int], float]
    """Success probability of each two foundations."""
    probability: float
    """Product of the singles p_i and, for all pairs, of p_ij / (p_i p_j)."""


def state(
    position: Position, assignment: Assignment, boards: Collection[int], edges: Edges = Edges.all
) -> State | None:
    """The stack-game state of the cards in the pile that go to the foundations ``boards``.

    None when the order of the cards that count has a cycle, so that the position is lost.
    """
    counted = boards if edges == Edges.own else range(FOUNDATIONS)
    stacks = [
        [(rank, board) for rank, board in zip(cards, theirs, strict=True) if board in counted]
        for cards, theirs in zip(position.stacks, assignment, strict=True)
    ]
    stack_of = {card: number for number, stack in enumerate(stacks) for card in stack}
    cards = [
        (rank, board)
        for board in counted
        for place, rank in enumerate(row(board, position.ranks)[position.heights[board] :])
        if place > 0 or (rank, board) in stack_of
    ]
    number = {card: index for index, card in enumerate(cards)}
    before = [0] * len(cards)
    for (rank, board), (next_rank, next_board) in pairwise(cards):
        if board == next_board:
            before[number[next_rank, board]] |= 1 << number[rank, board]
    for stack in stacks:
        for below, above in pairwise(stack):
            before[number[below]] |= 1 << number[above]
    lies_on = [1 << stack_of[card] if card in stack_of else 0 for card in cards]
    # A card that waits for one on a stack must not go on that stack; the closure adds exactly these cases.
    closed = rules.close(len(stacks), before, lies_on)
    if closed is None:
        return None
    return rules.keep(closed, [number[card] for card in cards if card not in stack_of and card[1] in boards])


def is_open(position: Position, assignment: Assignment) -> bool:
    """True when all four foundations together have no cycle, and leave every card in the pile a stack."""
    whole = state(position, assignment, range(FOUNDATIONS))
    return whole is not None and not rules.is_dead(whole)


def has_first(position: Position, assignment: Assignment) -> bool:
    """True when the card with which some foundation begins is on a stack and meant for it."""
    first = {
        (row(board, position.ranks)[0], board) for board in range(FOUNDATIONS) if position.heights[board] == 0
    }
    return any(
        card in first
        for cards, theirs in zip(position.stacks, assignment, strict=True)
        for card in zip(cards, theirs, strict=True)
    )


def value(
    position: Position,
    assignment: Assignment,
    probability: Callable[[State], float],
    edges: Edges = Edges.all,
) -> Value:
    """The paper's estimate (section 3.2); ``probability`` gives the success probability of a state.

    A position that is not open has the value 0.
    """
    boards = range(FOUNDATIONS)

    def of(*chosen: int) -> float:
        found = state(position, assignment, chosen, edges)
        return 0.0 if found is None else probability(found)

    singles = {board: of(board) for board in boards}
    pairs = {(a, b): of(a, b) for a, b in combinations(boards, 2)}
    if 0 in singles.values() or not is_open(position, assignment):
        return Value(singles, pairs, 0.0)
    losses = [pair / (singles[a] * singles[b]) for (a, b), pair in pairs.items()]
    return Value(singles, pairs, prod(singles.values()) * prod(losses))
