"""Positions with exact values, explored play by play. All doors use this interface.

What may come next (a card that is drawn) is a row, where it can go is a column; a cell has the value of that play and
the position after it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from engines.contract.options import Option, check_options, chosen, options_of
from storage.place import Place


@dataclass(frozen=True)
class Cell:
    """One play: what comes next, put in one place."""

    is_allowed: bool
    value: float | None
    """Its value; None when the play is not allowed, or its value is not known."""
    is_best: bool
    after: str
    """The position after it; empty when the game ends."""
    changed: str
    """The position with this one play switched: allowed where it was not, and the other way round. Only while
    editing."""


@dataclass(frozen=True)
class Row:
    """Something that may come next."""

    name: str
    value: float | None
    """The value of its best place."""
    cells: tuple[Cell, ...]
    """Plays in the order of the places."""


@dataclass(frozen=True)
class Change:
    """Another position, made from this one."""

    words: str
    after: str


@dataclass(frozen=True)
class Explored:
    """All that is known of a position."""

    text: str
    """On one line; the explorer reads it."""
    canonical: str
    """One text for all equivalent positions; empty where there is none."""
    value: float | None
    """The position's value; None when it is not known, and ``problem`` says why."""
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
    """How a game is explored."""

    value_name: str
    """What the values mean, such as ``probability``."""
    row_name: str
    """Name of what comes next, such as ``card``."""
    place_name: str
    """Name of where it goes, such as ``stack``."""
    start_options: type
    """Dataclass of the options in which first positions differ (``engines.contract.options``)."""
    table_command: str
    """The command that makes a table from which positions are read."""
    examples: tuple[tuple[str, str], ...] = ()
    """Positions to begin with: a description and a text for each."""

    @abstractmethod
    def start(self, options: Any) -> str:
        """The first position of a game; ``options`` is of ``start_options``. UserError for impossible options."""

    @abstractmethod
    def stored_starts(self, tables: Place) -> list[tuple[str, str]]:
        """The first positions of the games that have finished tables below a folder, each with a description."""

    @abstractmethod
    def explore(self, text: str, tables: Place, computing: bool, editing: bool) -> Explored | None:
        """What is known of a position: from a finished table, or else computed.

        None where no table has it and ``computing`` is false. ``editing``: also positions near it. UserError for a
        text that cannot be read. A position that takes too long comes without values.
        """

    def options(self) -> list[Option]:
        """The options of ``start``."""
        return list(options_of(self.start_options))

    def start_of(self, values: dict[str, Any]) -> str:
        """``start`` with some options by name, as values or as texts; UserError as there."""
        found: Any = chosen(self.start_options, vars(self.start_options()) | values)
        check_options(found, self.start_options, "")
        return self.start(found)
