"""The referee of golf.

A deal has some columns of five cards, all face up, and the rest of the pack as stock. The top card of a column goes to
the waste when its rank is next to that of the waste's top card; a card of the stock goes there at any time. A deal is
won when the columns are empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engines.contract.options import option

RANKS, ROWS, COLUMNS_MAX = 13, 5, 7
STOCK = -1
"""The move that turns a card of the stock; others are columns."""


@dataclass(unsafe_hash=True)
class Rules:
    """What may be played otherwise."""

    wrap: bool = option(False, "Kings and aces are neighbours.", column="bool")


@dataclass(frozen=True)
class Position:
    """Cards are (suit, rank)."""

    columns: tuple[tuple[tuple[int, int], ...], ...]
    """Bottom first."""
    stock: tuple[tuple[int, int], ...]
    """Turned first first."""
    waste: tuple[int, int]
    """The top card."""


def is_won(position: Position) -> bool:
    """No card is left in the columns."""
    return not any(position.columns)


def plays(position: Position, rules: Rules) -> Iterator[tuple[int, Position]]:
    """The legal moves, each with the position after it."""
    if is_won(position):
        return
    for number, column in enumerate(position.columns):
        apart = abs(column[-1][1] - position.waste[1]) if column else None
        if apart == 1 or (rules.wrap and apart == RANKS - 1):
            left = (*position.columns[:number], column[:-1], *position.columns[number + 1 :])
            yield number, replace(position, columns=left, waste=column[-1])
    if position.stock:
        yield STOCK, replace(position, stock=position.stock[1:], waste=position.stock[0])
