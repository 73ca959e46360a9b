"""The orders of piles in playouts, which the core and the literal player share."""

from __future__ import annotations

from engines import _native

_SEED = 1


def playout_order(number: int, cards_count: int) -> list[int]:
    """Of a pile of so many cards, sorted by rank, the order in which playout ``number`` draws them."""
    return list(_native.shuffled_deck(_SEED, cards_count << 32 | number, cards_count).tolist())
