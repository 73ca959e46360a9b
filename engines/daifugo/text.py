"""Cards, hands and plays of Daihinmin as text; ``position`` and ``record`` have the files that are made of them.

    D3 S3 H7 JK                   a hand with the joker; - is a hand without cards
    D5 H5                         a play
    D5 JK=S5                      the joker stands for S5
    S3 JK=S4 S5                   a sequence
    JK=S- S3 S4   HA H2 JK=H+     at either edge: the place below 3 or above 2
    C5 D5 H5 S5 JK=5              the fifth card of a group
    JK                            the joker alone

The grammar::

    hand     = "-" | card { blanks card }
    play     = "pass" | figure { blanks figure }
    figure   = suit rank | rank suit | joker [ "=" place ]
    place    = suit rank | rank suit | suit "-" | suit "+" | rank
    card     = suit rank | rank suit | joker
    joker    = "JK" | "joker" | "jo" | "JR" | "DX"    (all of it in either case; a comma is a blank)
    suit     = "C" | "D" | "H" | "S"
    rank     = "3" | ... | "9" | "T" | "0" | "10" | "J" | "Q" | "K" | "A" | "2"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn

from engines.daifugo.rules import COLUMNS, FIFTH, JOKER, PASS, PLAYERS, SUITS, Card, Hand, Play, place_of
from engines.text import cards
from engines.text.textfile import shown

Fail = Callable[[str], NoReturn]
"""Raises the user's error with this message and the place in the text."""
NO_CARDS = "-"
BELOW, ABOVE = "-", "+"
"""The places at either edge, after the suit."""
_JOKER = "JK"
_JOKER_NAMES = (_JOKER, "JOKER", "JO", "JR", "DX")
_RANK_SHIFT = 2
"""Rank 3 of ``engines.text.cards`` is column 1; ace and two come after king."""


def read_hand(text: str, fail: Fail) -> Hand:
    """The cards of a hand, none twice."""
    words = text.replace(",", " ").split()
    if words == [NO_CARDS]:
        return frozenset()
    if not words:
        fail(f"no cards are given; none at all is {NO_CARDS}")
    found: set[Card] = set()
    for word in words:
        card = read_card(word)
        if card is None:
            fail(f"{shown(word)} is no card; cards are like S3, 0H or {_JOKER}")
        if card in found:
            fail(f"{name_of(card)} is there twice")
        found.add(card)
    return frozenset(found)


def read_play(text: str, fail: Fail) -> Play:
    """A play or a pass; the referee checks whether the cards are a legal kind of play."""
    words = text.split()
    if [word.lower() for word in words] == ["pass"]:
        return PASS
    stands = None
    for at, word in enumerate(words):
        joker, equals, place = word.partition("=")
        if equals and joker.upper() in _JOKER_NAMES:
            stands = _read_place(place)
            if stands is None:
                fail(f"{shown(word)}: a joker stands for a card like S4, or for S-, S+ or 5")
            words[at] = joker
    hand = read_hand(" ".join(words), fail) if words else fail("no play is given; none is pass")
    if JOKER in hand and len(hand) > 1 and stands is None:
        fail(f"what does the joker stand for? It is like {_JOKER}=S4")
    return Play(hand, stands)


def name_of(card: Card) -> str:
    """A card, or a place where a joker stands, as it is printed."""
    if card == JOKER:
        return _JOKER
    if card.column in (0, COLUMNS + 1):
        return cards.SUITS[card.suit] + (ABOVE if card.column else BELOW)
    rank = (card.column + _RANK_SHIFT - 1) % COLUMNS + 1
    return cards.RANKS[rank - 1] if card.suit == FIFTH else cards.card_name(card.suit, rank)


def format_hand(hand: Iterable[Card]) -> str:
    """The cards, weakest first; ``read_hand`` gives them back."""
    return " ".join(map(name_of, sorted(hand))) or NO_CARDS


def format_play(play: Play) -> str:
    """A play as it lies on the field; ``read_play`` gives it back."""
    if play == PASS:
        return "pass"
    lying = sorted((place_of(card, play), card) for card in play.cards)
    return " ".join((f"{_JOKER}=" if place != card else "") + name_of(place) for place, card in lying)


def read_seats(text: str, fail: Fail) -> tuple[int, ...]:
    """Numbers of seats, none twice; there may be none."""
    words = text.split()
    for word in words:
        if not re.fullmatch(rf"[0-{PLAYERS - 1}]", word):
            fail(f"{shown(word)} is no seat; seats are 0 to {PLAYERS - 1}")
        if words.count(word) > 1:
            fail(f"seat {word} is there twice")
    return tuple(map(int, words))


def read_order(text: str, fail: Fail) -> tuple[int, ...]:
    """All seats in some order."""
    seats = read_seats(text, fail)
    if len(seats) != PLAYERS:
        fail(f"{len(seats)} seats; all {PLAYERS} must be there, first to last")
    return seats


def format_seats(seats: Iterable[int]) -> str:
    """Numbers of seats."""
    return " ".join(map(str, seats))


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its number from 1 on, without comment and blanks; lines with only a comment are left out."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if not line.lstrip().startswith("#"):
            yield number, line.partition("#")[0].strip()


def listed(hand: Iterable[Card], most: int = 5) -> str:
    """Cards for an error: the first ``most`` of them."""
    names = [name_of(card) for card in sorted(hand)]
    more = len(names) - most
    return ", ".join(names[:most] + ([f"and {more} more"] if more > 0 else []))


def twice(holders: Sequence[tuple[str, Hand]], fail: Fail) -> None:
    """Fail when a card is with two of the named ``holders``."""
    found: dict[Card, str] = {}
    for where, hand in holders:
        for card in sorted(hand):
            if card in found:
                fail(f"{where}: {name_of(card)} is there twice, first in: {found[card]}")
            found[card] = where


def read_card(word: str) -> Card | None:
    """A card, the joker among them; None when it is none."""
    if word.isascii() and word.upper() in _JOKER_NAMES:
        return JOKER
    card = cards.read_card(word)
    return None if card is None else Card((card[1] - _RANK_SHIFT - 1) % COLUMNS + 1, card[0])


def _read_place(word: str) -> Card | None:
    name = word.upper() if word.isascii() else ""
    if len(name) == 2 and name[0] in cards.SUITS and name[1] in (BELOW, ABOVE):
        return Card(COLUMNS + 1 if name[1] == ABOVE else 0, cards.SUITS.index(name[0]))
    fifth = read_card(cards.SUITS[0] + name)
    if fifth is not None:
        return Card(fifth.column, FIFTH)
    card = read_card(name)
    return card if card is not None and card.suit < SUITS else None
