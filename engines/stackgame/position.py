"""A position of Calculation with an assignment, and the stack-game states that it stands for.

An assignment says for every card on a stack to which foundation it will go (Tanaka, section 3.2). The text
form is that of the paper's printed positions, under two headings::

    foundations
    0: 3 4 5 6 7 8 9 T J Q K          what is still to come, the next card first
    1: T Q A 3 5 7 9 J K              (foundation f goes up in steps of f + 1)
    2: 3 6 9 Q 2 5 8 J A 4 7 T K
    3: 3 7 J 2 6 T A 5 9 K
    stacks
    0: 8-2 5-2 Q-2 A-1                the lowest card first, each as RANK-FOUNDATION
    1: 9-1 A-3 Q-0 J-0 6-3
    2: K-3 K-1 9-3 5-3 J-1

All four foundations are named, and the stacks from 0 on; a row may be empty. Ranks are ``A 2 ... 9 T J Q K``
in either case, the ten also ``10`` or ``0``, the ace also ``1``. ``#`` starts a comment that ends with the
line. ``examples/*.position`` are examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import prod

from engines.stackgame import rules
from engines.stackgame.rules import State
from storage.errors import UserError

FOUNDATIONS_COUNT = 4
RANKS = "A23456789TJQK"

Card = tuple[int, int]
"""Rank (1 to 13) and foundation (0 to 3)."""


@dataclass(frozen=True)
class Position:
    """What is still to come on the foundations, and the assigned cards on the stacks."""

    rows: tuple[tuple[int, ...], ...]
    """For each foundation the ranks still to come, the next one first."""
    stacks: tuple[tuple[Card, ...], ...]
    """For each stack its cards, the lowest first."""


@dataclass(frozen=True)
class Value:
    """The paper's estimate for a position: singles times the loss that each pair of foundations brings."""

    singles: dict[int, float]
    """Success probability of each foundation alone."""
    pairs: dict[tuple[int, int], float]
    """Success probability of each two foundations."""
    probability: float
    """Product of the singles p_i and, for all pairs, of p_ij / (p_i p_j)."""


def sequence(foundation: int) -> tuple[int, ...]:
    """All thirteen ranks of a foundation in order."""
    return tuple((foundation + 1) * (place + 1) % 13 or 13 for place in range(13))


def state(position: Position, boards: Collection[int]) -> State | None:
    """The stack-game state of the cards in the pile that go to the foundations ``boards``.

    The order and the forbidden stacks follow from all cards of the position, those on stacks included; what
    goes to other foundations is dropped afterwards. The next card of a foundation is left out while it is in
    the pile, as in the paper. None when the order of all cards has a cycle, so that the position is lost.
    """
    stack_of = {card: number for number, stack in enumerate(position.stacks) for card in stack}
    cards = [
        (rank, board)
        for board, row in enumerate(position.rows)
        for place, rank in enumerate(row)
        if place > 0 or (rank, board) in stack_of
    ]
    number = {card: index for index, card in enumerate(cards)}
    before = [0] * len(cards)
    for (rank, board), (next_rank, next_board) in pairwise(cards):
        if board == next_board:
            before[number[next_rank, board]] |= 1 << number[rank, board]
    for stack in position.stacks:
        for below, above in pairwise(stack):
            before[number[below]] |= 1 << number[above]
    lies_on = [1 << stack_of[card] if card in stack_of else 0 for card in cards]
    # A card that waits for one on a stack must not go on that stack: exactly what closing hands on.
    closed = rules.close(len(position.stacks), before, lies_on)
    if closed is None:
        return None
    return rules.keep(closed, [number[card] for card in cards if card not in stack_of and card[1] in boards])


def value(position: Position, probability: Callable[[State], float]) -> Value:
    """The paper's estimate (section 3.2); ``probability`` gives the success probability of a state."""
    boards = range(FOUNDATIONS_COUNT)

    def of(*chosen: int) -> float:
        found = state(position, chosen)
        return 0.0 if found is None else probability(found)

    singles = {board: of(board) for board in boards}
    pairs = {(a, b): of(a, b) for a, b in combinations(boards, 2)}
    if 0 in singles.values():
        return Value(singles, pairs, 0.0)
    losses = [pair / (singles[a] * singles[b]) for (a, b), pair in pairs.items()]
    return Value(singles, pairs, prod(singles.values()) * prod(losses))


def parse(text: str) -> Position:
    """Read a position; UserError names the line of what is wrong."""
    sections: dict[str, list[list[str]]] = {}
    current: list[list[str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        place = f"position, line {number}"
        words = re.sub("#.*", "", line).replace(":", ": ", 1).split()
        if words in (["foundations"], ["stacks"]):
            if words[0] in sections:
                raise UserError(place, f"{words[0]!r} is there twice")
            current = sections.setdefault(words[0], [])
        elif words:
            if not sections or words[0] != f"{len(current)}:":
                expected = f"{len(current)}:" if sections else "foundations"
                raise UserError(place, f"expected {expected!r}, found {words[0]!r}")
            current.append([place, *words[1:]])
    if len(sections.get("foundations", [])) != FOUNDATIONS_COUNT or not sections.get("stacks"):
        raise UserError(
            "position", "needs 'foundations' with rows 0: to 3: and 'stacks' with row 0: and so on"
        )
    rows = tuple(_row(board, *line) for board, line in enumerate(sections["foundations"]))
    stacks = tuple(tuple(_assigned(line[0], word) for word in line[1:]) for line in sections["stacks"])
    _check(rows, stacks, [line[0] for line in sections["stacks"]])
    return Position(rows, stacks)


def _row(board: int, place: str, *words: str) -> tuple[int, ...]:
    row = tuple(_rank(place, word) for word in words)
    rest = sequence(board)[13 - len(row) :] if len(row) <= 13 else ()
    if row != rest:
        names = " ".join(RANKS[rank - 1] for rank in sequence(board))
        raise UserError(place, f"is not how foundation {board} ends; the whole of it is {names}")
    return row


def _assigned(place: str, word: str) -> Card:
    rank, dash, board = word.partition("-")
    if not dash or board not in [str(number) for number in range(FOUNDATIONS_COUNT)]:
        raise UserError(place, f"expected RANK-FOUNDATION (as in 8-2), found {word!r}")
    return _rank(place, rank), int(board)


def _rank(place: str, word: str) -> int:
    name = {"10": "T", "0": "T", "1": "A"}.get(word, word.upper())
    if len(name) != 1 or name not in RANKS:
        raise UserError(place, f"{word!r} is no rank (A 2 3 4 5 6 7 8 9 T J Q K)")
    return RANKS.index(name) + 1


def _check(
    rows: tuple[tuple[int, ...], ...], stacks: tuple[tuple[Card, ...], ...], places: list[str]
) -> None:
    seen: set[Card] = set()
    for stack, place in zip(stacks, places, strict=True):
        for rank, board in stack:
            name = f"{RANKS[rank - 1]}-{board}"
            if (rank, board) in seen:
                raise UserError(place, f"{name} lies on the stacks twice")
            if rank not in rows[board]:
                raise UserError(place, f"{name} has left already: foundation {board} does not wait for it")
            seen.add((rank, board))
