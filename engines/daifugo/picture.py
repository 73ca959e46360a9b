"""Pictures of positions of Daihinmin: the table, the five hands, the cards that are gone. Seats are counted from 0."""

from __future__ import annotations

from collections.abc import Iterable

from engines.contract.picture import Card, Look, Picture, Pile
from engines.daifugo import rules
from engines.daifugo.rules import PASS, PLAYERS, Play, place_of
from engines.daifugo.text import name_of
from engines.daifugo.view import View
from engines.text.cards import SIGNS, shown_card

ROOM = 12
"""Space for a hand: one card more than any hand has, because some cards are wider."""
_RANKS = ("1st", "2nd", "3rd", "4th", "5th")


def picture(view: View) -> Picture:
    """The field with lock and revolution, a row for each hand, the cards that are gone."""
    field = view.field
    gone = view.gone - field.play.cards
    piles = [_table(view), *(_hand(view, seat) for seat in range(PLAYERS))]
    rows = [tuple(piles[at : at + 2]) for at in range(0, len(piles), 2)]
    rows.append((Pile("played before", _cards(gone), is_quiet=True),))
    told = [
        "revolution: the order of strength is turned round" if field.revolution else "",
        f"ranks before: seats {' '.join(map(str, view.before))}" if view.before is not None else "",
    ]
    return Picture(tuple(rows), "; ".join(filter(None, told)))


def _table(view: View) -> Pile:
    play = view.field.play
    label = "on the table" if play == PASS else f"on the table, by seat {view.last}"
    locked = " ".join(SIGNS[suit] for suit in sorted(view.field.lock))
    note = f"locked: {locked}" if locked else ""
    return Pile(label, _lying(play), note=note, room=ROOM)


def _lying(play: Play) -> tuple[Card, ...]:
    """Cards in the order of the field, a joker in its place."""
    cards = sorted(play.cards, key=lambda card: place_of(card, play))
    return tuple(
        Card(
            name_of(card),
            note="" if place_of(card, play) == card else f"={shown_card(name_of(place_of(card, play)))}",
        )
        for card in cards
    )


def _hand(view: View, seat: int) -> Pile:
    hand = view.hands[seat]
    cards = (Card("", Look.down),) * view.counts[seat] if hand is None else _cards(hand)
    return Pile(f"seat {seat}{_state(view, seat)}", cards, room=ROOM)


def _state(view: View, seat: int) -> str:
    if seat in view.finished:
        return f": {_RANKS[view.finished.index(seat)]}"
    if len(view.finished) < PLAYERS and seat == view.turn:
        return ": to play"
    return ": passed" if seat in view.passed else ""


def _cards(cards: Iterable[rules.Card]) -> tuple[Card, ...]:
    return tuple(Card(name_of(card)) for card in sorted(cards))
