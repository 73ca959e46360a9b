"""Which cards may be point cards."""

from __future__ import annotations

import functools


@functools.cache
def choices(points: str, cards: int) -> list[tuple[int, int]]:
    """(cards above, point cards) of the values of a hand, in order (engines/native/src/tricks/layer.rs)."""
    whole = 2 * cards
    if points == "highest":
        return [(0, count) for count in range(whole + 1)]
    if points == "lowest":
        return [(whole - count, count) for count in range(whole + 1)]
    return [(above, count) for above in range(whole + 1) for count in range(whole - above + 1)]
