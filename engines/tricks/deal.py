"""Deals between their forms: hands, the core's patterns, and the referee's."""

from __future__ import annotations

from engines.tricks.rules import Deal, Hand


def pattern_of(left: Hand, right: Hand) -> int:
    """The core's pattern of hands: bit b is set when Left has the card b + 1 of those dealt, in ascending order."""
    pattern = 0
    for bit, card in enumerate(sorted(left + right)):
        pattern |= (card in left) << bit
    return pattern


def hands_of(cards: int, pattern: int) -> tuple[Hand, Hand]:
    """Left's and Right's cards, 1 to 2 * ``cards``, in descending order."""
    ranks = range(2 * cards, 0, -1)
    left = tuple(rank for rank in ranks if pattern >> (rank - 1) & 1)
    return left, tuple(rank for rank in ranks if rank not in left)


def deal_of_pattern(cards: int, pattern: int, above: int, count: int, aim: str) -> Deal:
    """The referee's deal. ``above``: cards above the ``count`` point cards."""
    left, right = hands_of(cards, pattern)
    return Deal(left, right, point_cards(cards, above, count), aim == "fewest")


def point_cards(cards: int, above: int, count: int) -> frozenset[int]:
    """The point cards of 2 * ``cards`` cards."""
    highest = 2 * cards - above
    return frozenset(range(highest - count + 1, highest + 1))


def standard(cards: int, pattern: int) -> str:
    """The standard representation: who has the cards, highest first, A for Left and B for Right."""
    return "".join("A" if pattern >> bit & 1 else "B" for bit in reversed(range(2 * cards)))
