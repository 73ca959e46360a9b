"""Whist, where all cards are point cards: the tricks that Left takes, by a program that shares nothing with the core.

It goes through all deals layer by layer, too, but by what Kahn, Lagarias and Witsenhausen proved (theorem 2 of the
thesis: a higher card is never worse), so that the second player has at most two replies: the lowest card that wins,
and the lowest of all. Values are found by the pattern itself, not by its number.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from engines.tricks.known import hands

Patterns = npt.NDArray[np.uint32]
Counts = npt.NDArray[np.int8]

CHUNK = 1 << 17
NONE = 127


def tricks(cards: int, patterns: Patterns, left_leads: bool) -> Counts:
    """Tricks that Left takes in each of these deals of ``cards`` cards each."""
    if left_leads:
        return _leading(cards, patterns, _tricks_by_pattern(cards - 1))
    everything = np.uint32((1 << 2 * cards) - 1)
    return np.int8(cards) - _leading(cards, patterns ^ everything, _tricks_by_pattern(cards - 1))


@functools.lru_cache(maxsize=2)
def _tricks_by_pattern(cards: int) -> Counts:
    """Tricks of Left in the lead at the place of each pattern; other places have no meaning."""
    found = np.zeros(1 << 2 * cards, np.int8)
    if cards:
        below = _tricks_by_pattern(cards - 1)
        for first in range(0, len(found), CHUNK):
            numbers = np.arange(first, min(first + CHUNK, len(found)), dtype=np.uint32)
            patterns = numbers[np.bitwise_count(numbers) == cards]
            if len(patterns):
                found[patterns] = _leading(cards, patterns, below)
    return found


def _leading(cards: int, patterns: Patterns, below: Counts) -> Counts:
    left, right = hands(cards, patterns)
    lowest = right[:, -1]
    best = np.zeros(len(patterns), np.int8)
    for place in range(cards):
        lead = left[:, place]
        winner = np.where(right > lead[:, None], right, NONE).min(1)
        worst = _after(cards, patterns, lead, lowest, below)
        wins = winner < NONE
        reply = _after(cards, patterns[wins], lead[wins], winner[wins], below)
        worst[wins] = np.minimum(worst[wins], reply)
        best = np.maximum(best, worst)
    return best


def _after(cards: int, patterns: Patterns, lead: Counts, reply: Counts, below: Counts) -> Counts:
    """Left's tricks when these two cards are played."""
    rest: Patterns = patterns
    for card in (np.maximum(lead, reply), np.minimum(lead, reply)):
        under = (np.uint32(1) << (card - 1).astype(np.uint32)) - np.uint32(1)
        rest = np.bitwise_or(rest & under, (rest >> np.uint32(1)) & ~under)
    won = lead > reply
    others = np.uint32((1 << 2 * (cards - 1)) - 1)
    found: Counts = np.where(won, 1 + below[rest], np.int8(cards - 1) - below[rest ^ others]).astype(np.int8)
    return found
