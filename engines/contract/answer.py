"""The answers of a game's verbs, and the door through which a verb reports meanwhile.

A verb's function takes a ``Door`` and the values of its parameters, and yields answers one by one. It prints nothing:
the command line prints answers, Python returns them, pages show them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

At = Callable[[int], AbstractContextManager[None]]
"""To be entered while the item with this number, from 1, is computed."""


@dataclass(frozen=True)
class Answer:
    """The answer about a deal, a position or a game."""

    values: dict[str, Any]
    """JSON values."""
    lines: tuple[str, ...]
    """The same in words."""
    status: int = 0
    """The exit status that a command ends with; of several answers the worst."""
    apart: bool = True
    """Whether it is printed with a blank line before it, after another answer."""
    stored: str = ""
    """The source that it was read from, such as ``table RUNID``; empty when it was computed now."""

    @property
    def is_right(self) -> bool:
        """Whether a solution that was checked is right; always true for answers that check nothing."""
        return self.status == 0


class Door:
    """Receives what a verb reports besides its answers. This one passes nothing on."""

    def head(self, line: str) -> None:
        """A remark that holds for all answers, before the first one; their values have it, too."""

    def note(self, line: str) -> None:
        """A remark that is not an answer."""

    def waiting(self, noun: str, count: int, bounds: str = "") -> At:
        """Announce that so many items will be computed, each with ``bounds`` (in words)."""
        return lambda number: nullcontext()
