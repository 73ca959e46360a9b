"""The features of the learnt policy written plainly and slowly, by cards of the referee, beside the core's."""

from __future__ import annotations

from engines.daifugo import rules
from engines.daifugo.rules import JOKER, LONE_JOKER, PASS, SPADE_3, Card, Hand, Kind, Play, Position

PASS_ON_SINGLE, SINGLE, PAIR, LARGER_GROUP, SEQUENCE, ALONE, PASS_ON_OTHER = range(7)


def runs_of(hand: Hand) -> list[list[Card]]:
    """The longest natural sequences, of three cards or more."""
    found = []
    for suit in range(4):
        run: list[Card] = []
        for column in range(1, 15):
            if Card(column, suit) in hand:
                run.append(Card(column, suit))
                continue
            if len(run) >= 3:
                found.append(run)
            run = []
    return found


def units_of(hand: Hand) -> int:
    """Plays that a hand takes: one a rank, less what sequences of cards that are alone in their ranks save."""
    columns = [card.column for card in hand if card != JOKER]
    if not columns:
        return len(hand)
    saved = sum(max(sum(columns.count(card.column) == 1 for card in run) - 1, 0) for run in runs_of(hand))
    return len(set(columns)) - saved


def strength_of(play: Play, revolution: bool) -> int:
    """0 to 14, by the order in force."""
    if play in (PASS, LONE_JOKER):
        return 0 if play == PASS else 14
    columns = [card.column for card in rules.places(play)]
    return 14 - max(columns) if revolution else min(columns)


def class_of(play: Play, top: Play) -> int:
    """One of the seven."""
    if play == PASS:
        return PASS_ON_SINGLE if len(top.cards) == 1 else PASS_ON_OTHER
    if play == LONE_JOKER:
        return ALONE
    if rules.kind(play) is Kind.group:
        return PAIR if len(play.cards) == 2 else LARGER_GROUP
    return SINGLE if len(play.cards) == 1 else SEQUENCE


def shape_of(play: Play, hand: Hand) -> int:
    """Twice the cards of the rank that stay behind (at most 3), and whether natural sequences are broken."""
    rest, in_runs = hand - play.cards, {card for run in runs_of(hand) for card in run}
    columns = {card.column for card in play.cards if card != JOKER}
    if rules.kind(play) is Kind.sequence:
        kept = {card.column for card in rest if card != JOKER} & columns
        return 2 * min(len(kept), 3) + bool(rest & in_runs)
    kept_cards = [card for card in rest if card != JOKER and card.column in columns]
    return 2 * min(len(kept_cards), 3) + bool(play.cards & in_runs)


def is_sure(play: Play, position: Position, unseen: Hand) -> int:
    """1: an 8; 2: a single that nobody else can beat."""
    if rules.has_eight(play):
        return 1
    if play == LONE_JOKER:
        return 2 * (SPADE_3 not in unseen)
    if len(play.cards) != 1 or JOKER in unseen:
        return 0
    field = position.field
    suits = rules.suits_of(play)
    after = rules.Field(play, field.revolution, suits if suits == rules.suits_of(field.play) else frozenset())
    return 2 * all(rules.illegal(unseen, after, Play(frozenset([card]))) is not None for card in unseen)


def features_of(play: Play, position: Position, plays_count: int) -> list[int]:
    """The place in each group, of a legal play or a pass at somebody's turn."""
    seat, field = position.turn, position.field
    hand, top, turned = position.hands[seat], field.play, field.revolution
    others = [position.hands[other] for other in rules.in_game(position) if other != seat]
    unseen = frozenset().union(*others)
    rest, units = hand - play.cards, units_of(hand)
    kind, answer, top_strength = class_of(play, top), top != PASS, strength_of(top, turned)
    is_pass = play == PASS
    strength = top_strength if is_pass else strength_of(play, turned)
    shape = min(plays_count, 7) if is_pass else 0 if kind == ALONE else shape_of(play, hand)
    suits = rules.suits_of(play)
    bond = 0 if not answer else 3 if field.lock else 1 + bool(suits and suits == rules.suits_of(top))
    if is_pass:
        left_units = units
    elif kind in (SEQUENCE, ALONE):
        left_units = units_of(rest)
    else:
        left_units = units - (shape == 0)
    few_units = min(max(left_units, 0), 3)
    least = min(4, *(len(other) for other in others))
    stage = 4 * (least - 1) + min(max(units - 1, 0), 7) // 2
    awake = [other for other in rules.in_game(position) if other != seat and other not in position.passed]
    rivals = 2 * len(awake) + (answer and position.last == seat)
    turn = 0
    if rules.turns_order(play):
        high = sum(10 <= card.column <= 13 for card in rest - {JOKER})
        low = sum(card.column <= 4 for card in rest)
        turn = 1 + (high > low) + 2 * turned
    elif play.cards == {SPADE_3}:
        turn = 5 + (JOKER in unseen)
    sure = 0 if is_pass else is_sure(play, position, unseen)
    on_single = kind in (PASS_ON_SINGLE, SINGLE, ALONE)
    return [
        ((7 * answer + kind) * 16 + strength) * 8 + shape,
        (7 * bond + kind) * 16 + strength,
        (16 * (not on_single) + top_strength) * 16 + (15 if is_pass else strength),
        ((7 * answer + kind) * 4 + strength // 4) * 16 + stage,
        (7 * rivals + kind) * 4 + strength // 4,
        ((3 * answer + sure) * 4 + few_units) * 4 + min(len(rest), 3),
        (8 * (JOKER in play.cards) + turn) * 4 + few_units,
    ]
