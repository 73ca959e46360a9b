"""The referee of Superpuzz: the rules written plainly and slowly, sharing nothing with the Rust core.

Source: Shintani, "A Program to Solve Superpuzz", section 2.1. There are ``columns`` (2 to 13) times 4 cells, dealt
row by row, and a card of each suit from the ace to rank ``columns - 1``. The cards of rank ``columns``, the kings,
are taken out: where they lay are the holes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engines.text.cards import card_number, rank_of, suit_of

ROWS = 4
SUITS = 4
"""C, D, H, S, numbered from 0."""
COLUMNS_MIN, COLUMNS_MAX = 2, 13
HOLE = 0
ACE = 1

Move = tuple[int, int]
"""The cell that a card leaves and the hole that it goes to; cells are numbered from 0 row by row."""


@dataclass(frozen=True)
class Position:
    """Which card lies in which cell. Two positions are the same if the same cards lie in the same cells."""

    columns: int
    cells: tuple[int, ...]
    """For each cell its card, or HOLE."""

    @cached_property
    def where(self) -> dict[int, int]:
        """The cell of each card."""
        return {number: cell for cell, number in enumerate(self.cells) if number != HOLE}

    @property
    def holes(self) -> list[int]:
        """The cells without a card, row by row."""
        return [cell for cell, number in enumerate(self.cells) if number == HOLE]


def problem(position: Position) -> str | None:
    """Why this position is impossible; None when its cells have the right cards and holes."""
    if not COLUMNS_MIN <= position.columns <= COLUMNS_MAX:
        return f"{position.columns} columns; there are {COLUMNS_MIN} to {COLUMNS_MAX}"
    ranks = range(ACE, position.columns)
    whole = [card_number(suit, rank) for suit in range(SUITS) for rank in ranks] + [HOLE] * SUITS
    if sorted(position.cells) != sorted(whole):
        return "the cells do not hold every card once and four holes"
    return None


def legal_moves(position: Position) -> list[Move]:
    """All legal moves: by hole, row by row; aces for one hole by suit."""
    found = []
    for hole in position.holes:
        if hole % position.columns == 0:
            found += [(position.where[card_number(suit, ACE)], hole) for suit in range(SUITS)]
            continue
        left = position.cells[hole - 1]
        if left != HOLE and rank_of(left) < position.columns - 1:
            found.append((position.where[left + 1], hole))
    return found


def play(position: Position, move: Move) -> Position:
    """The position after a move; ValueError when it is against the rules."""
    if move not in legal_moves(position):
        raise ValueError(f"no card may go from cell {move[0]} to cell {move[1]}")
    source, hole = move
    cells = list(position.cells)
    cells[hole], cells[source] = cells[source], HOLE
    return Position(position.columns, tuple(cells))


def is_won(position: Position) -> bool:
    """Every row holds ace to queen of one suit in order, and its hole at the right end."""
    for begin in range(0, ROWS * position.columns, position.columns):
        row = position.cells[begin : begin + position.columns]
        suit = suit_of(row[0])
        if row != (*(card_number(suit, rank) for rank in range(ACE, position.columns)), HOLE):
            return False
    return True


def in_place(position: Position) -> list[int]:
    """The cells of cards in their places: in each row those in sequence from an ace at the left edge."""
    found = []
    for begin in range(0, ROWS * position.columns, position.columns):
        wanted = position.cells[begin]
        if wanted == HOLE or rank_of(wanted) != ACE:
            continue
        for cell in range(begin, begin + position.columns):
            if position.cells[cell] != wanted:
                break
            found.append(cell)
            wanted += 1
    return found


def replay(position: Position, moves: Sequence[Move]) -> Position:
    """The position after all moves; ValueError with the move's number, from 1, when one is against the rules."""
    for number, move in enumerate(moves, start=1):
        try:
            position = play(position, move)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
    return position


def reachable(start: Position) -> Iterator[tuple[Position, int]]:
    """All positions that can be reached from ``start``, itself first, with the fewest moves that lead there.

    For small deals: everything is kept in memory, at some 40,000 positions a second.
    """
    seen, layer, depth = {start.cells}, [start], 0
    while layer:
        following = []
        for position in layer:
            yield position, depth
            for move in legal_moves(position):
                after = play(position, move)
                if after.cells not in seen:
                    seen.add(after.cells)
                    following.append(after)
        layer, depth = following, depth + 1
