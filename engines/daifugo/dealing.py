"""The referee of Daihinmin, before the first turn: the deal, the exchange of cards, and who leads.

Ranks come from the game before: ``before`` has the seats in the order of their ranks, the first (daifugo) first. A game
without ranks has None there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.daifugo.rules import DIAMOND_3, PACK, PLAYERS, Card, Hand, Position

SEAT_PERIOD = 3
"""Games after which seats are drawn anew."""
RANK_PERIOD = 100
"""Games after which the ranks are forgotten."""
Hands = tuple[Hand, ...]
"""By seat."""


@dataclass(frozen=True)
class Gift:
    """Cards that one seat gives another in the exchange."""

    giver: int
    taker: int
    cards: Hand


def begins_period(game: int, period: int) -> bool:
    """Whether seats are drawn, or ranks forgotten, before a game (counted from 0) when that is so every ``period``."""
    return game % period == 0


def deal(deck: Sequence[Card], first: int) -> Hands:
    """The hands when a deck is dealt one card at a time, round by seat, beginning at ``first``."""
    if sorted(deck) != sorted(PACK):
        raise ValueError("a deck has each of the 53 cards once")
    return tuple(frozenset(deck[(seat - first) % PLAYERS :: PLAYERS]) for seat in range(PLAYERS))


def deal_counts(first: int) -> list[int]:
    """How many cards each seat is dealt when the deal begins at ``first``."""
    return [len(range((seat - first) % PLAYERS, len(PACK), PLAYERS)) for seat in range(PLAYERS)]


def strongest(hand: Hand, count: int) -> Hand:
    """The strongest cards of a hand: the joker, then 2 downwards, and of equals S, H, D, C; no revolution yet."""
    return frozenset(sorted(hand, reverse=True)[:count])


def tributes(hands: Hands, before: Sequence[int]) -> list[Gift]:
    """The cards that the last and the fourth must give, from the hands as dealt."""
    first, second, _, fourth, last = before
    return [Gift(last, first, strongest(hands[last], 2)), Gift(fourth, second, strongest(hands[fourth], 1))]


def given_back(hands: Hands, before: Sequence[int], chosen: tuple[Hand, Hand]) -> list[Gift]:
    """The cards that the first and the second give in return, from ``hands`` that have the tributes already.

    ``chosen``: the cards that each of the two would give. A choice that is not two cards (the second: one) of the own
    hand gives away the strongest.
    """
    first, second, _, fourth, last = before
    gifts = []
    for giver, taker, count, cards in ((first, last, 2, chosen[0]), (second, fourth, 1, chosen[1])):
        valid = cards <= hands[giver] and len(cards) == count
        gifts.append(Gift(giver, taker, cards if valid else strongest(hands[giver], count)))
    return gifts


def give(hands: Hands, gifts: Sequence[Gift]) -> Hands:
    """The hands after some gifts; ValueError when a giver does not have a card."""
    after = list(hands)
    for gift in gifts:
        if not gift.cards <= after[gift.giver]:
            raise ValueError(f"seat {gift.giver} does not have all of the cards it gives")
        after[gift.giver] -= gift.cards
        after[gift.taker] |= gift.cards
    return tuple(after)


def first_position(hands: Hands) -> Position:
    """The position before the first turn, after the exchange: the seat with D3 leads, and need not play it."""
    leader = next(seat for seat, hand in enumerate(hands) if DIAMOND_3 in hand)
    return Position(hands, leader, leader)
