"""Measures of generated hands against the true ones: exact matches, cards placed right, and diversity of worlds.

``truth`` has the hands of some positions, uint64 (positions, 5), sets of cards by seat (``numbers``); ``worlds`` the
worlds of a generator for each position, uint64 (positions, worlds, 5); ``own`` the seats for which it did, integers
(positions,). Measured are the hands of the others. All results are counts, so that those of many units can be added
up.

The paper (section 4) supposes that its estimates match the true hands too rarely to help, and gives no measure; these
are ours.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engines.daifugo.numbers import CARDS
from engines.daifugo.rules import PLAYERS, SUITS

Sets = npt.NDArray[np.uint64]
Seats = npt.NDArray[np.integer]
Counts = npt.NDArray[np.int64]

LEFT_MAX = 11
"""Most cards of a hand."""


class CardClass(IntEnum):
    """Classes of cards, as the paper forms them (section 3.2.1), and the joker."""

    low = 0
    """3 to 7."""
    eight = 1
    middle = 2
    """9 to Q."""
    high = 3
    """K, A, 2."""
    joker = 4


CLASSES = np.repeat(list(CardClass), [5 * SUITS, SUITS, 4 * SUITS, 3 * SUITS, 1])
"""The class of each card, by its bit."""


class Tally(NamedTuple):
    """Two counts, part and whole: int64 arrays of one shape."""

    right: Counts
    total: Counts


def holders(hands: Sets) -> npt.NDArray[np.int8]:
    """The seat that has each card, -1 for none: (..., 5) hands to (..., 53) seats."""
    bits = np.arange(CARDS, dtype=np.uint64)
    has = (hands[..., :, None] >> bits & np.uint64(1)).astype(bool)
    found: npt.NDArray[np.int8] = np.where(has.any(axis=-2), has.argmax(axis=-2), -1).astype(np.int8)
    return found


def check_worlds(truth: Sets, worlds: Sets, own: Seats) -> None:
    """ValueError unless every world keeps the own hand, the number of cards of each seat, and the cards altogether."""
    if truth.ndim != 2 or truth.shape[1] != PLAYERS or truth.dtype != np.uint64:
        raise ValueError(f"truth: must be uint64 (positions, {PLAYERS}); it is {truth.dtype} {truth.shape}")
    if worlds.ndim != 3 or worlds.shape[::2] != truth.shape or worlds.dtype != np.uint64:
        raise ValueError(
            f"worlds: must be uint64 ({truth.shape[0]}, worlds, {PLAYERS}); it is {worlds.dtype} {worlds.shape}"
        )
    if own.shape != truth.shape[:1] or not ((own >= 0) & (own < PLAYERS)).all():
        raise ValueError(f"own: must be {truth.shape[0]} seats")
    same_own = worlds[np.arange(len(own)), :, own] == truth[np.arange(len(own)), own, None]
    same_counts = np.bitwise_count(worlds) == np.bitwise_count(truth)[:, None, :]
    same_cards = np.bitwise_or.reduce(worlds, axis=2) == np.bitwise_or.reduce(truth, axis=1)[:, None]
    for name, same in (("own hand", same_own), ("number of cards", same_counts), ("cards", same_cards)):
        if not same.all():
            raise ValueError(f"worlds: not the {name} of position {np.argwhere(~same)[0][0]}")


def exact_hands(truth: Sets, worlds: Sets, own: Seats) -> Tally:
    """Hands of others that a world has exactly, by the number of their cards: (12,); no hand is counted at 0."""
    left = np.broadcast_to(np.bitwise_count(_others(truth, own))[:, None, :], worlds.shape)
    same = worlds == truth[:, None, :]
    counted = left > 0
    return Tally(_count(left[counted & same]), _count(left[counted]))


def exact_worlds(truth: Sets, worlds: Sets) -> Tally:
    """Worlds in which every hand is the true one: (1,)."""
    same = (worlds == truth[:, None, :]).all(axis=2)
    return Tally(*np.array([same.sum(), same.size], np.int64)[:, None])


def cards_placed(truth: Sets, worlds: Sets, own: Seats) -> Tally:
    """Cards of others that a world has with the right seat, by class and cards left of that seat: (5, 12).

    Sums over either axis are the counts by the other, and the whole sums those of all cards.
    """
    seats = holders(_others(truth, own))
    position, card = np.nonzero(seats >= 0)
    seat = seats[position, card]
    left = np.bitwise_count(truth)[position, seat]
    right_count = (holders(worlds)[position, :, card] == seat[:, None]).sum(axis=1)
    right = np.zeros((len(CardClass), LEFT_MAX + 1), np.int64)
    total = np.zeros_like(right)
    np.add.at(right, (CLASSES[card], left), right_count)
    np.add.at(total, (CLASSES[card], left), worlds.shape[1])
    return Tally(right, total)


def diversity(truth: Sets, worlds: Sets, own: Seats) -> Tally:
    """Cards of others that lie with different seats in two worlds of a position, over all pairs of worlds: (1,).

    None of the total: all worlds of a position are alike. Of uniformly random worlds it is 1 minus the sum of the
    squared shares of the hands in the hidden cards.
    """
    hidden = holders(_others(truth, own)) >= 0
    worlds_count = worlds.shape[1]
    with_seat = np.stack([(holders(worlds) == seat).sum(axis=1) for seat in range(PLAYERS)])
    alike = (with_seat * (with_seat - 1) // 2).sum(axis=0)[hidden]
    pairs_count = worlds_count * (worlds_count - 1) // 2
    return Tally(*np.array([(pairs_count - alike).sum(), alike.size * pairs_count], np.int64)[:, None])


def _others(truth: Sets, own: Seats) -> Sets:
    """The hands without the own one."""
    others = truth.copy()
    others[np.arange(len(own)), own] = 0
    return others


def _count(left: npt.NDArray[np.integer]) -> Counts:
    return np.bincount(left, minlength=LEFT_MAX + 1).astype(np.int64)
