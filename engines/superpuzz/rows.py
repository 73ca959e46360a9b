"""Deals of Superpuzz as text, as the paper prints them.

    S3 H2 D2 D4 H6 D5
    D6 C4 H3 C5 CA S6        the paper's figure 7, six columns
    D3 SA DA S4 S5 C6
    C2 C3 H4 HA S2 H5

Four rows of 2 to 13 cells. The king of a deal is the card of its highest rank, so that sixes are kings in six
columns; it stands for a hole, and so do ``--`` (or any mark without letters and digits) and, in any number of columns,
K. A comma is a blank, and x reads as ten, too. In a deal without aces these are what was taken out (Gaps): its ranks
are 2 to that of kings, and its holes are ``--``, or ``-C`` to ``-S`` where they have names. The grammar::

    deals    = { blank line } [ deal { blank line { blank line } deal } ] { blank line }
    deal     = row row row row
    row      = cell { blanks cell } end               (as many cells in each row)
    end      = end of line | "/"                      (a deal of rows joined by "/" ends with its line)
    cell     = card | "--" | "-" suit
    card     = suit rank | rank suit                  (either case)
    suit     = "C" | "D" | "H" | "S"
    rank     = "A" | "2" | ... | "9" | "T" | "0" | "10" | "J" | "Q" | "K"

``#`` starts a comment that ends with the line; a line with nothing else is no blank line. Every card is there once, and
there are four holes. Holes without a name get those of the kings that are not there, in the order C, D, H, S.
``examples/*.deal`` are examples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from engines.superpuzz.deal import HOLE_RANK, Deal, make_deal
from engines.superpuzz.rules import COLUMNS_MAX, COLUMNS_MIN, HOLE, ROWS, SUITS
from engines.text.cards import SUITS as SUIT_NAMES
from engines.text.cards import card_name, read_card, with_letters
from engines.text.forms import Lines
from engines.text.textfile import shown
from storage.errors import UserError

KING = 13
"""The rank that reads as a king in any number of columns."""
HOLE_NAME = "--"
"""The printed form of a hole without a name; any mark without letters and digits is read as one."""
_HOLE = re.compile(r"[^\w?]+|_+")
_TEN = re.compile("x", re.IGNORECASE)
"""Read as ten, too."""


BEGINS = re.compile("")
"""Any line may be a row."""


def read_rows(lines: Lines, source: str, number: int) -> list[Deal]:
    """The deal of the rows up to a blank line, or of a line that joins them; UserError when there is none."""
    rows: list[Row] = []
    while not lines.at_end and lines.line[1].strip():
        line, content = lines.take()
        parts = content.split("/")
        rows += [Row(line, part.replace(",", " ").split()) for part in parts]
        if len(parts) > 1 and len(rows) == ROWS:
            break
    return [RowsReader(source, number, rows).deal()]


def format_deal(deal: Deal, row_end: str = "\n") -> str:
    """The rows of a deal with its kings by name; ``read_deals`` gives the same deal back.

    ``row_end`` stands between rows: a line's end, or `` / `` for a deal on one line.
    """
    columns, names = deal.position.columns, names_of(deal)
    return row_end.join(" ".join(names[i : i + columns]) for i in range(0, len(names), columns))


def names_of(deal: Deal) -> list[str]:
    """The name of the card in each cell; for a hole, that of its king."""
    kings = deal.kings_by_cell()
    # The name of an ace would be read as a card of the deal.
    holes = {
        cell: f"-{SUIT_NAMES[suit]}" if deal.aces_out else deal.hole_name(suit)
        for cell, suit in kings.items()
    }
    return [
        holes[cell] if number == HOLE else deal.name_of(number)
        for cell, number in enumerate(deal.position.cells)
    ]


@dataclass
class Row:
    """The words of a row."""

    line: int
    words: list[str] = field(default_factory=list)


class RowsReader:
    """Makes one deal of its rows, or says what is wrong with them."""

    def __init__(self, source: str, number: int, rows: list[Row]) -> None:
        self._place = f"{source}, deal {number}"
        self._rows = rows

    def deal(self) -> Deal:
        """The deal; UserError when there is none."""
        columns = len(self._rows[0].words)
        self._check_size(columns)
        cells: list[tuple[int, int] | None] = []
        lines: dict[tuple[int, int], int] = {}
        for row in self._rows:
            for word in row.words:
                card = self._card(word, columns, row.line)
                if card in lines:
                    self._fail(row.line, f"{shown(word)} is there twice, first on line {lines[card]}")
                if card is not None:
                    lines[card] = row.line
                cells.append(card)
        aces_out = not any(rank == 1 for _, rank in lines)
        ranks = range(2, columns + 1) if aces_out else range(1, columns)
        missing = [
            card_name(suit, rank) for suit in range(SUITS) for rank in ranks if (suit, rank) not in lines
        ]
        if missing:
            holes = SUITS + len(missing)
            self._fail(
                self._rows[0].line, f"{', '.join(missing)} missing; there are {holes} holes, not {SUITS}"
            )
        try:
            return make_deal(columns, cells, aces_out)
        except ValueError as error:
            self._fail(self._rows[0].line, str(error))

    def _check_size(self, columns: int) -> None:
        first = self._rows[0]
        for row in self._rows:
            if not row.words:
                self._fail(row.line, "a row without cards")
        for row in self._rows[1:]:
            if len(row.words) != columns:
                self._fail(
                    row.line,
                    f"a row of {len(row.words)} cards; the first row, on line {first.line}, has {columns}",
                )
        if not COLUMNS_MIN <= columns <= COLUMNS_MAX:
            self._fail(
                first.line,
                f"{columns} columns; there can be {COLUMNS_MIN} to {COLUMNS_MAX}, of four rows on lines of their "
                "own or joined by /",
            )
        if len(self._rows) != ROWS:
            self._fail(
                self._rows[-1].line, f"{len(self._rows)} rows; a deal has {ROWS}, and a blank line ends it"
            )

    def _card(self, word: str, columns: int, line: int) -> tuple[int, int] | None:
        if _HOLE.fullmatch(with_letters(word)):
            return None
        if word[:1] == "-" and word[1:].upper() in [*SUIT_NAMES]:
            return SUIT_NAMES.index(word[1:].upper()), HOLE_RANK
        card = read_card(_TEN.sub("T", word))
        if card is None:
            self._fail(
                line, f"{shown(word)} is no card; cards are like S3, 0H (ten of hearts), or -- for a hole"
            )
        suit, rank = card
        if rank == KING:
            rank = columns
        if rank > columns:
            self._fail(
                line, f"{shown(word)} is no card of a deal of {columns} columns, which has {columns} ranks"
            )
        return suit, rank

    def _fail(self, line: int, message: str) -> NoReturn:
        raise UserError(f"{self._place}, line {line}", message)
