"""What the network of a policy sees of a play, and its judgement, written plainly by cards of the referee."""

from __future__ import annotations

import numpy as np
from policy_reference import class_of, runs_of

from engines.daifugo import rules
from engines.daifugo.policy import Weights
from engines.daifugo.rules import JOKER, LONE_JOKER, PASS, SPADE_3, Hand, Kind, Play, Position

RANKS = range(1, 14)

# Sizes of the inputs' groups, in the core's order.
SIZES = {
    "unseen": 52, "unseen_joker": 1, "counts": 44, "active": 4, "last": 4, "own_top": 1, "lead": 1, "revolution": 1,
    "locked": 1, "top": 80, "hand": 52, "hand_joker": 1, "runs": 13, "left": 12, "play": 112, "spends_joker": 1,
    "locks": 2, "beaters": 24, "losers": 8, "winners": 8, "s3_and_joker": 3,
}  # fmt: skip
STARTS = dict(zip(SIZES, np.cumsum([0, *SIZES.values()])[:-1].tolist(), strict=True))
INPUTS = sum(SIZES.values())


def count_at(cards: Hand, column: int) -> int:
    """Natural cards of a column."""
    return sum(card.column == column for card in cards if card != JOKER)


def inputs_of(play: Play, position: Position) -> set[int]:
    """All inputs that are there, of a legal play or a pass at somebody's turn."""
    seat, field = position.turn, position.field
    turned = field.revolution ^ rules.turns_order(play)
    top, hand = field.play, position.hands[seat]
    rest = hand - play.cards
    order = [(seat + step) % 5 for step in range(1, 5)]
    unseen: Hand = frozenset().union(*(position.hands[other] for other in order))
    found: set[int] = set()

    def add(name: str, place: int = 0) -> None:
        assert 0 <= place < SIZES[name]
        found.add(STARTS[name] + place)

    def step(column: int) -> int:
        return 13 - column if turned else column - 1

    def strength(shown: Play) -> int:
        if shown in (PASS, LONE_JOKER):
            return 0 if shown == PASS else 14
        columns = [card.column for card in rules.places(shown)]
        return 14 - max(columns) if turned else min(columns)

    for column in RANKS:
        for name, cards in (("unseen", unseen), ("hand", rest)):
            if count := count_at(cards, column):
                add(name, 4 * step(column) + count - 1)
    for name, cards in (("unseen_joker", unseen), ("hand_joker", rest)):
        if JOKER in cards:
            add(name)
    for place, other in enumerate(order):
        if count := len(position.hands[other]):
            add("counts", 11 * place + count - 1)
            if other not in position.passed:
                add("active", place)
    if turned:
        add("revolution")
    if top == PASS:
        add("lead")
    else:
        if position.last == seat:
            add("own_top")
        else:
            add("last", order.index(position.last))
        add("top", 16 * (class_of(top, top) - 1) + strength(top))
        if field.lock:
            add("locked")
    for column in {card.column for run in runs_of(rest) for card in run}:
        add("runs", step(column))
    add("left", len(rest))
    shown = top if play == PASS else play
    add("play", 16 * class_of(play, top) + strength(shown))
    if JOKER in play.cards:
        add("spends_joker")
    suits = rules.suits_of(play)
    locks = top != PASS and not field.lock and bool(suits) and suits == rules.suits_of(top)
    if locks:
        add("locks")
        own, others = (
            max((1 + step(card.column) for card in cards if card != JOKER and card.suit in suits), default=0)
            for cards in (rest, unseen)
        )
        if own > others:
            add("locks", 1)
    add_beaters(shown, field, locks, unseen, step, add)
    losers, winners = told_apart(rest, unseen, step)
    add("losers", min(losers, 7))
    add("winners", min(winners, 7))
    s3, joker = SPADE_3 in rest, JOKER in rest
    if s3 and joker:
        add("s3_and_joker", 0)
    elif s3 and JOKER in unseen:
        add("s3_and_joker", 1)
    elif joker and SPADE_3 in unseen:
        add("s3_and_joker", 2)
    return found


def add_beaters(shown: Play, field: rules.Field, locks: bool, unseen: Hand, step, add) -> None:  # type: ignore[no-untyped-def]
    """Cards that beat a single, ranks that beat a pair or three of a rank, and the joker."""
    size = len(shown.cards)
    if shown == LONE_JOKER:
        add("beaters", int(SPADE_3 in unseen))
        return
    if rules.kind(shown) not in (Kind.single, Kind.group) or size > 3:
        return
    (column,) = {card.column for card in rules.places(shown)}
    stronger = [other for other in RANKS if step(other) > step(column)]
    if column == 6:
        beaters = 0
    elif size == 1:
        suits = rules.suits_of(shown) if locks or field.lock else frozenset(range(4))
        beaters = sum(card.suit in suits and card.column in stronger for card in unseen if card != JOKER)
        beaters += JOKER in unseen
    else:
        beaters = sum(count_at(unseen, other) >= size for other in stronger) + (JOKER in unseen)
    add("beaters", 8 * (size - 1) + min(beaters, 7))


def told_apart(rest: Hand, unseen: Hand, step) -> tuple[int, int]:  # type: ignore[no-untyped-def]
    """Ranks of a hand that somebody could beat, as groups, and those that nobody could; the joker is one more."""
    losers = winners = 0
    for column in RANKS:
        size = count_at(rest, column)
        if size == 0:
            continue
        joker = JOKER in unseen
        if size == 4:
            kept = False
        elif column == 6:
            kept = True
        elif size == 1 and joker:
            kept = False
        else:
            need = size - joker
            kept = not any(count_at(unseen, other) >= need and step(other) > step(column) for other in RANKS)
        losers, winners = losers + (not kept), winners + kept
    if JOKER in rest:
        kept = SPADE_3 not in unseen
        losers, winners = losers + (not kept), winners + kept
    return losers, winners


def judgement(play: Play, position: Position, numbers: Weights, width: int) -> float:
    """Of a network: sums of rows; the first counts as it is, the others where they are above 0, weighed."""
    rows = numbers.astype(np.float64).reshape(-1, width)
    assert len(rows) == INPUTS + 2
    sums = rows[INPUTS] + rows[sorted(inputs_of(play, position))].sum(axis=0)
    return float(sums[0] + (np.maximum(sums, 0) * rows[INPUTS + 1])[1:].sum())
