"""Lists of legal plays against two other ways to get them: all subsets of a hand, and all plays that there are."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from daifugo_helpers import hand, random_case

from engines.daifugo import rules
from engines.daifugo.rules import COLUMNS, FIFTH, JOKER, PACK, PASS, Card, Field, Hand, Play, legal_plays

PLACES = [None, *(Card(column, suit) for column in range(COLUMNS + 2) for suit in range(FIFTH + 1))]
"""All that a joker could be said to stand for."""


def every_attempt(held: Hand) -> Iterator[Play]:
    """All subsets of a hand, with whatever a joker in them could be said to stand for."""
    for count in range(1, len(held) + 1):
        for cards in combinations(sorted(held), count):
            for stands in PLACES if JOKER in cards else [None]:
                yield Play(frozenset(cards), stands)


def figures() -> Iterator[list[Card]]:
    """All groups and sequences that can lie on a field, card by card; FIFTH can only be a joker."""
    for column in range(1, COLUMNS + 1):
        for count in range(2, 5):
            for suits in combinations(range(4), count):
                yield [Card(column, suit) for suit in suits]
        yield [Card(column, suit) for suit in range(5)]
    for suit in range(4):
        for first in range(COLUMNS + 2):
            for end in range(first + 3, COLUMNS + 3):
                yield [Card(column, suit) for column in range(first, end)]


def every_play() -> dict[Play, list[Card]]:
    """All plays that there are in the game, with the cards as they lie on the field."""
    found = {Play(frozenset([card])): [card] for card in PACK}
    for figure in figures():
        jokers_only = [card for card in figure if card not in PACK]
        if not jokers_only:
            found[Play(frozenset(figure))] = figure
        for stands in jokers_only or figure:
            if len(jokers_only) < 2:
                found[Play(frozenset(figure) - {stands} | {JOKER}, stands)] = figure
    return found


ALL_PLAYS = every_play()


def beats(play: Play, field: Field) -> bool:
    """Rules 5 to 10 once more, card against card."""
    new, old = ALL_PLAYS[play], ALL_PLAYS.get(field.play)
    if old is None:
        return True
    if old == [JOKER]:
        return new == [Card(1, 3)]
    if len(new) != len(old):
        return False
    if new == [JOKER]:
        return True
    if len({card.column for card in new}) != len({card.column for card in old}):
        return False
    if field.lock and {card.suit for card in new} != field.lock:
        return False
    pairs = [(a.column, b.column) for a in new for b in old]
    return all(a < b if field.revolution else a > b for a, b in pairs)


def test_all_plays_of_the_game() -> None:
    """Counted by hand: 53 singles; groups by number of natural cards; sequences by length, at the edges or within."""
    groups = 13 * ((6 + 4 + 1) + (4 * 3 + 6 * 2 + 4 * 1 + 1))
    within = sum((COLUMNS + 1 - length) * (1 + length) for length in range(3, COLUMNS + 1))
    at_edges = sum(2 for length in range(3, COLUMNS + 2))
    assert len(ALL_PLAYS) == 53 + groups + 4 * (within + at_edges)
    assert all(rules.kind(play) is not None for play in ALL_PLAYS)


def test_the_whole_pack_has_all_plays() -> None:
    found = legal_plays(frozenset(PACK), Field())
    assert len(found) == len(set(found)) == len(ALL_PLAYS)
    assert set(found) == ALL_PLAYS.keys()


@pytest.mark.parametrize("revolution", [False, True])
def test_every_play_is_answered_by_the_whole_pack_as_told_card_by_card(revolution: bool) -> None:
    chance = random.Random(1)
    for lying in chance.sample(sorted(ALL_PLAYS, key=repr), 10):
        for lock in {frozenset[int](), rules.suits_of(lying)}:
            field = Field(lying, revolution, lock)
            told = {play for play in ALL_PLAYS if beats(play, field)}
            assert set(legal_plays(frozenset(PACK), field)) == told, lying


def test_random_hands_against_all_plays() -> None:
    chance = random.Random(2)
    for _ in range(250):
        held, field = random_case(chance)
        found = legal_plays(held, field)
        told = [play for play in ALL_PLAYS if play.cards <= held and beats(play, field)]
        assert len(found) == len(told), (held, field)
        assert set(found) == set(told), (held, field)


SMALL = [
    "S3 S4 JK",
    "SA S2 JK",
    "C5 D5 H5 S5 JK",
    "S3 S5 S6 C6 JK",
    "H7 H8 H9 D8 JK",
    "C3 C4 C5 C6 C7 C8",
    "D0 DJ DK S0 H0 JK",
]


@pytest.mark.parametrize("names", SMALL)
def test_all_subsets_of_small_hands_on_an_empty_field(names: str) -> None:
    held = hand(names)
    legal = [play for play in every_attempt(held) if rules.illegal(held, Field(), play) is None]
    found = legal_plays(held, Field())
    assert len(found) == len(legal)
    assert set(found) == set(legal) == {play for play in ALL_PLAYS if play.cards <= held}


def test_all_subsets_of_random_small_hands_on_random_fields() -> None:
    chance, answered = random.Random(3), 0
    while answered < 60:
        held, field = random_case(chance)
        if len(held) > 5:
            continue
        legal = [play for play in every_attempt(held) if rules.illegal(held, field, play) is None]
        found = legal_plays(held, field)
        assert len(found) == len(legal), (held, field)
        assert set(found) == set(legal), (held, field)
        answered += field.play != PASS and len(found) > 0


def test_random_cases_are_of_all_kinds() -> None:
    """What the comparisons above, and those with the core, are worth."""
    chance = random.Random(4)
    seen: dict[str, int] = {}
    for _ in range(3000):
        held, field = random_case(chance)
        found = legal_plays(held, field)
        kind = rules.kind(field.play)
        lying = rules.places(field.play)
        for what, there in {
            "empty": kind is None,
            "lone joker": field.play == rules.LONE_JOKER,
            "lone joker, S3": field.play == rules.LONE_JOKER and len(found) > 0,
            "five": len(lying) == 5 and kind == rules.Kind.group,
            "low edge": any(card.column == 0 for card in lying),
            "high edge": kind == rules.Kind.sequence and lying[-1].column == COLUMNS + 1,
            "revolution": field.revolution and len(found) > 0,
            "lock": len(field.lock) > 0,
            "locked and answered": len(field.lock) > 0 and len(set(found) - {rules.LONE_JOKER}) > 0,
            "group answered": kind == rules.Kind.group and len(found) > 0,
            "sequence answered": kind == rules.Kind.sequence and len(found) > 0,
            "answered at the edge": kind == rules.Kind.sequence
            and any(p.stands is not None and p.stands.column in (0, COLUMNS + 1) for p in found),
            "eight answers": kind is not None and any(rules.has_eight(p) for p in found),
        }.items():
            seen[what] = seen.get(what, 0) + there
    assert min(seen.values()) >= 5, seen
    assert seen["sequence answered"] > 40
    assert seen["group answered"] > 100
