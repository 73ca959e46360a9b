"""The game as the thesis defines it (section 2): small, slow and obviously right; shares no code with the core.

Cards are numbers, the higher one takes the trick. Left has the cards ``left``, Right ``right``, in descending order.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

Hand = tuple[int, ...]


@dataclass(frozen=True)
class Deal:
    """A deal, or what is left of it."""

    left: Hand
    """Descending."""
    right: Hand
    """Descending; as many."""
    points: frozenset[int]
    """The point cards among both hands."""
    fewest: bool = False
    """Both players want as few point cards as they can."""


def without(deal: Deal, a: int, b: int) -> Deal:
    """What is left when Left has played ``a`` and Right ``b``."""
    left = tuple(card for card in deal.left if card != a)
    right = tuple(card for card in deal.right if card != b)
    return Deal(left, right, deal.points - {a, b}, deal.fewest)


def trick(deal: Deal, a: int, b: int) -> int:
    """Point cards that Left gets in a trick: T of the thesis."""
    return len(deal.points & {a, b}) if a > b else 0


def rest(deal: Deal, a: int, b: int) -> int:
    """Point cards that Left gets after a trick: W of the thesis."""
    return value(without(deal, a, b), a > b)


@functools.cache
def value(deal: Deal, left_leads: bool) -> int:
    """Point cards that Left gets when both play as well as can be: V of the thesis."""
    if not deal.left:
        return 0
    gains = [[trick(deal, a, b) + rest(deal, a, b) for b in deal.right] for a in deal.left]
    return of_matrix(gains, left_leads, deal.fewest)


def of_matrix(gains: list[list[int]], left_leads: bool, fewest: bool = False) -> int:
    """The result of a first trick: the leader chooses first, and the other player sees the card.

    ``gains[i][j]``: Left's points for Left's card i and Right's card j. Left wants many of them and Right few, or with
    ``fewest`` the other way round.
    """
    if left_leads:
        return best([best(row, not fewest) for row in gains], fewest)
    return best([best(list(column), fewest) for column in zip(*gains, strict=True)], not fewest)


def best(gains: list[int], fewest: bool) -> int:
    """The value that a player chooses among these."""
    return min(gains) if fewest else max(gains)


def payoff_matrix(deal: Deal) -> list[list[int]]:
    """G of the thesis: Left's points for each pair of cards in the first trick."""
    return [[trick(deal, a, b) + rest(deal, a, b) for b in deal.right] for a in deal.left]


def rest_matrix(deal: Deal) -> list[list[int]]:
    """W of the thesis: G without the first trick's own points."""
    return [[rest(deal, a, b) for b in deal.right] for a in deal.left]
