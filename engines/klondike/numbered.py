"""Deals of Klondike by the numbers that other programs give them.

    greenfelt 123            game=123 of Green Felt (greenfelt.net/klondike), 1 to 2147483646
    pysol 123                deal 123 of PySol FC, 1 to 32000: by the generator of Microsoft's C runtime

Green Felt shuffles C, D, H, S by A to K seven times over with Park and Miller's generator (s = 16807 s mod 2**31 -
1): each card in turn changes places with card s mod 52. It deals from the end, row by row. PySol FC deals its first
32,000 numbers as Microsoft's FreeCell does: of the n cards that are left (AC AD AH AS 2C ..., S before K) card r mod
n is taken, and the last card takes its place. Here s = 214013 s + 2531011 mod 2**31, and r = s / 2**16. Its rows go
from right to left, the shortest column last: a card less for each row face down, then one face up for each column.
(Its other numbers come from Python's own generator, and are not read.) The grammar::

    deal     = ( "greenfelt" | "pysol" ) number end          (either case)
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engines.klondike.digits import dealt_in_rows
from engines.klondike.pieces import Card, Pieces
from engines.klondike.rules import COLUMNS_MAX, RANKS_MAX, SUITS, Position
from engines.text.forms import Lines
from engines.text.textfile import shown, whole_number

BEGINS = re.compile(r"\s*(greenfelt|pysol)\b", re.IGNORECASE)
_LINE = re.compile(BEGINS.pattern + r"(.*)", re.IGNORECASE)
_CARDS = SUITS * RANKS_MAX
_GREEN_SHUFFLES, _GREEN_FACTOR, _GREEN_MODULUS = 7, 16807, (1 << 31) - 1


def read_numbered(lines: Lines, source: str, number: int) -> list[Position]:
    """The deal that a line names; UserError when there is none."""
    line, text = lines.take()
    pieces = Pieces(f"{source}, deal {number}", line)
    match = _LINE.match(text)
    assert match is not None, "the line begins so"
    dealer, told = match.groups()
    most, deal = _DEALERS[dealer.lower()]
    game = whole_number(told.strip(), most)
    if not game:
        pieces.fail(f"{shown(told.strip())} is no number of a deal of {dealer.lower()}; they are 1 to {most}")
    pieces.columns, pieces.stock = deal(game)
    pieces.face_down = list(range(COLUMNS_MAX))
    return [pieces.position()]


def green_felt(game: int) -> tuple[list[list[Card]], list[Card]]:
    """Columns, each bottom first, and stock of a game of Green Felt."""
    deck = [(suit, rank) for suit in range(SUITS) for rank in range(1, RANKS_MAX + 1)]
    seed = game
    for _ in range(_GREEN_SHUFFLES):
        for at in range(_CARDS):
            seed = seed * _GREEN_FACTOR % _GREEN_MODULUS
            other = seed % _CARDS
            deck[at], deck[other] = deck[other], deck[at]
    return dealt_in_rows(deck[::-1])


def pysol(game: int) -> tuple[list[list[Card]], list[Card]]:
    """Columns, each bottom first, and stock of a deal of PySol FC."""
    left = iter(microsoft(game))
    columns: list[list[Card]] = [[] for _ in range(COLUMNS_MAX)]
    # Rows go from right to left, and so that the leftmost column has one card.
    for length in (*range(COLUMNS_MAX - 1, 0, -1), COLUMNS_MAX):
        for at in range(length):
            columns[COLUMNS_MAX - 1 - at].append(next(left))
    return columns, list(left)


def microsoft(game: int) -> list[Card]:
    """The cards in the order in which Microsoft's FreeCell deals them."""
    deck = [(suit, rank) for rank in range(1, RANKS_MAX + 1) for suit in range(SUITS)]
    seed, dealt = game, []
    while deck:
        seed = (seed * 214013 + 2531011) % (1 << 31)
        at = (seed >> 16) % len(deck)
        dealt.append(deck[at])
        last = deck.pop()
        if at < len(deck):
            deck[at] = last
    return dealt


Dealer = Callable[[int], tuple[list[list[Card]], list[Card]]]
_DEALERS: dict[str, tuple[int, Dealer]] = {
    "greenfelt": (_GREEN_MODULUS - 1, green_felt),
    "pysol": (32_000, pysol),
}
"""Name -> its largest number, and the function that deals."""
