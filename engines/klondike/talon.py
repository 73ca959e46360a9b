"""Positions of Klondike with the talon first, as PySol's solvers write them.

    Foundations: H-0 C-A D-0 S-2                     left out where there is no card on them
    Talon: TC TS AD ==> 3H 3S JH <==                 the waste, the card in play first, and the stock
    Talon: TC TS AD 3H 3S JH                         the stock alone, first dealt first
    5C
    <7H> 9H                                          columns from the left, bottom first, <..> face down
    <2D> <9S> AC

The grammar::

    position = [ "Foundations:" { suit "-" rank | card } end ] "Talon:" [ cards "==>" ] [ cards ] [ "<==" ] end column
               { column }
    column   = [ ":" ] { "<" card ">" | card } end         (up to seven; a blank line ends the position)
    cards    = card { blanks card }
"""

from __future__ import annotations

import re

from engines.klondike.pieces import Card, Pieces
from engines.klondike.rules import COLUMNS_MAX, Position
from engines.klondike.unknown import unknown_count
from engines.text.cards import SUITS, rank_first
from engines.text.forms import Lines
from engines.text.textfile import shown

BEGINS = re.compile(r"\s*(?:Talon:|Foundations:\s*(?:[CDHS]-|$))", re.IGNORECASE)
_RANKS = "0A23456789TJQK"
_DOWN = re.compile(r"<\s*([^<>]*?)\s*>")


def read_talon(lines: Lines, source: str, number: int) -> list[Position]:
    """The position of the lines up to a blank one or the seventh column; UserError when they are none."""
    pieces = Pieces(f"{source}, deal {number}", lines.line[0])
    line, text = lines.take()
    head, _, told = text.partition(":")
    if head.strip().lower() == "foundations":
        _read_foundations(pieces, told, line)
        line, text = (line, "") if lines.at_end else lines.take()
        head, _, told = text.partition(":")
    if head.strip().lower() != "talon":
        pieces.fail(f"expected Talon:, found {shown(text.strip())}", line)
    waste, arrow, stock = told.replace("<==", " ").rpartition("==>")
    pieces.waste = pieces.read_cards(waste if arrow else "", "waste", line)[::-1]
    pieces.stock = pieces.read_cards(stock, "stock", line)
    while len(pieces.columns) < COLUMNS_MAX and not lines.at_end and lines.line[1].strip():
        _read_column(pieces, *lines.take())
    return [pieces.position()]


def _read_foundations(pieces: Pieces, told: str, line: int) -> None:
    for word in told.upper().split():
        suit, _, rank = word.partition("-")
        rank = "T" if rank == "10" else rank
        if len(suit) != 1 or suit not in SUITS or len(rank) != 1 or rank not in _RANKS:
            pieces.fail(f"foundations: {shown(word)} is not like C-0, H-A or S-10", line)
        pieces.foundations[SUITS.index(suit)] = _RANKS.index(rank)


def _read_column(pieces: Pieces, line: int, text: str) -> None:
    where = f"column {len(pieces.columns)}"
    down: list[Card] = []
    rest = text.strip().removeprefix(":").strip()
    while match := _DOWN.match(rest):
        down += pieces.read_cards(match[1], where, line)
        rest = rest[match.end() :].strip()
    pieces.columns.append(down + pieces.read_cards(rest, where, line))
    pieces.face_down.append(len(down))


def format_talon(position: Position) -> str | None:
    """The lines of a position of seven columns, all cards known, before any redeal; None for any other."""
    if len(position.columns) != COLUMNS_MAX or unknown_count(position) or position.redeals_count:
        return None
    lines = []
    if any(position.foundations):
        tops = (f"{SUITS[suit]}-{_RANKS[top]}" for suit, top in enumerate(position.foundations))
        lines.append(f"Foundations: {' '.join(tops)}")
    stock = " ".join(map(rank_first, position.stock))
    if position.waste:
        stock = f"{' '.join(map(rank_first, position.waste[::-1]))} ==> {stock} <=="
    lines.append(f"Talon: {stock}".rstrip())
    for column, down in zip(position.columns, position.face_down, strict=True):
        names = [
            f"<{rank_first(number)}>" if at < down else rank_first(number) for at, number in enumerate(column)
        ]
        lines.append(" ".join([":", *names]) if position.waste or not column else " ".join(names))
    return "\n".join(lines)
