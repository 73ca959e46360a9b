"""Positions of Calculation as pictures. Foundations and stacks are counted from 0, as boards show them."""

from __future__ import annotations

from collections.abc import Sequence

from engines.calculation import rules
from engines.calculation.position import Told
from engines.calculation.rules import FOUNDATIONS, Position
from engines.calculation.text import name_of
from engines.contract.picture import Card, Look, Picture, Pile, Spread

ROOM, STACK_ROOM = 14, 8
"""Beside a foundation, where the last card that lies there is seen whole; for the cards of a stack, mostly."""


def picture(told: Told) -> Picture:
    """Foundations with what they wait for, the drawn card and the stacks, the pile."""
    position = told.position
    foundations = [_foundation(position, number) for number in range(FOUNDATIONS)]
    drawn = () if position.drawn is None else (Card(name_of(position.drawn)),)
    stacks = [
        Pile(f"stack {number}", _stack(cards, targets), Spread.down, room=STACK_ROOM)
        for number, (cards, targets) in enumerate(zip(position.stacks, told.targets, strict=True))
    ]
    return Picture(
        (
            tuple(foundations[:2]),
            tuple(foundations[2:]),
            (Pile("drawn", drawn, Spread.squared), *stacks),
            (_pile(told),),
        )
    )


def _foundation(position: Position, number: int) -> Pile:
    height = position.heights[number]
    cards = tuple(
        Card(name_of(rank), Look.up if at < height else Look.place)
        for at, rank in enumerate(rules.row(number, position.ranks))
    )
    waits = position.waits_for(number)
    note = "full" if waits is None else f"next {name_of(waits)}"
    return Pile(f"foundation {number}: {note}", cards, room=ROOM)


def _stack(cards: Sequence[int], targets: Sequence[int | None]) -> tuple[Card, ...]:
    return tuple(
        Card(name_of(rank), note="" if target is None else f"→{target}")
        for rank, target in zip(cards, targets, strict=True)
    )


def _pile(told: Told) -> Pile:
    if told.pile is not None:
        return Pile("pile, next first", tuple(Card(name_of(rank), Look.down) for rank in told.pile))
    count = sum(told.position.pile().values())
    return Pile("pile", (Card("", Look.down),) * count, Spread.squared)
