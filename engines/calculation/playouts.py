"""Playouts of the literal player: the orders of piles, and the chance to win after the last draw."""

from __future__ import annotations

import math

from engines import _native

WEIGHTS = (1.508, 0.433, -3.363, 0.657, 14.265, 0.025)
"""Of 1, l, x, l x, x^2 and l^2, where l is the logarithm of the value, x the pile's part of all cards."""
WEIGHTS_MORE = (2.612, 0.884, -4.257, -0.259, 5.846, 0.051)
"""With more than three stacks."""
LEAST_LOG = -20.0
"""Smaller values count as this one."""
SEED = 1
"""Of the orders of piles."""


def playout_order(number: int, cards_count: int) -> list[int]:
    """Of a pile of so many cards, sorted by rank, the order in which playout ``number`` draws them."""
    return list(_native.shuffled_deck(SEED, cards_count << 32 | number, cards_count).tolist())


def terms(value: float, pile: float) -> list[float]:
    """What the weights are of."""
    log = min(max(math.log(value), LEAST_LOG), 0.0)
    return [1.0, log, pile, log * pile, pile * pile, log * log]


def chance(stacks: int, value: float, pile: float) -> float:
    """The chance to win from a position of this value with this part of all cards in the pile."""
    weights = WEIGHTS_MORE if stacks > 3 else WEIGHTS
    return 1 / (1 + math.exp(-sum(map(math.prod, zip(weights, terms(value, pile), strict=True)))))
