"""Positions whose worth is known exactly, explored play by play. Every door asks for them in the same way.

What may come next (a card that is drawn) is a row, where it can go is a column, and a cell tells what that is worth and
the position that it leads to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from engines.contract.options import Option, check_options, chosen, options_of
from storage.place import Place


@dataclass(frozen=True)
class Cell:
    """What comes next put in one place."""

    is_allowed: bool
    value: float | None
    """What it is worth; None when it is not allowed, or not known."""
    is_best: bool
    after: str
    """The position that it leads to; empty when the game ends."""
    changed: str
    """The same position but for this: allowed where it was not, and the other way round. Only while editing."""


@dataclass(frozen=True)
class Row:
    """Something that may come next."""

    name: str
    value: float | None
    """What it is worth where it goes best."""
    cells: tuple[Cell, ...]
    """In the order of the places."""


@dataclass(frozen=True)
class Change:
    """Another position, made from this one."""

    words: str
    after: str


@dataclass(frozen=True)
class Explored:
    """What is known of a position."""

    text: str
    """On one line; the explorer reads it."""
    canonical: str
    """One spelling for all positions that are the same; empty where there is none."""
    value: float | None
    """None when it is not known; ``problem`` says why."""
    stored: str
    """The table that it was read from; empty when it was computed now."""
    problem: str
    ending: str
    """``won`` or ``lost``; empty when the game goes on."""
    places: tuple[str, ...]
    rows: tuple[Row, ...]
    changes: tuple[Change, ...]
    """Only while editing."""


class Explorer(ABC):
    """What can be explored of a game."""

    value_name: str
    """What values are, such as ``probability``."""
    row_name: str
    """What comes next, such as ``card``."""
    place_name: str
    """Where it goes, such as ``stack``."""
    start_options: type
    """Dataclass of what beginnings of the game differ by (``engines.contract.options``)."""
    table_command: str
    """Makes a table that positions are read from."""
    examples: tuple[tuple[str, str], ...] = ()
    """Positions to begin with: what each is, and its text."""

    @abstractmethod
    def start(self, options: Any) -> str:
        """The first position of a game; ``options`` is of ``start_options``. UserError for what there cannot be."""

    @abstractmethod
    def stored_starts(self, tables: Place) -> list[tuple[str, str]]:
        """The first positions of the games that finished tables below a folder are of, each with what it is."""

    @abstractmethod
    def explore(self, text: str, tables: Place, computing: bool, editing: bool) -> Explored | None:
        """What is known of a position: by a finished table, else computed.

        None where no table has it and ``computing`` is not wanted. ``editing``: also positions that are near it.
        UserError for a text that cannot be read. A position that takes too long is told without values.
        """

    def options(self) -> list[Option]:
        """Those of ``start``."""
        return list(options_of(self.start_options))

    def start_of(self, values: dict[str, Any]) -> str:
        """``start`` with some options by name, as values or as they are written; UserError as there."""
        found: Any = chosen(self.start_options, vars(self.start_options()) | values)
        check_options(found, self.start_options, "")
        return self.start(found)
