"""Values that are known without search: two point cards (the thesis, section 4), and the conditions of section 5.

All of it is computed from the hands of many deals at once. ``left``, ``right``: (deals, n) cards of 1 to 2n in
descending order. Nothing here knows the tables.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Hands = npt.NDArray[np.int8]
Ranked = npt.NDArray[np.signedinteger]
"""Hands of any size."""
Flags = npt.NDArray[np.bool_]


def hands(cards: int, patterns: npt.NDArray[np.uint32]) -> tuple[Hands, Hands]:
    """Both hands of each pattern."""
    ranks = np.arange(2 * cards, 0, -1, dtype=np.int8)
    owned = (patterns[:, None] >> (ranks - 1).astype(np.uint32)) & 1 == 1
    everything = np.broadcast_to(ranks, owned.shape)
    return everything[owned].reshape(-1, cards), everything[~owned].reshape(-1, cards)


def conditions(left: Hands, right: Hands, above: int, count: int) -> Flags:
    """Section 5: Right has the lowest point card, and each other card of Left's is below each of Right's."""
    highest = 2 * left.shape[1] - above
    lowest = highest - count + 1
    if count == 0:
        return np.zeros(len(left), np.bool_)
    left_others = np.where((left < lowest) | (left > highest), left, 0).max(1)
    right_others = np.where((right < lowest) | (right > highest), right, 127).min(1)
    found: Flags = (right == lowest).any(1) & (left_others < right_others)
    return found


def has_highest(left: Ranked) -> Flags:
    """Whether Left has the highest card."""
    found: Flags = left[:, 0] == 2 * left.shape[1]
    return found


def are_split(left: Ranked) -> Flags:
    """Whether the two highest cards are in different hands."""
    found: Flags = (left >= 2 * left.shape[1] - 1).sum(1) == 1
    return found


def theorem_4(left: Ranked, right: Ranked) -> Flags:
    """Whether the player with the highest card gets both point cards when the other one leads: its i-th card is below
    the other's i-th card for every i from 3 on."""
    below = (left[:, 2:] < right[:, 2:]).all(1)
    above = (left[:, 2:] > right[:, 2:]).all(1)
    found: Flags = np.where(has_highest(left), below, above)
    return found


def two_point_cards(left: Ranked, right: Ranked, left_leads: bool) -> npt.NDArray[np.int8]:
    """Left's points when the two highest cards are the point cards: theorems 3 and 4, and the trivial cases."""
    mine = has_highest(left)
    # With one card each both are in the one trick, whoever leads.
    both = theorem_4(left, right) & ((mine != left_leads) | (left.shape[1] == 1))
    owner_points = np.where(both, 2, 1)
    split = np.where(mine, owner_points, 2 - owner_points)
    together = np.where(mine, 2, 0)
    return np.where(are_split(left), split, together).astype(np.int8)
