"""What lies on the table, for any game: cards in piles, piles in rows. Drawing code knows no game."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engines.text.cards import RANKS, read_card
from engines.text.words import count_of

SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
"""Words for the suits C, D, H, S."""
_RANK_WORDS = {"A": "ace", "0": "10", "J": "jack", "Q": "queen", "K": "king"}


class Look(StrEnum):
    """How a card lies."""

    up = "up"
    down = "down"
    """Face down; it may still be known which card it is."""
    place = "place"
    """A place without a card: a hole, or a card that is still to come."""


class Spread(StrEnum):
    """How the cards of a pile lie."""

    squared = "squared"
    """Each covers the one below it; only the last one and the number of cards are seen."""
    down = "down"
    """Fanned downwards; the last one is lowest, and in play."""
    right = "right"
    apart = "apart"
    """Side by side; a card in another place has moved."""


@dataclass(frozen=True)
class Card:
    """A card, or a place for one."""

    name: str = ""
    """Suit and rank like ``S3``, or another short word; empty when it is not known."""
    look: Look = Look.up
    note: str = ""
    """A note of a few characters."""
    marked: bool = False
    """Whether it is drawn with emphasis."""
    moved: bool = False
    """Whether the last move brought it here."""


@dataclass(frozen=True)
class Pile:
    """Cards that belong together, the lowest (or the leftmost) first."""

    label: str
    cards: tuple[Card, ...] = ()
    spread: Spread = Spread.right
    note: str = ""
    """A remark on it, in a few words."""
    base: str = ""
    """What an empty pile shows: the name of a card, the sign of a suit or a word."""
    room: int = 0
    """Space for so many cards is kept, so that piles beside and below do not shift."""
    is_quiet: bool = False
    """Whether cards come here by themselves: they do not count as moved."""


@dataclass(frozen=True)
class Picture:
    """Everything on the table."""

    rows: tuple[tuple[Pile, ...], ...]
    """Piles side by side, rows one below another."""
    caption: str = ""
    """A remark on the position, in a line."""
    text: str = ""
    """Lines of text instead of piles, for a game without a drawing."""

    @property
    def piles(self) -> Iterator[Pile]:
        """All piles, row by row."""
        return (pile for row in self.rows for pile in row)


def card_of(name: str, down: bool = False) -> Card:
    """A card that lies face up or face down."""
    return Card(name, Look.down if down else Look.up)


def after_move(before: Picture, after: Picture) -> Picture:
    """``after`` with those cards marked that were elsewhere ``before``. A pile is identified by its row and its place
    in it."""
    rows = []
    for number, row in enumerate(after.rows):
        known = before.rows[number] if number < len(before.rows) else ()
        rows.append(
            tuple(
                _marked(known[place].cards if place < len(known) else (), pile)
                for place, pile in enumerate(row)
            )
        )
    return replace(after, rows=tuple(rows))


def _marked(known: Sequence[Card], pile: Pile) -> Pile:
    if pile.is_quiet:
        return pile
    if pile.spread == Spread.apart and len(known) == len(pile.cards):
        moved = [was.name != now.name for was, now in zip(known, pile.cards, strict=True)]
    else:
        # Cards with the same name cannot be told apart: as many as were there before are taken to have stayed, the
        # lowest ones.
        left = Counter(card.name for card in known if card.look != Look.place)
        moved = []
        for card in pile.cards:
            moved.append(left[card.name] <= 0)
            left[card.name] -= 1
    cards = [
        replace(card, moved=came and card.look == Look.up)
        for card, came in zip(pile.cards, moved, strict=True)
    ]
    return replace(pile, cards=tuple(cards))


def said(picture: Picture) -> str:
    """The picture in words, for people who cannot see it: a line for each pile."""
    lines = [line for line in (picture.caption, picture.text) if line]
    return "\n".join([*lines, *(_pile_words(pile) for pile in picture.piles)])


def card_words(name: str) -> str:
    """A card in words: ``10 of hearts``."""
    found = read_card(name)
    if found is None:
        return name or "an unknown card"
    suit, rank = found
    letter = RANKS[rank - 1]
    return f"{_RANK_WORDS.get(letter, letter)} of {SUIT_WORDS[suit]}"


def _pile_words(pile: Pile) -> str:
    head = ", ".join(filter(None, [pile.label, pile.note]))
    cards = [card for card in pile.cards if card.look != Look.place or pile.spread == Spread.apart]
    if not cards:
        return f"{head}: empty"
    if pile.spread == Spread.squared and len(cards) > 1:
        return f"{head}: {count_of(len(cards), 'card')}, on top {_said(cards[-1])}"
    return f"{head}: {', '.join(map(_said, cards))}"


@functools.lru_cache(maxsize=4096)
def _said(card: Card) -> str:
    if card.look == Look.place:
        return f"hole {card_words(card.name)}" if card.name else "hole"
    words = [card_words(card.name), card.note, "face down" if card.look == Look.down and card.name else ""]
    return " ".join(
        filter(None, [*words, "marked" if card.marked else "", "just moved" if card.moved else ""])
    )
