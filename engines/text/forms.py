"""Reads the deals of a text in any form: each form knows how its deals begin, and takes the lines of a deal.

``#`` starts a comment that ends with the line; a line with only a comment is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engines.text.textfile import shown
from storage.errors import UserError

Deal = TypeVar("Deal")
Line = tuple[int, str]
"""Its number in the text, from 1, and what it says, without its comment."""


class Lines:
    """The lines of a text that are still to be read."""

    def __init__(self, text: str) -> None:
        self._raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._lines = [
            (number, line.partition("#")[0])
            for number, line in enumerate(self._raw, start=1)
            if not line.lstrip().startswith("#")
        ]
        self._at = 0

    @property
    def at_end(self) -> bool:
        """Whether all are read."""
        return self._at == len(self._lines)

    @property
    def line(self) -> Line:
        """The next line; there must be one."""
        return self._lines[self._at]

    def take(self) -> Line:
        """Take the next line."""
        self._at += 1
        return self._lines[self._at - 1]

    def take_block(self) -> list[Line]:
        """Take the lines up to the next blank line or the end."""
        found: list[Line] = []
        while not self.at_end and self.line[1].strip():
            found.append(self.take())
        return found

    def rest(self) -> str:
        """All of the text that is still to be read, with its comments."""
        return "\n".join(self._raw[self.line[0] - 1 :])

    def skip(self, count: int) -> None:
        """Note that so many lines of ``rest`` are read."""
        last = self.line[0] + count
        while not self.at_end and self.line[0] < last:
            self._at += 1


@dataclass(frozen=True)
class Form(Generic[Deal]):
    """A form that deals are written in."""

    look: str
    """What it looks like, in a few words, for errors."""
    begins: re.Pattern[str]
    """Pattern of the beginning of a deal's first line."""
    read: Callable[[Lines, str, int], list[Deal]]
    """Takes the lines of a deal (or of several, where deals are not separated) and returns it; the text's name and
    the deal's number are for errors."""


def read_all(
    text: str, source: str, forms: Sequence[Form[Deal]], between: re.Pattern[str] | None = None
) -> list[Deal]:
    """All deals of a text; UserError that names ``source``, deal and line when one is wrong.

    Between deals, blank lines and lines that match ``between`` are ignored.
    """
    lines = Lines(text)
    deals: list[Deal] = []
    while not lines.at_end:
        number, line = lines.line
        if not line.strip() or (between is not None and between.match(line)):
            lines.take()
            continue
        form = next((each for each in forms if each.begins.match(line)), None)
        if form is None:
            read = "; ".join(each.look for each in forms)
            raise UserError(
                f"{source}, deal {len(deals) + 1}, line {number}",
                f"{shown(line.strip())} begins no deal; read are: {read}",
            )
        deals += form.read(lines, source, len(deals) + 1)
    return deals
