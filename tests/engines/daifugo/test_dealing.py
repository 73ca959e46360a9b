"""The rules of what comes before the first turn, one test or more for each; those of plays: test_rules.py."""

from __future__ import annotations

import random

import pytest
from daifugo_helpers import hand, play, position, random_record
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.daifugo import dealing, rules
from engines.daifugo.dealing import Gift
from engines.daifugo.replay import replay
from engines.daifugo.rules import PACK, Field

DEALT = (
    hand("C3 D5 H7 S9 CQ"),
    hand("D3 C6 H2 SA"),
    hand("C9 D9 H9"),
    hand("S2 C2 D4 H4 JK"),
    hand("D2 HA CA C0 C4"),
)
BEFORE = [2, 0, 4, 1, 3]
"""Seat 2 was first, seat 3 last."""


def test_rule_2_the_deal_goes_round_by_seat_one_card_at_a_time() -> None:
    hands = dealing.deal(PACK, 3)
    assert PACK[0] in hands[3]
    assert PACK[1] in hands[4]
    assert PACK[2] in hands[0]
    assert PACK[5] in hands[3]
    assert PACK[52] in hands[0]
    assert frozenset[rules.Card]().union(*hands) == frozenset(PACK)


@pytest.mark.parametrize("first", range(5))
def test_rule_2_the_first_three_get_11_cards_the_others_10(first: int) -> None:
    counts = [len(each) for each in dealing.deal(PACK, first)]
    assert counts == dealing.deal_counts(first)
    assert [counts[(first + step) % 5] for step in range(5)] == [11, 11, 11, 10, 10]


def test_rule_2_the_deck_has_each_card_once() -> None:
    for deck in (PACK[:-1], (*PACK[:-1], PACK[0]), (*PACK, PACK[0])):
        with pytest.raises(ValueError, match="53"):
            dealing.deal(deck, 0)


def test_rule_3_the_last_gives_the_first_its_two_strongest_the_fourth_the_second_its_strongest() -> None:
    assert dealing.tributes(DEALT, BEFORE) == [Gift(3, 2, hand("JK S2")), Gift(1, 0, hand("H2"))]


def test_rule_3_the_joker_is_strongest_then_2_downwards_and_of_equals_s_h_d_c() -> None:
    order = dealing.strongest(hand("C2 JK S2 H2 D2"), 1)
    held = hand("C2 JK S2 H2 D2 SA CA SK C3 D3")
    for name in ["JK", "S2", "H2", "D2", "C2", "SA", "CA", "SK", "D3", "C3"]:
        assert dealing.strongest(held, 1) == hand(name)
        held -= hand(name)
    assert order == hand("JK")


def test_rule_3_then_the_first_gives_any_two_the_second_any_one() -> None:
    hands = dealing.give(DEALT, dealing.tributes(DEALT, BEFORE))
    gifts = dealing.given_back(hands, BEFORE, (hand("C9 H9"), hand("C3")))
    assert gifts == [Gift(2, 3, hand("C9 H9")), Gift(0, 1, hand("C3"))]
    assert dealing.give(hands, gifts) == (
        hand("D5 H7 S9 CQ H2"),
        hand("D3 C6 SA C3"),
        hand("D9 S2 JK"),
        hand("C2 D4 H4 C9 H9"),
        hand("D2 HA CA C0 C4"),
    )


def test_rule_3_received_cards_may_be_given_back() -> None:
    hands = dealing.give(DEALT, dealing.tributes(DEALT, BEFORE))
    gifts = dealing.given_back(hands, BEFORE, (hand("JK S2"), hand("H2")))
    assert dealing.give(hands, gifts) == DEALT


@pytest.mark.parametrize("wrong", ["C9", "C9 D9 H9", "", "C9 D4", "C3 D3"])
def test_rule_3_an_invalid_choice_gives_away_the_strongest(wrong: str) -> None:
    hands = dealing.give(DEALT, dealing.tributes(DEALT, BEFORE))
    gifts = dealing.given_back(hands, BEFORE, (hand(wrong), hand("C3")))
    # Of the hand with what was received.
    assert gifts == [Gift(2, 3, hand("JK S2")), Gift(0, 1, hand("C3"))]
    second = dealing.given_back(hands, BEFORE, (hand("C9 D9"), hand("D3")))
    assert second[1] == Gift(0, 1, hand("H2"))


def test_rule_3_nobody_gives_what_is_not_there() -> None:
    with pytest.raises(ValueError, match="seat 2"):
        dealing.give(DEALT, [Gift(2, 3, hand("C3"))])


def test_rule_4_who_holds_d3_after_the_exchange_leads() -> None:
    assert dealing.first_position(DEALT).turn == 1
    moved = dealing.give(DEALT, [Gift(1, 4, hand("D3"))])
    start = dealing.first_position(moved)
    assert (start.turn, start.last, start.field, start.hands) == (4, 4, Field(), moved)


def test_rule_4_d3_itself_need_not_be_played() -> None:
    start = dealing.first_position(DEALT)
    assert rules.apply(start, play("C6")).field.play == play("C6")
    assert rules.apply(start, rules.PASS).turn == 2


def test_rule_14_points_by_rank() -> None:
    end = position("C4", "C5", "C6", "C7", "C9 C0", turn=0)
    for text in ("C4", "C5", "C6", "C7"):
        end = rules.apply(end, play(text))
    assert rules.points(end) == [5, 4, 3, 2, 1]


def test_rule_14_seats_are_drawn_every_3_games_and_ranks_reset_every_100() -> None:
    """Games are counted from 0 here: the rule's games 1, 4, 7 are 0, 3, 6."""
    drawn = [game for game in range(10) if dealing.begins_period(game, dealing.SEAT_PERIOD)]
    assert drawn == [0, 3, 6, 9]
    reset = [game for game in range(301) if dealing.begins_period(game, dealing.RANK_PERIOD)]
    assert reset == [0, 100, 200, 300]
    assert all(dealing.begins_period(game, 1) for game in range(10))


@given(st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_the_exchange_keeps_every_number_of_cards(seed: int) -> None:
    record = random_record(random.Random(seed))
    start = replay(record).positions[0]
    assert [len(each) for each in start.hands] == [len(each) for each in record.deal]
    if record.before is not None:
        assert [len(each) for each in start.hands] == dealing.deal_counts(record.before[0])
    assert frozenset[rules.Card]().union(*start.hands) == frozenset(PACK)
