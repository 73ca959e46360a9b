"""The rules of plays and turns, one test or more for each; those of the deal and the exchange: test_dealing.py."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from daifugo_helpers import (
    card,
    field,
    hand,
    play,
    plays,
    position,
    random_game,
    random_position,
    random_start,
)

from engines.daifugo import rules
from engines.daifugo.rules import LONE_JOKER, PACK, PASS, Field, Kind, Play, Position, apply, legal_plays

EMPTY = Field()


def legal(names: str, on: Field = EMPTY) -> set[Play]:
    """All legal plays, each listed once."""
    found = legal_plays(hand(names), on)
    assert len(found) == len(set(found))
    return set(found)


def turns(now: Position, *texts: str) -> Position:
    """The position after some turns; an empty text is a pass."""
    for text in texts:
        now = apply(now, play(text))
    return now


def test_rule_1_five_players_52_cards_and_a_joker_3_is_the_lowest_rank() -> None:
    assert rules.PLAYERS == 5
    assert len(set(PACK)) == 53
    lowest_first = ["C3", "C4", "C5", "C6", "C7", "C8", "C9", "C0", "CJ", "CQ", "CK", "CA", "C2"]
    for lower, higher in pairwise(lowest_first):
        assert legal(f"{lower} {higher}", field(lower)) == plays(higher)
        assert legal(f"{lower} {higher}", field(higher)) == set()
    # An equal rank is not stronger.
    assert legal("D7 H7 S7", field("C7")) == set()


def test_rule_5_singles_groups_and_sequences() -> None:
    assert legal("C3 D5 H9") == plays("C3", "D5", "H9")
    assert legal("C5 D5 S5") == plays("C5", "D5", "S5", "C5 D5", "C5 S5", "D5 S5", "C5 D5 S5")
    assert len(legal("C5 D5 H5 S5")) == 4 + 6 + 4 + 1
    assert legal("C5 C6 C7 C8") >= plays("C5 C6 C7", "C6 C7 C8", "C5 C6 C7 C8")
    assert len(legal("C5 C6 C7 C8")) == 4 + 3
    # Two in a row are no sequence, and neither are three of two suits or three with a gap.
    assert len(legal("C5 C6 D7 C9 CJ CK")) == 6
    assert legal("HQ HK HA H2") >= plays("HQ HK HA", "HK HA H2", "HQ HK HA H2")
    # It does not go round from 2 to 3.
    assert len(legal("HA H2 H3")) == 3


def test_rule_5_the_answer_has_the_same_type_and_number_of_cards() -> None:
    held = "C9 D9 H9 C0 D0 CJ DJ"
    assert legal(held, field("S5")) == plays(*held.split())
    assert legal(held, field("C5 S5")) == plays("C9 D9", "C9 H9", "D9 H9", "C0 D0", "CJ DJ")
    assert legal(held, field("C5 D5 S5")) == plays("C9 D9 H9")
    assert legal(held, field("C5 D5 H5 S5")) == set()
    assert legal(held, field("S4 S5 S6")) == plays("C9 C0 CJ", "D9 D0 DJ")
    assert legal(held, field("S4 S5 S6 S7")) == set()


def test_rule_5_a_sequence_must_be_stronger_in_all_its_cards() -> None:
    held = "C3 C4 C5 C6 C7 C8 C9 C0 CJ CQ"
    assert legal(held, field("S5 S6 S7")) == plays("C8 C9 C0", "C9 C0 CJ", "C0 CJ CQ")
    assert legal(held, field("S6 S7 S8", revolution=True)) == plays("C3 C4 C5")
    assert legal(held, field("S5 S6 S7", revolution=True)) == set()
    assert legal(held, field("S7 S8 S9 S0", revolution=True)) == plays("C3 C4 C5 C6")
    assert legal("HA H2 H3", field("SJ SQ SK")) == set()


def test_rule_6_the_joker_stands_for_any_suit_of_a_group() -> None:
    assert legal("D5 JK") == plays("D5", "JK", "D5 JK=C5", "D5 JK=H5", "D5 JK=S5")
    assert legal("C5 D5 JK") == plays(
        *("C5", "D5", "JK", "C5 D5", "C5 JK=D5", "C5 JK=H5", "C5 JK=S5", "D5 JK=C5", "D5 JK=H5", "D5 JK=S5"),
        *("C5 D5 JK=H5", "C5 D5 JK=S5"),
    )


def test_rule_6_the_joker_is_the_fifth_card_of_a_group_only_when_all_four_others_are_there() -> None:
    five = play("C5 D5 H5 S5 JK=5")
    assert rules.kind(five) == Kind.group
    assert five in legal("C5 D5 H5 S5 JK")
    assert len([each for each in legal("C5 D5 H5 S5 JK") if len(each.cards) == 5]) == 1
    assert rules.kind(play("C5 D5 H5 JK=5")) is None
    # Nothing answers it: there is no second joker.
    assert legal("C6 D6 H6 S6", Field(five)) == set()


def test_rule_6_the_joker_fills_a_gap_or_lengthens_a_sequence() -> None:
    assert legal("S5 S7 JK") - legal("S5 JK") - legal("S7 JK") == plays("S5 JK=S6 S7")
    assert legal("S5 S6 JK") - legal("S5 JK") - legal("S6 JK") == plays("JK=S4 S5 S6", "S5 S6 JK=S7")
    assert legal("S5 S8 JK") == legal("S5 JK") | legal("S8 JK")


def test_rule_6_nothing_checks_that_the_card_the_joker_stands_for_is_elsewhere() -> None:
    # The joker stands for a card of the own hand, which stays there.
    assert play("S5 JK=S6 S7") in legal("S5 S6 S7 JK")
    assert play("D5 JK=H5") in legal("D5 H5 JK")
    # But never for a card that is played with it.
    assert rules.kind(play("D5 H5 JK=H5")) is None
    assert rules.kind(play("S5 S6 S7 JK=S6")) is None


def test_rule_6_sequences_at_both_edges() -> None:
    assert legal("S3 S4 JK") >= plays("JK=S- S3 S4", "S3 S4 JK=S5")
    assert legal("SA S2 JK") >= plays("SA S2 JK=S+", "JK=SK SA S2")
    assert play("HQ HK HA H2 JK=H+") in legal("HQ HK HA H2 JK")
    # Beyond the edge is the joker's place alone; one column on there is none.
    assert rules.kind(play("S3 S4 JK=S-")) == Kind.sequence
    assert rules.kind(play("S4 S5 JK=S-")) is None
    assert rules.kind(play("S2 JK=S+")) is None
    # The place at the edge is stronger than 2, and weaker than 3 where that is wanted.
    assert play("SA S2 JK=S+") in legal("SA S2 JK", field("DJ DQ DK"))
    assert play("JK=SK SA S2") not in legal("SA S2 JK", field("DJ DQ DK"))
    assert play("JK=S- S3 S4") in legal("S3 S4 JK", field("D5 D6 D7", revolution=True))
    assert play("S3 S4 JK=S5") not in legal("S3 S4 JK", field("D5 D6 D7", revolution=True))
    assert legal("C3 C4 C5 JK", field("D- D3 D4".replace("D-", "JK=D-"), revolution=True)) == set()


def test_rule_6_a_lone_joker_beats_any_single_also_in_a_revolution_and_against_a_lock() -> None:
    for revolution in (False, True):
        for each in PACK[:-1]:
            for lock in (frozenset[int](), frozenset({each.suit})):
                on = Field(Play(frozenset([each])), revolution, lock)
                assert LONE_JOKER in legal_plays(hand("C3 H8 S2 JK") - {each}, on)
    for more in ("C5 D5", "C5 C6 C7", "D4 H4 S4"):
        assert LONE_JOKER not in legal("JK C8 D8 H8 S8", field(more))


def test_rule_6_a_lone_joker_clears_the_lock_and_is_never_an_8() -> None:
    start = position("C3 D3", "D6 D9", "JK C4", "C9", "S9")
    locked = turns(start, "D3", "D6")
    assert locked.field == field("D6", lock="D")
    after = apply(locked, LONE_JOKER)
    assert after.field == field("JK")
    assert (after.turn, after.last) == (3, 2)
    assert not rules.has_eight(LONE_JOKER)
    # Nor does it stand for anything.
    assert rules.kind(play("JK=S8")) is None
    assert rules.kind(Play(LONE_JOKER.cards, card("S8"))) is None


def test_rule_6_nothing_beats_a_lone_joker_but_the_three_of_spades() -> None:
    for revolution in (False, True):
        assert legal_plays(frozenset(PACK) - LONE_JOKER.cards, field("JK", revolution)) == [play("S3")]


def test_rule_6_the_joker_s_suit_counts_for_the_lock() -> None:
    start = position("C5 C9", "JK D6 C7", "D9 H9 C0", "H2", "S2")
    locked = turns(start, "C5", "D6")
    assert locked.field.lock == frozenset()
    pairs = position("C5 D5 C9", "JK D6 C0", "C7 D7 H7 S7", "H2", "S2")
    assert turns(pairs, "C5 D5", "JK=C6 D6").field.lock == {0, 1}
    assert legal("C7 D7 H7 S7", turns(pairs, "C5 D5", "JK=C6 D6").field) == plays("C7 D7")
    assert turns(pairs, "C5 D5", "JK=S6 D6").field.lock == frozenset()
    assert play("JK=C9 D9") in legal("JK D9", field("C7 D7", lock="CD"))
    assert play("JK=H9 D9") not in legal("JK D9", field("C7 D7", lock="CD"))


def test_rule_6_the_joker_s_rank_counts_for_the_8_cut_and_the_revolution() -> None:
    start = position("H6 H7 H9 JK C3", "D3", "D4", "D5", "D6")
    assert turns(start, "H6 H7 JK=H8").turn == 0
    assert turns(start, "JK=H5 H6 H7").turn == 1
    four = position("C5 D5 H5 JK C3", "D3", "D4", "D6", "D7")
    assert turns(four, "C5 D5 H5 JK=S5").field.revolution
    assert not turns(four, "C5 D5 H5").field.revolution


@pytest.mark.parametrize("revolution", [False, True])
@pytest.mark.parametrize("lock", ["", "D", "H"])
def test_rule_7_s3_beats_a_lone_joker_whatever_the_lock_or_the_revolution(
    revolution: bool, lock: str
) -> None:
    assert legal("S3 C3 D2 H2 S2 C5 D5", field("JK", revolution, lock)) == plays("S3")


def test_rule_7_s3_over_a_joker_clears_the_trick_and_its_player_leads() -> None:
    start = position("C5 C9", "JK D6", "S3 H4", "H2", "S2")
    after = turns(start, "C5", "JK", "S3")
    assert (after.turn, after.field, after.passed) == (2, EMPTY, frozenset())
    # An S3 on anything else, or alone, clears nothing.
    assert turns(position("S3 C4", "D5", "H5"), "S3").field == field("S3")
    in_revolution = position("S4 C9", "S3 H4", "H2", on=Field(revolution=True))
    assert turns(in_revolution, "S4", "S3").field == field("S3", revolution=True, lock="S")


def test_rule_7_one_may_beat_one_s_own_joker() -> None:
    start = position("JK S3 C9", "D6", "H4", "H2", "S2")
    alone = turns(start, "JK", "", "", "", "")
    assert (alone.turn, alone.field) == (0, field("JK"))
    after = turns(alone, "S3")
    assert (after.turn, after.field, after.hands[0]) == (0, EMPTY, hand("C9"))


def test_rule_7_who_goes_out_with_s3_leaves_the_lead_to_the_next() -> None:
    after = turns(position("C5 C9", "JK D6", "S3", "H2", "S2"), "C5", "JK", "S3")
    assert (after.finished, after.turn, after.field) == ((2,), 3, EMPTY)


@pytest.mark.parametrize(
    ("lying", "cards"),
    [
        ("", "C8"),
        ("H4", "C8"),
        ("H4 S4", "C8 D8"),
        ("H4 S4", "C8 JK=D8"),
        ("", "C8 D8 H8 S8"),
        ("D3 D4 D5", "C6 C7 C8"),
        ("D3 D4 D5", "C8 C9 C0"),
        ("D3 D4 D5", "C7 JK=C8 C9"),
        ("D3 D4 D5", "JK=C7 C8 C9"),
    ],
)
def test_rule_8_a_play_that_contains_an_8_clears_the_trick(lying: str, cards: str) -> None:
    start = position("C3 C6 C7 C8 C9 C0 D8 H8 S8 JK", "S5", "S6", on=field(lying))
    after = turns(replace(start, passed=frozenset({2})), cards)
    assert (after.turn, after.field.play, after.passed) == (0, PASS, frozenset())
    assert after.hands[0] == start.hands[0] - play(cards).cards


def test_rule_8_an_8_must_beat_what_lies_on_the_field() -> None:
    assert legal("C8", field("C9")) == set()
    assert legal("C8", field("C9", revolution=True)) == plays("C8")
    assert legal("C8", field("D5", lock="D")) == set()


def test_rule_8_four_8s_clear_the_trick_and_turn_the_order_round() -> None:
    after = turns(position("C8 D8 H8 S8 C3", "D3", "D4"), "C8 D8 H8 S8")
    assert (after.turn, after.field) == (0, Field(revolution=True))


@pytest.mark.parametrize(
    ("cards", "turned"),
    [
        ("C5 D5 H5 S5", True),
        ("C5 D5 H5 JK=S5", True),
        ("C5 D5 H5 S5 JK=5", True),
        ("C5 D5 H5", False),
        ("C3 C4 C5 C6 C7", True),
        ("C3 C4 JK=C5 C6 C7", True),
        ("JK=C- C3 C4 C5 C6", True),
        ("C3 C4 C5 C6", False),
        ("C3 C4 C5 C6 C7 JK=C8", True),
    ],
)
def test_rule_9_groups_of_4_and_sequences_of_5_turn_the_order_round(cards: str, turned: bool) -> None:
    start = position("C3 C4 C5 C6 C7 D5 H5 S5 JK CK", "D3", "D4")
    assert turns(start, cards).field.revolution == turned
    already = replace(start, field=Field(revolution=True))
    assert turns(already, cards).field.revolution != turned


def test_rule_9_a_revolution_lasts_until_the_next_one_or_the_end_of_the_game() -> None:
    start = position("C5 D5 H5 S5 C9 CJ", "C4 D4 H4 S4 C0 D9", "D0")
    after = turns(start, "C5 D5 H5 S5")
    assert after.field.revolution
    # In it lower ranks are stronger, also for groups.
    assert legal("C4 D4 H4 S4", after.field) == plays("C4 D4 H4 S4")
    assert legal("C6 D6 H6 S6", after.field) == set()
    cleared = turns(after, "", "", "")
    assert (cleared.turn, cleared.field) == (0, Field(revolution=True))
    assert turns(cleared, "CJ").field == field("CJ", revolution=True)
    assert not turns(after, "C4 D4 H4 S4").field.revolution


def test_rule_9_s3_over_a_joker_is_never_turned_round() -> None:
    assert legal("JK", field("S3", revolution=True)) == {LONE_JOKER}
    assert legal("JK", field("S3")) == {LONE_JOKER}
    assert legal("S3", field("JK", revolution=True)) == plays("S3")


def test_rule_10_equal_suits_lock_them_until_the_trick_is_cleared() -> None:
    start = position("D4 C4 C2", "D5 S5", "D9 S9 H9", "S0 H2", "S2")
    locked = turns(start, "D4", "D5")
    assert locked.field == field("D5", lock="D")
    assert legal("D9 S9 H9", locked.field) == plays("D9")
    # It stays with each further play, and through passes.
    assert turns(locked, "D9").field == field("D9", lock="D")
    assert turns(locked, "").field == field("D5", lock="D")
    cleared = turns(locked, "", "", "", "", "")
    assert (cleared.turn, cleared.field) == (1, EMPTY)
    # Other suits do not lock, then or later.
    assert turns(start, "D4", "S5").field == field("S5")
    assert turns(start, "D4", "S5", "S9").field == field("S9", lock="S")


def test_rule_10_there_is_no_partial_lock_and_no_rank_lock() -> None:
    start = position("C4 D4 C2", "C5 H5 C6", "C6 H6 S6 D6", "S2")
    half = turns(start, "C4 D4", "C5 H5")
    assert half.field.lock == frozenset()
    assert legal("C6 H6 S6 D6", half.field) >= plays("C6 H6", "D6 S6")
    assert legal("H0 S9", turns(position("D4 C2", "H5 C6", "D7"), "D4", "H5").field) == plays("H0", "S9")


def test_rule_10_the_lock_of_groups_and_sequences() -> None:
    start = position("C4 D4 C2", "C5 D5 C6", "C6 H6 S6 D6", "S2")
    assert legal("C6 H6 S6 D6", turns(start, "C4 D4", "C5 D5").field) == plays("C6 D6")
    runs = position("C3 C4 C5 C2", "C6 C7 C9 JK", "C9 C0 CJ H9 H0 HJ", "S2")
    locked = turns(runs, "C3 C4 C5", "C6 C7 JK=C8")
    assert locked.field == EMPTY
    runs = position("C3 C4 C5 C2", "C9 C0 CJ H9", "CQ CK CA HQ HK HA", "S2")
    locked = turns(runs, "C3 C4 C5", "C9 C0 CJ")
    assert locked.field.lock == {0}
    assert legal("CQ CK CA HQ HK HA", locked.field) == plays("CQ CK CA")
    # Four of a kind have all suits, and so lock them, which changes nothing.
    fours = position("C4 D4 H4 S4 C2", "C3 D3 H3 S3 D2", "CJ DJ HJ SJ", "S2")
    assert turns(fours, "C4 D4 H4 S4", "C3 D3 H3 S3").field.lock == {0, 1, 2, 3}


def test_rule_10_the_lock_counts_against_one_s_own_play_too() -> None:
    alone = turns(position("D4 D5 S6 D7", "C3", "H3"), "D4", "", "", "D5")
    assert (alone.turn, alone.field) == (0, field("D5", lock="D"))
    assert legal_plays(alone.hands[0], alone.field) == [play("D7")]


def test_rule_10_after_a_joker_there_is_no_lock_with_the_play_before_it() -> None:
    start = position("S4 C2", "JK C4", "S3 C5", "C6")
    assert turns(start, "S4", "JK").field.lock == frozenset()
    assert turns(start, "S4", "JK", "S3").field == EMPTY


def test_rule_11_who_passed_is_out_until_the_trick_is_cleared() -> None:
    start = position("C4 C0 CJ", "D5 DJ", "C6", "C7 CK", "C9")
    now = turns(start, "C4", "", "C6")
    assert now.finished == (2,)
    now = turns(now, "C7", "C9")
    assert (now.turn, now.finished, now.passed) == (0, (2, 4), {1})
    now = turns(now, "C0")
    assert now.turn == 3
    now = turns(now, "")
    # Seat 1, which passed, has no turn; seat 0 is alone and may beat itself.
    assert (now.turn, now.field, now.passed) == (0, field("C0", lock="C"), {1, 3})
    assert turns(now, "CJ").finished == (2, 4, 0)


def test_rule_11_alone_one_keeps_getting_turns_until_one_passes() -> None:
    now = turns(position("C4 C0 CJ CQ", "D5", "D6"), "C4", "", "")
    assert (now.turn, now.field.play) == (0, play("C4"))
    now = turns(now, "C0")
    assert (now.turn, now.field.play) == (0, play("C0"))
    now = turns(now, "")
    assert (now.turn, now.field, now.passed) == (0, EMPTY, frozenset())


def test_rule_11_the_last_to_play_leads() -> None:
    start = position("C4 C0", "C5 DJ", "C6", "C7 CK", "C9 D9")
    now = turns(start, "C4", "C5", "", "", "")
    assert now.turn == 0
    now = turns(now, "")
    # All others are out of this trick, the last to play is asked too.
    assert (now.turn, now.field.play) == (1, play("C5"))
    now = turns(now, "")
    assert (now.turn, now.field) == (1, EMPTY)


def test_rule_11_when_the_last_to_play_is_out_of_cards_the_next_in_seat_order_leads() -> None:
    start = position("C4 C0", "C5", "C6 D0", "C7 CK", "C9 D9")
    now = turns(start, "C4", "C5", "", "", "")
    assert (now.turn, now.finished) == (0, (1,))
    now = turns(now, "")
    assert (now.turn, now.field) == (2, EMPTY)
    # Those who have none are passed over.
    far = position("C4 C0", "C5", "", "", "C9 D9")
    assert turns(far, "C4", "C5", "", "").turn == 4


def test_rule_11_the_last_card_on_a_trick_that_all_others_gave_up_clears_it() -> None:
    start = position("C4 C0", "D5 D6", "C6 D0")
    now = turns(start, "C4", "", "", "C0")
    assert (now.finished[-1], now.turn, now.field, now.passed) == (0, 1, EMPTY, frozenset())


def test_rule_12_an_illegal_play_counts_as_a_pass() -> None:
    start = position("C4 C0", "C3 D5", "S6")
    now = turns(start, "C4")
    for wrong, reason in (
        ("C3", "not stronger"),
        ("D5 C3", "no single, group or sequence"),
        ("S6", "not all of these cards"),
        ("JK", "not all of these cards"),
    ):
        assert rules.counted(now, play(wrong)) == PASS
        with pytest.raises(ValueError, match=reason):
            apply(now, play(wrong))
    assert rules.counted(now, play("D5")) == play("D5")
    assert rules.counted(now, PASS) == PASS


def test_rule_12_a_pass_is_always_legal() -> None:
    start = position("C4 C0", "C3 D5", "S6")
    assert turns(start, "").passed == {0}
    assert turns(start, "C4", "").passed == {1}
    assert PASS not in legal_plays(start.hands[0], start.field)


def test_rule_12_leading_may_be_passed_on() -> None:
    start = position("C4 C0", "C5 DJ", "C6 D0")
    now = turns(start, "")
    assert (now.turn, now.field, now.passed) == (1, EMPTY, {0})
    # Who passed the lead has no turn in the trick.
    now = turns(now, "C5", "C6")
    assert (now.turn, now.field) == (1, field("C6", lock="C"))
    # All pass: nobody played since, so that the same one leads again.
    now = turns(start, "", "", "")
    assert (now.turn, now.passed, now.passes_count) == (0, frozenset(), 3)
    # Also if that one leads because the last to play is out of cards.
    out = turns(position("C8", "C5 DJ", "C6 D0", "S4"), "C8")
    assert out.turn == 1
    assert turns(out, "", "", "").turn == 1


def test_rule_12_after_20_passes_in_a_row_the_open_ranks_are_drawn_by_lot() -> None:
    start = position("C4 C0", "C5 DJ", "C6 D0", "C7")
    now = turns(start, *[""] * 19)
    assert not rules.is_stalled(now)
    # A play in between begins the count anew.
    assert turns(now, "C7").passes_count == 0
    now = turns(now, "")
    assert rules.is_stalled(now)
    assert not rules.is_over(now)
    with pytest.raises(ValueError, match="over"):
        apply(now, PASS)
    for wrong in ([0, 1, 2], [0, 1, 2, 4], [0, 0, 1, 2]):
        with pytest.raises(ValueError, match="lot"):
            rules.draw_lots(now, wrong)
    over = rules.draw_lots(now, [2, 0, 3, 1])
    assert over.finished == (4, 2, 0, 3, 1)
    assert rules.points(over) == [3, 1, 4, 2, 5]
    with pytest.raises(ValueError, match="goes on"):
        rules.draw_lots(start, [2, 0, 3, 1])


@pytest.mark.parametrize("cards", ["C8", "C2", "JK", "C8 D8", "S3", "C2 JK=S2", "C5 D5 H5 S5"])
def test_rule_13_any_card_may_be_the_last_one(cards: str) -> None:
    held = " ".join(word[:2] for word in cards.split())
    after = turns(position(held, "D4 D9", "H4 H9"), cards)
    assert after.finished == (4, 3, 0)


def test_rule_13_jacks_turn_nothing_round_and_nobody_is_demoted() -> None:
    start = position("CJ C3 C4", "D4 DQ", "H4 H9")
    after = turns(start, "CJ")
    assert legal_plays(hand("D4 DQ"), after.field) == [play("DQ")]
    # The first of the game before comes in late and is no worse for it than the place says.
    assert rules.points(turns(start, "CJ", "DQ", "", "", "", "D4", "H9", "", "", "H4")) == [1, 3, 2, 4, 5]


def test_the_game_ends_when_one_is_left_with_cards() -> None:
    now = turns(position("C4", "C5", "C6 D6", "C7", "C9"), "C4", "C5", "C6", "C7", "C9")
    assert now.finished == (0, 1, 3, 4, 2)
    assert rules.is_over(now)
    assert rules.points(now) == [5, 4, 1, 3, 2]
    with pytest.raises(ValueError, match="over"):
        apply(now, PASS)
    with pytest.raises(ValueError, match="not over"):
        rules.points(position("C4", "C5"))


def test_random_games_keep_the_cards_together_and_end() -> None:
    chance = random.Random(1)
    lengths, stalls = [], 0
    for number in range(60):
        start = random_start(chance)
        game = random_game(chance, start, pass_share=0.9 if number % 10 == 9 else 0.05)
        gone: set[rules.Card] = set()
        for now, played in game:
            assert gone.isdisjoint(played.cards)
            assert len(gone) + sum(map(len, now.hands)) == 53
            assert now.turn not in now.passed
            assert now.hands[now.turn]
            assert game[-1][0].finished[: len(now.finished)] == now.finished
            assert [seat for seat in range(5) if not now.hands[seat]] == sorted(now.finished)
            gone |= played.cards
        end = apply(*game[-1])
        stalls += rules.is_stalled(end)
        assert rules.is_over(end) != rules.is_stalled(end)
        lengths.append(len(game))
    assert 60 < sum(lengths) / len(lengths) < 160
    assert 0 < stalls <= 6


def test_turns_of_random_positions() -> None:
    """What every turn keeps, whatever the position."""
    chance = random.Random(2)
    for _ in range(1500):
        now = random_position(chance)
        options = [*legal_plays(now.hands[now.turn], now.field), PASS]
        played = chance.choice(options)
        after = apply(now, played)
        if rules.is_over(after):
            assert len(rules.in_game(now)) == 2
            continue
        assert after.hands[after.turn]
        assert after.turn not in after.passed
        assert (after.last == now.turn) == (played != PASS or now.last == now.turn)
        assert after.passes_count == (now.passes_count + 1 if played == PASS else 0)
        if after.field.play == PASS:
            assert after.passed == frozenset() or now.field.play == PASS == played
            assert after.field.lock == frozenset()
        elif played != PASS:
            assert after.field.play == played
            assert after.field.lock in (frozenset(), rules.suits_of(played))
            # Whoever passed before is still out, and nobody else is.
            assert after.passed == now.passed
