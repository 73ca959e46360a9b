"""Positions of Klondike as pictures. Columns are counted from 1, as ``drawing`` shows them."""

from __future__ import annotations

from collections.abc import Iterable

from engines.contract.picture import SUIT_WORDS, Card, Picture, Pile, Spread, card_of
from engines.klondike.rules import Position
from engines.klondike.unknown import UNKNOWN
from engines.text.cards import SIGNS, card_name, name_of

ROOM = 12
"""Space for the cards of a column: few are longer."""


def picture(position: Position) -> Picture:
    """Foundations, waste beside stock, and the columns: what is dealt next lies beside the card in play."""
    foundations = tuple(_foundation(suit, top) for suit, top in enumerate(position.foundations))
    waste = Pile("waste", _cards(position.waste))
    stock = Pile("stock, next first", _cards(position.stock, len(position.stock)))
    columns = tuple(
        Pile(f"column {number}", _cards(column, down), Spread.down, room=ROOM)
        for number, (column, down) in enumerate(
            zip(position.columns, position.face_down, strict=True), start=1
        )
    )
    caption = f"redeals so far: {position.redeals_count}" if position.redeals_count else ""
    return Picture((foundations, (waste, stock), columns), caption)


def _foundation(suit: int, top: int) -> Pile:
    cards = tuple(Card(card_name(suit, rank)) for rank in range(1, top + 1))
    return Pile(SUIT_WORDS[suit], cards, Spread.squared, base=SIGNS[suit])


def _cards(numbers: Iterable[int], down_count: int = 0) -> tuple[Card, ...]:
    return tuple(
        card_of("" if number == UNKNOWN else name_of(number), at < down_count)
        for at, number in enumerate(numbers)
    )
