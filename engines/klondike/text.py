"""Deals and positions of Klondike in any of their text forms.

A file of JSON is Solvitaire's (``solvitaire``). Any other file has, in any order,

    deals    = { blank line | plain end | figure | position end }

a deal a line (``plain``), positions as the report prints them (``figure``), which end with their last column's line,
and positions pile by pile (``position``), which a blank line ends. ``#`` starts a comment that ends with the line; a
line with nothing else is no blank line. ``examples`` has some of each.
"""

from __future__ import annotations

from engines.klondike import figure, position
from engines.klondike.figure import Line
from engines.klondike.pieces import Pieces
from engines.klondike.plain import format_plain, read_plain
from engines.klondike.position import format_position
from engines.klondike.rules import Position
from engines.klondike.solvitaire import read_solvitaire


def read_deals(text: str, source: str = "deals") -> list[Position]:
    """All positions of a text; UserError that names ``source``, deal, line, place and card when one is wrong."""
    if text.lstrip()[:1] in ("{", "["):
        return read_solvitaire(text, source)
    return _Reader(text, source).positions


def format_deal(deal: Position) -> str:
    """A position on one line, in the plain form if it is a whole first deal; ``read_deals`` gives it back."""
    return format_plain(deal) or format_position(deal, " / ")


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._lines = [
            (number, line.partition("#")[0])
            for number, line in enumerate(lines, start=1)
            if not line.lstrip().startswith("#")
        ]
        self._at = 0
        self.positions: list[Position] = []
        while self._at < len(self._lines):
            number, line = self._lines[self._at]
            if not line.strip() or figure.CAPTION.match(line):
                self._at += 1
                continue
            pieces = Pieces(f"{source}, deal {len(self.positions) + 1}", number)
            self.positions.append(self._position(line, pieces))

    def _position(self, line: str, pieces: Pieces) -> Position:
        """What begins with ``line``."""
        if figure.HEADING.match(line) or figure.BEGIN.match(line):
            return figure.read_figure(self._figure_lines(), pieces)
        if position.LINE.match(line):
            return position.read_position(self._position_lines(), pieces)
        self._at += 1
        return read_plain(line, pieces)

    def _figure_lines(self) -> list[Line]:
        """Up to the last column, or to what must belong to another figure."""
        found: list[Line] = []
        begun = columns = False
        while self._at < len(self._lines):
            number, line = self._lines[self._at]
            is_column = figure.COLUMN.match(line) is not None
            begins = figure.BEGIN.match(line) is not None
            if line.strip():
                if (columns and not is_column) or (begun and (begins or figure.HEADING.match(line))):
                    break
                found.append((number, line))
            columns |= is_column
            begun |= begins
            self._at += 1
        return found

    def _position_lines(self) -> list[Line]:
        """Up to a blank line, or one line of parts joined by ``/``."""
        found: list[Line] = []
        while self._at < len(self._lines):
            number, line = self._lines[self._at]
            parts = line.split("/")
            if not line.strip() or (found and len(parts) > 1):
                break
            self._at += 1
            found += [(number, part) for part in parts]
            if len(parts) > 1:
                break
        return found
