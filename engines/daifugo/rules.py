"""The referee of Daihinmin (Daifugo): the rules written plainly and slowly, sharing nothing with the Rust core.

Source: Yanagisawa and Matsuzaki, section 2.1 (the UECda contest's standard rules of 2010), and where it is silent the
contest's own server. Here are plays and turns; ``dealing`` has what comes before the first turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

PLAYERS = 5
"""Players, by their seats 0 to 4, in the order of turns."""
SUITS = 4
"""C, D, H, S, numbered from 0."""
FIFTH = 4
"""The suit of a joker as fifth card of a group."""
COLUMNS = 13
"""3, 4, ..., K, A, 2, numbered from 1, weakest first. Columns 0 and 14, at either edge, are for a joker alone."""
THREE, EIGHT = 1, 6
GROUP_MIN, GROUP_MAX = 2, 5
SEQUENCE_MIN = 3
REVOLUTION_GROUP, REVOLUTION_SEQUENCE = 4, 5
"""Cards of a group or a sequence that turns the order of strength round."""
PASSES_MAX = 20
"""Passes in a row after which the open ranks are drawn by lot."""


class Card(NamedTuple):
    """A card, or a place on the field where a joker may stand."""

    column: int
    suit: int


JOKER = Card(COLUMNS + 1, FIFTH)
"""Its number makes it the strongest card in every order of cards: after it come 2 downwards, S, H, D, C."""
DIAMOND_3 = Card(THREE, 1)
SPADE_3 = Card(THREE, 3)
PACK = (*(Card(column, suit) for suit in range(SUITS) for column in range(1, COLUMNS + 1)), JOKER)
"""All 53 cards."""

Hand = frozenset[Card]


class Kind(StrEnum):
    """Kinds of plays."""

    single = "single"
    group = "group"
    sequence = "sequence"


class Play(NamedTuple):
    """The cards that leave the hand, and the place where a joker among two or more of them stands."""

    cards: Hand
    stands: Card | None = None


PASS = Play(frozenset())
LONE_JOKER = Play(frozenset([JOKER]))


@dataclass(frozen=True)
class Field:
    """The field: what must be beaten."""

    play: Play = PASS
    """The last play of the trick; PASS when the field is empty."""
    revolution: bool = False
    """Whether the order of strength is turned round."""
    lock: frozenset[int] = frozenset()
    """The only set of suits that may follow; empty without a lock."""


@dataclass(frozen=True)
class Position:
    """A game before somebody's turn, all cards known."""

    hands: tuple[Hand, ...]
    """By seat."""
    turn: int
    """The seat whose turn it is; of no meaning when the game is over."""
    last: int
    """The seat that played last; before the first play, the one that began."""
    field: Field = Field()
    passed: frozenset[int] = frozenset()
    """Seats that are out until the trick is cleared."""
    finished: tuple[int, ...] = ()
    """Seats in the order in which they ended the game: all five when it is over."""
    passes_count: int = 0
    """Passes in a row up to now."""


def place_of(card: Card, play: Play) -> Card:
    """Where a card of a play lies on the field: the joker where it stands for another card."""
    return play.stands if card == JOKER and play.stands is not None else card


def places(play: Play) -> list[Card]:
    """A play as it lies on the field, weakest first."""
    return sorted(place_of(card, play) for card in play.cards)


def kind(play: Play) -> Kind | None:
    """The kind of a play; None when it has none, as a pass."""
    if (play.stands is not None) != (JOKER in play.cards and len(play.cards) > 1):
        return None
    lying = places(play)
    if len(lying) == 1:
        return Kind.single
    if is_group(lying):
        return Kind.group
    if is_sequence(lying):
        return Kind.sequence
    return None


def is_group(lying: Sequence[Card]) -> bool:
    """Two to five of one rank; the joker is the fifth card only where all four others are there."""
    columns, suits = {card.column for card in lying}, {card.suit for card in lying}
    return (
        GROUP_MIN <= len(lying) <= GROUP_MAX
        and len(columns) == 1
        and len(suits) == len(lying)
        and (FIFTH not in suits or suits == set(range(SUITS + 1)))
    )


def is_sequence(lying: Sequence[Card]) -> bool:
    """Three or more of one suit, one column after another; at an edge only the joker can be, and so one of them."""
    columns, suits = sorted(card.column for card in lying), {card.suit for card in lying}
    return (
        len(lying) >= SEQUENCE_MIN
        and len(suits) == 1
        and suits <= set(range(SUITS))
        and columns == list(range(columns[0], columns[0] + len(columns)))
    )


def suits_of(play: Play) -> frozenset[int]:
    """The suits of a play, the joker's where it stands; a lone joker has none."""
    return frozenset() if play == LONE_JOKER else frozenset(card.suit for card in places(play))


def has_eight(play: Play) -> bool:
    """Whether an 8 is in a play, or a joker that stands for one; a lone joker is never one."""
    return any(card.column == EIGHT for card in places(play))


def turns_order(play: Play) -> bool:
    """Whether a play turns the order of strength round, the joker counted."""
    match kind(play):
        case Kind.group:
            return len(play.cards) >= REVOLUTION_GROUP
        case Kind.sequence:
            return len(play.cards) >= REVOLUTION_SEQUENCE
    return False


def clears(play: Play, field: Field) -> bool:
    """Whether a play on a field clears the trick at once: an 8, or S3 on a lone joker."""
    return has_eight(play) or (field.play == LONE_JOKER and play.cards == {SPADE_3})


def illegal(hand: Hand, field: Field, play: Play) -> str | None:
    """Why a play is against the rules; None when it is not. A pass never is."""
    if play == PASS:
        return None
    if not play.cards <= hand:
        return "not all of these cards are in the hand"
    played, beaten = kind(play), kind(field.play)
    if played is None:
        return "this is no single, group or sequence"
    return None if beaten is None else _too_weak(field, beaten, play, played)


def _too_weak(field: Field, beaten: Kind, play: Play, played: Kind) -> str | None:
    """Why a play does not beat what lies on the field."""
    if field.play == LONE_JOKER:
        return None if play.cards == {SPADE_3} else "only S3 beats a lone joker"
    if play == LONE_JOKER:
        return None if beaten == Kind.single else f"a lone joker is a single; a {beaten} lies on the field"
    if played != beaten:
        return f"this is a {played}; a {beaten} lies on the field"
    if len(play.cards) != len(field.play.cards):
        return f"{len(play.cards)} cards; there must be {len(field.play.cards)}, as on the field"
    if field.lock and suits_of(play) != field.lock:
        return "the suits are locked"
    below, above = (play, field.play) if field.revolution else (field.play, play)
    if max(places(below)).column < min(places(above)).column:
        return None
    order = " in a revolution" if field.revolution else ""
    return f"this {played} is not stronger than the one on the field{order}"


def plays_of(hand: Hand) -> Iterator[Play]:
    """All plays that a hand has for an empty field, each once, no pass."""
    for card in sorted(hand):
        yield Play(frozenset([card]))
    yield from _groups(hand)
    yield from _sequences(hand)


def _groups(hand: Hand) -> Iterator[Play]:
    for column in range(1, COLUMNS + 1):
        own = sorted(card for card in hand if card.column == column and card != JOKER)
        for count in range(1, len(own) + 1):
            for cards in combinations(own, count):
                if count >= GROUP_MIN:
                    yield Play(frozenset(cards))
                if JOKER in hand:
                    free = set(range(SUITS)) - {card.suit for card in cards}
                    for suit in sorted(free) or [FIFTH]:
                        yield Play(frozenset([*cards, JOKER]), Card(column, suit))


def _sequences(hand: Hand) -> Iterator[Play]:
    for suit in range(SUITS):
        for first in range(COLUMNS + 2):
            missing: list[Card] = []
            for end in range(first + 1, COLUMNS + 3):
                lying = [Card(column, suit) for column in range(first, end)]
                if lying[-1] not in hand:
                    missing.append(lying[-1])
                if len(missing) > (JOKER in hand):
                    break
                if len(lying) < SEQUENCE_MIN:
                    continue
                if not missing:
                    yield Play(frozenset(lying))
                if JOKER in hand:
                    # It fills the gap; where there is none, it may stand for any of the cards, which stays in hand.
                    for stands in missing or lying:
                        yield Play(frozenset([*lying, JOKER]) - {stands}, stands)


def legal_plays(hand: Hand, field: Field) -> list[Play]:
    """All plays of a hand that beat what lies on the field, each once. A pass, which is always legal, is not listed."""
    return [play for play in plays_of(hand) if illegal(hand, field, play) is None]


def in_game(position: Position) -> list[int]:
    """Seats that have cards."""
    return [seat for seat in range(PLAYERS) if position.hands[seat]]


def is_over(position: Position) -> bool:
    """Whether all five ranks are known."""
    return len(position.finished) == PLAYERS


def is_stalled(position: Position) -> bool:
    """Whether the open ranks must be drawn by lot: see ``draw_lots``."""
    return not is_over(position) and position.passes_count >= PASSES_MAX


def apply(position: Position, play: Play) -> Position:
    """The position after the turn of ``position.turn``; ValueError, which says why, when the play is illegal."""
    if is_over(position) or is_stalled(position):
        raise ValueError("the game is over")
    reason = illegal(position.hands[position.turn], position.field, play)
    if reason is not None:
        raise ValueError(reason)
    return _pass(position) if play == PASS else _play(position, play)


def counted(position: Position, play: Play) -> Play:
    """The play that counts when a player makes one: itself, or a pass when it is illegal."""
    return play if illegal(position.hands[position.turn], position.field, play) is None else PASS


def _pass(position: Position) -> Position:
    return _go_on(
        replace(
            position,
            passed=position.passed | {position.turn},
            passes_count=position.passes_count + 1,
        )
    )


def _play(position: Position, play: Play) -> Position:
    seat, before = position.turn, position.field
    hands = tuple(hand - play.cards if owner == seat else hand for owner, hand in enumerate(position.hands))
    finished = position.finished if hands[seat] else (*position.finished, seat)
    suits = suits_of(play)
    locked = bool(suits) and suits == suits_of(before.play)
    field = Field(play, before.revolution != turns_order(play), suits if locked else frozenset())
    after = replace(position, hands=hands, last=seat, field=field, finished=finished, passes_count=0)
    left = in_game(after)
    if len(left) == 1:
        return replace(after, finished=(*finished, *left))
    return _clear(after) if clears(play, before) else _go_on(after)


def _go_on(position: Position) -> Position:
    """The next seat that has cards and did not pass has the turn; it may be the same seat. If there is none, the
    trick is cleared."""
    awake = [seat for seat in in_game(position) if seat not in position.passed]
    return replace(position, turn=_next(position.turn + 1, awake)) if awake else _clear(position)


def _clear(position: Position) -> Position:
    """The field becomes empty; the last to play leads, or if that seat has no cards the next one in seat order."""
    field = Field(revolution=position.field.revolution)
    leader = _next(position.last, in_game(position))
    return replace(position, field=field, passed=frozenset(), turn=leader)


def _next(seat: int, seats: Sequence[int]) -> int:
    """The first of ``seats`` from ``seat`` on, round the table."""
    return min(seats, key=lambda each: (each - seat) % PLAYERS)


def draw_lots(position: Position, order: Sequence[int]) -> Position:
    """A stalled game ended: ``order`` is how the lot put all who have cards; ValueError when it puts others."""
    if not is_stalled(position):
        raise ValueError("no lot is drawn: the game goes on")
    if sorted(order) != in_game(position):
        raise ValueError(f"the lot is among seats {in_game(position)}")
    return replace(position, finished=(*position.finished, *order))


def points(position: Position) -> list[int]:
    """5, 4, 3, 2, 1 by rank, in the order of seats; ValueError while the game goes on."""
    if not is_over(position):
        raise ValueError("the game is not over")
    return [PLAYERS - position.finished.index(seat) for seat in range(PLAYERS)]
