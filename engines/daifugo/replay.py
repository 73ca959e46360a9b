"""Games of Daihinmin as they were played, and the referee's verdict on them. ``record`` has their text form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engines.daifugo import dealing, rules
from engines.daifugo.dealing import Gift, Hands
from engines.daifugo.rules import PASS, PLAYERS, Hand, Play, Position
from engines.daifugo.text import format_hand, format_play, format_seats
from engines.daifugo.view import View, view_of, without_hidden


class Turn(NamedTuple):
    """One turn of a game."""

    seat: int
    play: Play


@dataclass(frozen=True)
class Record:
    """A game as it was written down; ``replay`` checks whether it keeps to the rules."""

    deal: Hands
    """By seat, before the exchange; together the 53 cards."""
    turns: tuple[Turn, ...]
    result: tuple[int, ...]
    """All seats as they finished."""
    before: tuple[int, ...] | None = None
    """The seats by their ranks in the game before; None without ranks."""
    gifts: tuple[Gift, ...] = ()
    """The exchange; the tributes first."""
    players: tuple[str, ...] | None = None
    """Names by seat."""
    lines: tuple[int, ...] = field(default=(), compare=False)
    """Where each turn was read, if it was."""


@dataclass(frozen=True)
class Replay:
    """A record played by the referee, as far as it goes."""

    positions: tuple[Position, ...]
    """Before each turn up to the first illegal one, and after the last."""
    problem: str | None
    """The first violation of the rules; None when there is none."""


def replay(record: Record) -> Replay:
    """Play a record: the deal, the exchange, every turn, the result."""
    wrong = _wrong_deal(record) or _wrong_gifts(record)
    if wrong is not None:
        return Replay((), wrong)
    now = dealing.first_position(dealing.give(record.deal, record.gifts))
    positions = [now]
    for number, turn in enumerate(record.turns):
        wrong = wrong_turn(now, turn)
        if wrong is not None:
            return Replay(tuple(positions), f"{_turn_name(record, number)}: {wrong}")
        now = rules.apply(now, turn.play)
        positions.append(now)
    return Replay(tuple(positions), wrong_result(record.result, now, len(record.turns)))


def tricks(record: Record) -> Iterator[list[Turn]]:
    """The turns, trick by trick; what follows an illegal one is a single trick."""
    positions = replay(record).positions
    begin = 0
    for number in range(1, len(positions)):
        # A new trick has an empty field that nobody has passed on.
        if positions[number].field.play == PASS and not positions[number].passed:
            yield list(record.turns[begin:number])
            begin = number
    if record.turns[begin:]:
        yield list(record.turns[begin:])


def seen(record: Record, number: int) -> View:
    """What the player of turn ``number`` (from 0) of a legal record knew before it."""
    return without_hidden(known(record, replay(record).positions[number], number))


def known(record: Record, position: Position, number: int) -> View:
    """The full position before turn ``number`` of a record, with all plays and gifts up to there."""
    plays = tuple(
        tuple(turn.play for turn in record.turns[:number] if turn.seat == each and turn.play != PASS)
        for each in range(PLAYERS)
    )
    seat = position.turn
    gave = frozenset[rules.Card]().union(*(gift.cards for gift in record.gifts if gift.giver == seat))
    got = frozenset[rules.Card]().union(*(gift.cards for gift in record.gifts if gift.taker == seat))
    return replace(view_of(position), before=record.before, plays=plays, gave=gave, got=got)


def _wrong_deal(record: Record) -> str | None:
    counts = [len(hand) for hand in record.deal]
    begins = range(PLAYERS) if record.before is None else record.before[:1]
    if counts in [dealing.deal_counts(first) for first in begins]:
        return None
    where = "any seat" if record.before is None else f"seat {record.before[0]}, the first of the game before"
    return f"deal: {format_seats(counts)} cards by seat; dealt round from {where}, three seats get 11, the others 10"


def _wrong_gifts(record: Record) -> str | None:
    if record.before is None:
        return "exchange: without ranks (before:) nothing is given" if record.gifts else None
    first, second, _, fourth, last = record.before
    tributes = dealing.tributes(record.deal, record.before)
    hands = dealing.give(record.deal, tributes)
    given = {(gift.giver, gift.taker): gift.cards for gift in record.gifts}
    for tribute in tributes:
        wrong = _wrong_gift(given, tribute.giver, tribute.taker, len(tribute.cards), record.deal)
        if wrong is None and given[tribute.giver, tribute.taker] != tribute.cards:
            wrong = f"seat {tribute.giver} must give its strongest, {format_hand(tribute.cards)}"
        if wrong is not None:
            return f"exchange: {wrong}"
    for giver, taker, count in ((first, last, 2), (second, fourth, 1)):
        wrong = _wrong_gift(given, giver, taker, count, hands)
        if wrong is not None:
            return f"exchange: {wrong}"
    if len(record.gifts) != 4:
        return f"exchange: {len(record.gifts)} gifts; there are 4"
    return None


def _wrong_gift(
    given: dict[tuple[int, int], Hand], giver: int, taker: int, count: int, hands: Hands
) -> str | None:
    cards = given.get((giver, taker))
    if cards is None:
        return f"what seat {giver} gives seat {taker} is missing"
    if len(cards) != count:
        return f"seat {giver} gives {format_hand(cards)}; it gives {count}"
    if not cards <= hands[giver]:
        return (
            f"seat {giver} gives {format_hand(cards)}; it does not have {format_hand(cards - hands[giver])}"
        )
    return None


def wrong_turn(now: Position, turn: Turn) -> str | None:
    """Why a turn cannot be the next one; None when it can."""
    if rules.is_over(now):
        return "the game is over"
    if rules.is_stalled(now):
        return f"the game is over after {rules.PASSES_MAX} passes in a row"
    if turn.seat != now.turn:
        return f"it is the turn of seat {now.turn}"
    hand = now.hands[turn.seat]
    if not turn.play.cards <= hand:
        return f"{format_hand(turn.play.cards - hand)} is not in the hand, {format_hand(hand)}"
    reason = rules.illegal(hand, now.field, turn.play)
    if reason is None or now.field.play == PASS or rules.kind(turn.play) is None:
        return reason
    return f"{reason}: {format_play(now.field.play)}"


def wrong_result(result: tuple[int, ...], end: Position, turns_count: int) -> str | None:
    """Why a game cannot have this result after so many turns; None when it can."""
    if rules.is_stalled(end):
        open_seats = result[len(end.finished) :]
        if sorted(open_seats) != rules.in_game(end):
            return f"result: it must begin with {format_seats(end.finished)}, who finished before the lot"
        end = rules.draw_lots(end, open_seats)
    if not rules.is_over(end):
        return f"the game is not over after {turns_count} turns: it is the turn of seat {end.turn}"
    if result != end.finished:
        return f"result: it is {format_seats(end.finished)}"
    return None


def _turn_name(record: Record, number: int) -> str:
    turn = record.turns[number]
    line = f" on line {record.lines[number]}" if record.lines else ""
    return f"turn {number + 1}{line}, seat {turn.seat}, {format_play(turn.play)}"
