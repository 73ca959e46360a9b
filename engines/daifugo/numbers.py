"""The numbers by which cards and plays are known to the Rust core and in arrays.

A card's bit is 4 * (column - 1) + suit, the joker's is 52; a set of cards is a number of 53 bits. A play is the set of
cards that leave the hand and what a joker among them stands for: 4 * column + suit (column 0 to 14; suit 4: the fifth
card of a group), -1 when there is no joker in it or when it is played alone. A pass is (0, -1).
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.daifugo.rules import COLUMNS, FIFTH, JOKER, SUITS, Card, Hand, Play

JOKER_BIT = SUITS * COLUMNS
CARDS = JOKER_BIT + 1


def bit_of(card: Card) -> int:
    """A card's bit, 0 to 52."""
    return JOKER_BIT if card == JOKER else SUITS * (card.column - 1) + card.suit


def card_of(bit: int) -> Card:
    """The card of a bit, 0 to 52."""
    return JOKER if bit == JOKER_BIT else Card(bit // SUITS + 1, bit % SUITS)


def set_of(cards: Iterable[Card]) -> int:
    """A set of cards as a number."""
    return sum(1 << bit_of(card) for card in frozenset(cards))


def hand_of(number: int) -> Hand:
    """The set of cards of a number."""
    return frozenset(card_of(bit) for bit in range(CARDS) if number >> bit & 1)


def play_numbers(play: Play) -> tuple[int, int]:
    """A play as the two numbers of the core."""
    stands = play.stands
    return set_of(play.cards), -1 if stands is None else SUITS * stands.column + stands.suit


def play_of(cards: int, stands: int) -> Play:
    """The play of the two numbers of the core."""
    if stands < 0:
        return Play(hand_of(cards))
    hand = hand_of(cards)
    # The number of a fifth card equals that of the next column's first card: only with four of its rank is the fifth
    # card meant.
    column, suit = divmod(stands, SUITS)
    fifth = Card(column - 1, FIFTH)
    is_fifth = all(Card(fifth.column, other) in hand for other in range(SUITS))
    return Play(hand, fifth if suit == 0 and is_fifth else Card(column, suit))
