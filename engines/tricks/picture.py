"""Positions of single-suit trick taking as pictures. Point cards have a star."""

from __future__ import annotations

from collections.abc import Iterable

from engines.contract.picture import Card, Picture, Pile
from engines.text.words import count_of
from engines.tricks.position import Position


def picture(position: Position) -> Picture:
    """Left's hand above, the table, Right's below, and what each has taken."""
    hands = [_hand(position, "Left (A)", True), _hand(position, "Right (B)", False)]
    table = _pile(position, "on the table", () if position.table is None else (position.table,))
    won = [
        _pile(position, f"{name} has taken {count_of(position.points_of(cards), 'point card')}", cards)
        for name, cards in (("Left", position.left_won), ("Right", position.right_won))
    ]
    return Picture(((hands[0],), (table,), (hands[1],), tuple(won)), "★: point cards")


def _hand(position: Position, name: str, is_left: bool) -> Pile:
    state = ""
    if not position.is_over and position.left_to_play == is_left:
        state = ": to lead" if position.table is None else ": to play"
    return _pile(position, name + state, position.left if is_left else position.right)


def _pile(position: Position, label: str, cards: Iterable[int]) -> Pile:
    return Pile(label, tuple(Card(str(card), marked=card in position.points) for card in cards))
