"""A deal that is filled in card by card: its cells, and what is wrong in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engines.text.cards import SUITS
from engines.text.textfile import shown

Typed = Sequence[Sequence[str]]
"""The text in each cell, pile by pile."""
Cell = tuple[int, int]
"""A pile, and a cell in it, from 0."""


@dataclass(frozen=True)
class Blank:
    """A deal without its cards."""

    piles: tuple[tuple[str, int], ...]
    """Name and number of cells of each pile."""
    cards: Mapping[str, int]
    """Each card that must be there, by its name, and how often."""
    example: str
    """How cards are typed, in a few words."""
    holes_count: int = 0
    """Cells that stay empty."""


@dataclass(frozen=True)
class Filled:
    """The cells as they were read."""

    names: tuple[tuple[str, ...], ...]
    """The card of each cell; empty where there is none."""
    mistakes: Mapping[Cell, str]
    """By cell."""
    missing: Mapping[str, int]
    """Missing cards, and how many of each."""

    @property
    def is_whole(self) -> bool:
        """Whether it is a complete deal."""
        return not self.mistakes and not self.missing


def filled(blank: Blank, typed: Typed, read: Callable[[str], str | None]) -> Filled:
    """Read the cells; ``read`` gives the name of a card that was typed, None for anything else.

    Cells that are not given are empty; texts beyond the last cell are ignored.
    """
    names: list[tuple[str, ...]] = []
    mistakes: dict[Cell, str] = {}
    where: dict[str, list[str]] = {}
    for pile, (title, count) in enumerate(blank.piles):
        words = list(typed[pile][:count]) if pile < len(typed) else []
        row = []
        for cell, word in enumerate([*words, *[""] * (count - len(words))]):
            name = read(word.strip()) if word.strip() else ""
            problem = None if name == "" else _problem(blank, word.strip(), name, where)
            if problem is not None:
                mistakes[pile, cell] = problem
            elif name:
                where.setdefault(name, []).append(f"{title}, card {cell + 1}")
            row.append(name or "" if problem is None else "")
        names.append(tuple(row))
    left = Counter(blank.cards) - Counter({name: len(places) for name, places in where.items()})
    if not left:
        return Filled(tuple(names), mistakes, {})
    empty = [
        (pile, cell)
        for pile, row in enumerate(names)
        for cell, name in enumerate(row)
        if not name and (pile, cell) not in mistakes
    ]
    # Only when all cards are there is it known which empty cells are holes.
    if len(empty) > blank.holes_count:
        what = "missing, unless a hole" if blank.holes_count else "missing"
        mistakes |= dict.fromkeys(empty, what)
    return Filled(tuple(names), mistakes, dict(left))


def _problem(blank: Blank, word: str, name: str | None, where: Mapping[str, list[str]]) -> str | None:
    if name is None:
        return f"{shown(word)} is no card (like {blank.example})"
    if name not in blank.cards:
        return f"{name} is no card of this deal"
    if len(where.get(name, ())) == blank.cards[name]:
        times = "twice" if blank.cards[name] == 1 else f"more than {blank.cards[name]} times"
        return f"{name} is there {times}; first in {where[name][0]}"
    return None


def pack(ranks: Sequence[str]) -> dict[str, int]:
    """A card of each suit and rank, by name, once."""
    return {f"{suit}{rank}": 1 for suit in SUITS for rank in ranks}
