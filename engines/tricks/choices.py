"""Which cards may be point cards, and what players may want of them."""

from __future__ import annotations

import functools

from engines import _native
from storage.errors import UserError

POINTS = ("highest", "lowest", "anywhere")
AIMS = ("most", "fewest")


def check_rules(cards: int, points: str, aim: str) -> None:
    """UserError naming the job's field that is out of range."""
    if not 1 <= cards <= _native.TRICKS_CARDS_MAX:
        raise UserError("job.cards", f"must be 1 to {_native.TRICKS_CARDS_MAX}; got {cards}")
    for name, value, known in (("points", points, POINTS), ("aim", aim, AIMS)):
        if value not in known:
            raise UserError(f"job.{name}", f"{value!r} is none of {', '.join(known)}")


@functools.cache
def choices(points: str, cards: int) -> list[tuple[int, int]]:
    """(cards above, point cards) of the values of a hand, in order (engines/native/src/tricks/layer.rs)."""
    whole = 2 * cards
    if points == "highest":
        return [(0, count) for count in range(whole + 1)]
    if points == "lowest":
        return [(whole - count, count) for count in range(whole + 1)]
    return [(above, count) for above in range(whole + 1) for count in range(whole - above + 1)]
