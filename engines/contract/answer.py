"""What a verb of a game gives for each thing that it was asked about, and what it tells whoever asked meanwhile.

A function of a verb takes a ``Door`` and what was told of its parameters, and yields answers one by one. It prints
nothing: the command line prints answers, Python returns them, pages show them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

At = Callable[[int], AbstractContextManager[None]]
"""To be entered while the thing of a number, from 1, is computed."""


@dataclass(frozen=True)
class Answer:
    """What is found of a deal, a position or a game."""

    values: dict[str, Any]
    """JSON values."""
    lines: tuple[str, ...]
    """The same in words."""
    status: int = 0
    """The exit status that a command ends with; of several answers the worst."""
    apart: bool = True
    """Whether a blank line stands between it and the answer before it, where both are printed."""
    stored: str = ""
    """What it was read from, such as ``table RUNID``; empty when it was computed now."""

    @property
    def is_right(self) -> bool:
        """Whether what was checked is right; what is only found out is."""
        return self.status == 0


class Door:
    """What a verb tells whoever asked, besides answers. This one passes nothing on."""

    def head(self, line: str) -> None:
        """What holds of all answers, before the first one; their values say it, too."""

    def note(self, line: str) -> None:
        """What is no answer, but should be known."""

    def waiting(self, noun: str, count: int, bounds: str = "") -> At:
        """That so many things are going to be computed, each with ``bounds`` (in words)."""
        return lambda number: nullcontext()
