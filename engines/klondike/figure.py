"""Positions of Klondike as the report prints them in its figure 1.

    No.1, level=0, Redeal=0
    cell: (山)
    0 1 2 3 4 5 6 7 8 9 A B C D E F1011121314151617
    S0CJC5S3S8H7HJD2C0SADKH6HAHKDACQSQDJD4H0SJC2H3H5
    wastepile: (くず席，空)
    tp: 0, 0, 0, 0, n=0, (台) cp=24, wp=0
    Stack: 28(場)
    0,0, 1: ,C9-------------------------------------
    1,1, 2: D5,C8-----------------------------------

and so on, a line for each column. ``cell`` is the stock, whose last card is dealt first; ``wastepile`` is the waste,
whose last card is in play; both may have a line that counts the cards from 0 in hexadecimal. ``tp`` are the top ranks
of the foundations (C, D, H, S), ``n`` is their sum, ``cp`` and ``wp`` count the cards of stock and waste, ``Stack``
those of the columns. The numbers before a column are its own, its face-down cards (-1: none, and no comma), and all its
cards; cards before the comma lie face down, bottom first. All these numbers must fit the cards. The grammar::

    figure   = { heading } "cell:" pile "wastepile:" pile tops "Stack:" number end { column }
    pile     = end [ counts end ] [ cards end ]
    counts   = "0" "1" ... "9" "A" ... "F" "10" ...   (with or without blanks)
    tops     = "tp:" number "," number "," number "," number "," "n=" number "," "cp=" number "," "wp=" number end
    column   = number "," number "," number ":" [ cards "," ] cards { "-" } end
    cards    = [ card { [ blanks ] card } ]
    heading  = line that begins with "Datafile", "No." or "Success!"
    end      = end of line                            (before it, notes in parentheses mean nothing)

``Redeal=N`` in a heading gives the number of redeals so far. Blank lines mean nothing, nor do captions between two
figures: lines that begin with ``a)``, ``b)`` or a number of moves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.klondike.pieces import Card, Pieces
from engines.klondike.rules import RANKS_MAX, Position
from engines.text.forms import Line, Lines
from engines.text.textfile import shown

_HEADING = re.compile(r"\s*(?:Datafile|No\.|Success!)", re.IGNORECASE)
"""Pattern of lines before a figure."""
_BEGIN = re.compile(r"\s*cell:", re.IGNORECASE)
BEGINS = re.compile(rf"{_HEADING.pattern}|{_BEGIN.pattern}", re.IGNORECASE)
"""Pattern of the beginning of a figure."""
CAPTION = re.compile(r"\s*(?:[0-9]+ moves\b|[ab]\)|図)", re.IGNORECASE)
"""Pattern of lines below a figure."""
_COLUMN_BEGINS = re.compile(r"\s*-?[0-9]{1,3}\s*,")
"""Pattern of the beginning of a column's line."""
_COLUMN = re.compile(r"(-?[0-9]{1,3})\s*,\s*(-?[0-9]{1,3})\s*,\s*(-?[0-9]{1,3})\s*:(.*?)-*")
_NOTE = re.compile(r"\([^()]*\)|（[^（）]*）")
_WASTE = re.compile("wastepile:", re.IGNORECASE)
_TOPS = re.compile(
    r"tp:((?:\s*[0-9]{1,3}\s*,){4})\s*n=\s*([0-9]{1,3})\s*,"
    r"\s*cp=\s*([0-9]{1,3})\s*,\s*wp=\s*([0-9]{1,3})",
    re.IGNORECASE,
)
_STACK = re.compile(r"Stack:\s*([0-9]{1,3})", re.IGNORECASE)
_REDEAL = re.compile(r"Redeal\s*=\s*([0-9]{1,6})\b", re.IGNORECASE)


def read_figures(lines: Lines, source: str, number: int) -> list[Position]:
    """The position of the figure that begins here; UserError when there is none."""
    pieces = Pieces(f"{source}, deal {number}", lines.line[0])
    return [_Figure(_figure_lines(lines), pieces).position()]


def _figure_lines(lines: Lines) -> list[Line]:
    """The lines up to the last column, or up to those of another figure; without blank lines."""
    found: list[Line] = []
    begun = columns = False
    while not lines.at_end:
        _, line = lines.line
        is_column = _COLUMN_BEGINS.match(line) is not None
        begins = _BEGIN.match(line) is not None
        if line.strip():
            if (columns and not is_column) or (begun and (begins or _HEADING.match(line))):
                break
            found.append(lines.line)
        columns |= is_column
        begun |= begins
        lines.take()
    return found


class _Figure:
    def __init__(self, lines: Sequence[Line], pieces: Pieces) -> None:
        self._lines = [(number, _NOTE.sub(" ", text).strip()) for number, text in lines]
        self._pieces = pieces
        self._at = 0

    def position(self) -> Position:
        pieces = self._pieces
        while self._at < len(self._lines) and _HEADING.match(self._lines[self._at][1]):
            redeal = _REDEAL.search(self._next()[1])
            if redeal is not None:
                pieces.redeals_count = int(redeal[1])
        self._match(_BEGIN, "cell:")
        pieces.stock = self._pile("stock")[::-1]
        self._match(_WASTE, "wastepile:")
        pieces.waste = self._pile("waste")
        number, tops = self._match(_TOPS, "tp: 0, 0, 0, 0, n=0, cp=24, wp=0")
        pieces.foundations = [int(top) for top in tops[1].split(",")[:4]]
        for top in pieces.foundations:
            if top > RANKS_MAX:
                pieces.fail(f"tp: a foundation has at most {RANKS_MAX} cards, not {top}", number)
        for name, told, counted in (
            ("n", tops[2], sum(pieces.foundations)),
            ("cp", tops[3], len(pieces.stock)),
            ("wp", tops[4], len(pieces.waste)),
        ):
            if int(told) != counted:
                pieces.fail(f"{name}={told}, but there are {counted} cards", number)
        stack_line, stack = self._match(_STACK, "Stack: 28")
        while self._at < len(self._lines):
            self._column()
        position = pieces.position()
        counted = sum(map(len, pieces.columns))
        if int(stack[1]) != counted:
            pieces.fail(f"Stack: {stack[1]}, but the columns have {counted} cards", stack_line)
        return position

    def _pile(self, where: str) -> list[Card]:
        """The cards on the lines up to the next heading; one line of counts may stand before them."""
        cards: list[Card] = []
        told: tuple[int, str] | None = None
        while self._at < len(self._lines) and ":" not in self._lines[self._at][1]:
            number, text = self._next()
            word = "".join(text.split())
            if not cards and told is None and re.fullmatch(r"0|01[0-9A-F]*", word, re.IGNORECASE):
                told = number, word
            else:
                cards += self._pieces.read_cards(text, where, number)
        if told is not None and told[1].upper() != "".join(f"{index:X}" for index in range(len(cards))):
            self._pieces.fail(f"{where}: the line of counts does not go with its {len(cards)} cards", told[0])
        return cards

    def _column(self) -> None:
        pieces = self._pieces
        number, text = self._next()
        match = _COLUMN.fullmatch(text)
        if match is None:
            pieces.fail(f"expected a column like 1,1, 2: D5,C8, found {shown(text)}", number)
        index, down_told, count_told = (int(match[group]) for group in (1, 2, 3))
        where = f"column {len(pieces.columns)}"
        if index != len(pieces.columns):
            pieces.fail(f"{where}: its line begins with {index}", number)
        before, comma, after = match[4].partition(",")
        down = pieces.read_cards(before if comma else "", where, number)
        up = pieces.read_cards(after if comma else before, where, number)
        if down_told < 0 and (down_told != -1 or down):
            pieces.fail(
                f"{where}: {down_told} cards face down, but {len(down)} stand before the comma", number
            )
        if max(0, down_told) != len(down):
            pieces.fail(
                f"{where}: {down_told} cards face down are given, {len(down)} stand before the comma", number
            )
        if count_told != len(down) + len(up):
            pieces.fail(f"{where}: {count_told} cards are given, there are {len(down) + len(up)}", number)
        pieces.columns.append(down + up)
        pieces.face_down.append(len(down))

    def _match(self, pattern: re.Pattern[str], example: str) -> tuple[int, re.Match[str]]:
        """The next line, which must be like ``example``."""
        number, text = self._next(example)
        match = pattern.fullmatch(text)
        if match is None:
            self._pieces.fail(f"expected {example}, found {shown(text)}", number)
        return number, match

    def _next(self, example: str = "") -> Line:
        if self._at == len(self._lines):
            self._pieces.fail(f"the figure ends where {example} is expected", self._lines[-1][0])
        self._at += 1
        return self._lines[self._at - 1]
