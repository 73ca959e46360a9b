"""Ranks and decks of Calculation as text; ``position`` and ``record`` have positions and games.

A deck is a line: all cards as they are drawn, the first first, each rank four times. Suits do not matter and may be
left out, of all cards or of none. A comma is a blank. A deck of fewer ranks is one of a smaller game; in one without
an ace, a two, a three and a four these lie on the foundations when the game begins::

    6 7 K 8 J 2 3 Q A K ...
    S6 H7 DK C8 HJ S2 C3 D0 DA CK ...

The grammar::

    decks    = { [ deck ] end }                       (``end`` is the end of the line)
    deck     = card { blanks card }
    card     = rank | suit rank | rank suit           (either case)
    suit     = "C" | "D" | "H" | "S"
    rank     = "A" | "2" | ... | "9" | "T" | "0" | "J" | "Q" | "K" | "1" | "10" | "11" | "12" | "13"

Blank lines mean nothing, and ``#`` starts a comment that ends with the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engines.calculation.laid import BASES, LaidDeck, laid_count
from engines.calculation.rules import COPIES, RANKS_MAX, RANKS_MIN
from engines.text.cards import card_name, read_card
from engines.text.textfile import shown
from storage.errors import UserError

RANK_NAMES = "A23456789TJQK"
_READ = {name: rank for rank, name in enumerate(RANK_NAMES, start=1)} | {"0": 10}
_READ |= {str(rank): rank for rank in range(1, RANKS_MAX + 1)}


@dataclass(frozen=True)
class Line:
    """A line with content."""

    place: str
    """Its number, for errors."""
    text: str
    """Without comment, and blanks around it."""


def lines_of(text: str, source: str) -> Iterator[Line]:
    """The lines of a text without comments and blank lines."""
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        content = line.partition("#")[0].strip()
        if content:
            yield Line(f"{source}, line {number}", content)


def name_of(rank: int) -> str:
    """The printed name of a rank."""
    return RANK_NAMES[rank - 1]


def names_of(ranks: Sequence[int]) -> str:
    """The printed names of cards in a row."""
    return " ".join(map(name_of, ranks))


def read_rank(word: str, ranks: int, place: str) -> int:
    """The rank that a word means, in a game of so many ranks; UserError when it means none."""
    rank = _READ.get(word.upper()) if word.isascii() else None
    if rank is None or rank > ranks:
        raise UserError(place, f"{shown(word)} is no rank ({' '.join(RANK_NAMES[:ranks])})")
    return rank


def rank_of_card(word: str) -> int | None:
    """The rank of a card, with or without its suit; None when it is none."""
    card = read_card(word)
    if card is not None:
        return card[1]
    return _READ.get(word.upper()) if word.isascii() else None


def read_decks(text: str, source: str = "decks") -> list[tuple[int, ...]]:
    """All decks of a text, as ranks; UserError that names ``source``, line and card when one is wrong."""
    return [_deck(line) for line in lines_of(text, source)]


def format_deck(deck: Sequence[int]) -> str:
    """A deck on one line; ``read_decks`` gives it back."""
    return names_of(deck[laid_count(deck) :])


def format_numbers(deck: Sequence[int]) -> str:
    """A deck as numbers from 1; ``read_decks`` gives it back."""
    return " ".join(map(str, deck[laid_count(deck) :]))


def ranks_of(deck: Sequence[int]) -> int:
    """The number of ranks of a deck."""
    return len(deck) // COPIES


def _deck(line: Line) -> tuple[int, ...]:
    deck, suits = [], []
    for number, word in enumerate(line.text.replace(",", " ").split(), start=1):
        card = read_card(word)
        if card is not None:
            suits.append(card)
            deck.append(card[1])
        elif word.isascii() and word.upper() in _READ:
            deck.append(_READ[word.upper()])
        else:
            raise UserError(line.place, f"card {number}: {shown(word)} is no card; cards are like 7 or S7")
        if suits and len(suits) != len(deck):
            raise UserError(
                line.place, f"card {number}: {shown(word)}: all cards of a deck have suits, or none"
            )
        if card is not None and suits.count(card) > 1:
            raise UserError(line.place, f"card {number}: {card_name(*card)} is there twice")
    ranks = max(max(deck), RANKS_MIN)
    if len(deck) == COPIES * ranks - len(BASES) and all(deck.count(rank) == COPIES - 1 for rank in BASES):
        return LaidDeck((*BASES, *deck))
    for number, rank in enumerate(deck, start=1):
        if deck[:number].count(rank) > COPIES:
            raise UserError(
                line.place, f"card {number}: a fifth {name_of(rank)}; each rank is there four times"
            )
    for rank in range(1, ranks + 1):
        if (found := deck.count(rank)) != COPIES:
            raise UserError(
                line.place,
                f"{found or 'no'} {name_of(rank)} among {len(deck)} cards; each rank of A to {name_of(ranks)} "
                "is there four times",
            )
    assert ranks <= RANKS_MAX
    return tuple(deck)
