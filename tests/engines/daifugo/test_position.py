"""Positions as text: what one player knows, or all hands."""

from __future__ import annotations

import random
from dataclasses import replace
from importlib import resources

from daifugo_helpers import card, field, hand, play, random_position, random_record
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from refusals import attempt, changed, complaint, each_changed, mistyped

from engines.daifugo import rules
from engines.daifugo.position import HAND_MAX, format_position, read_positions
from engines.daifugo.replay import seen
from engines.daifugo.rules import PACK, PASS, PLAYERS, Position
from engines.daifugo.view import View, problem, view_of, without_hidden

EXAMPLES = resources.files("engines.daifugo") / "examples"
OWN_HAND = (EXAMPLES / "own-hand.position").read_text()
END_GAME = (EXAMPLES / "end-game.position").read_text()
BAD_HANDS = [
    ("turn: 2\n", "", "my.txt, position 1, line 2: turn: is missing: whose turn it is"),
    ("turn: 2\n", "turn: 5\n", "my.txt, position 1, line 2: turn: '5' is no seat; seats are 0 to 4"),
    ("turn: 2\n", "turn: 2 3\n", "my.txt, position 1, line 2: turn: one seat must be given"),
    ("turn: 2\n", "turn: 2\nturn: 2\n", "my.txt, position 1, line 3: turn is given twice"),
    ("turn: 2\n", "turn: 3\n", "my.txt, position 1, line 2: the cards of seat 3, whose turn it is, must be known"),
    ("turn: 2\n", "turns: 2\n", "my.txt, position 1, line 2: expected turn:, a hand like 0: or another part of"),
    ("before: 2 0 4 1 3", "before: 2 0 4 1", "line 3: before: 4 seats; all 5 must be there, first to last"),
    ("before: 2 0 4 1 3", "before: 2 0 4 1 1", "line 3: before: seat 1 is there twice"),
    ("before: 2 0 4 1 3\n", "", "gave: without ranks (before:) nothing is given"),
    ("0: 5\n", "0: 12\n", "line 4: 0: '12' is no number up to 11"),
    ("0: 5\n", "0: ٣\n", "line 4: 0: '٣' is no number up to 11"),
    ("0: 5\n", "", "0: is missing: the cards of seat 0, or how many it has"),
    ("0: 5\n", "0: 4\n", "28 cards are in no hand and were not played (C3, H3, S3, C4, D4, and 23 more), but the "),
    ("0: 5\n", "0: 7\n", "seat 0 played 5 cards and has 7; nobody is dealt more than 11"),
    ("0: 5\n", "0: 0\n", "but the hands that are not known have 23"),
    ("S4 D6", "S4 X6", "line 6: 2: 'X6' is no card; cards are like S3, 0H or JK"),
    ("S4 D6", "S4 S4", "line 6: 2: S4 is there twice"),
    ("S4 D6", "S4 C3 D6", "line 6: 2: 12 cards; nobody has more than 11"),
    ("S4 D6", "S4 H8", "played 0: H8 is there twice, first in: seat 2"),
    ("S4 D6", "S4 CJ", "played 1: CJ is there twice, first in: seat 2"),
    ("S4 D6", "S4 C3", "gave: a card that was given away is in the hand"),
    ("field: CJ", "field: CJ CQ", "line 9: field: 'CJ CQ' is no single, group or sequence"),
    ("field: CJ", "field: pass", "line 9: field: 'pass' is no single, group or sequence"),
    ("field: CJ", "field: JK=CJ", "line 9: field: 'JK=CJ' is no single, group or sequence"),
    ("field: CJ", "field: H8", "field: a play with an 8 does not stay there"),
    ("field: CJ", "field: C3 JK", "line 9: field: what does the joker stand for?"),
    ("last: 1\n", "", "last: is missing: who played what is on the field"),
    ("lock: C", "lock: H", "lock: must be the suits of the play on the field"),
    ("lock: C", "lock: CX", "line 11: lock: 'CX' are no suits; a lock is like S or CD"),
    ("lock: C", "lock:", "line 11: lock: '' are no suits"),
    ("lock: C", "revolution: maybe", "line 11: revolution: 'maybe' is neither yes nor no"),
    ("lock: C", "passes: 20", "line 11: passes: '20' is no number up to 19"),
    ("lock: C", "passes: -1", "line 11: passes: '-1' is no number up to 19"),
    ("lock: C", "passed: 2", "passed: seat 2 has the turn"),
    ("lock: C", "passed: 1", "passed: seat 1 played last"),
    ("lock: C", "passes: 1", "passes: 1 in a row since the last play, by 0 seats"),
    ("last: 1", "last: 0", "turn: it is that of seat 1, which has not passed"),
    ("lock: C", "finished: 0", "seats without cards, in the order in which they finished: none"),
    ("played 0: H8;", "played 0: H8;;", "line 12: played 0: no play is given; none is pass"),
    ("played 0: H8;", "played 0: H8 D8 C9;", "line 12: played 0: 'H8 D8 C9' is no single, group or sequence"),
    ("played 0: H8;", "played 1: H8;", "line 13: played 1 is given twice"),
    ("played 0: H8;", "played 0: C6;", "played 0: C6 is there twice, first in: played 0"),
    ("gave: C3 D4", "gave: C3", "gave: 1 cards; for this rank it is 2"),
    ("got: HQ CA", "got: HQ CA D4", "got: 3 cards; for this rank it is 2"),
]  # fmt: skip
BAD_END_GAMES = [
    ("turn: 1", "turn: 0", "turn: seat 0 has no cards"),
    ("3: D4 D9 JK", "3: -", "fewer than two seats have cards: the game is over"),
    ("finished: 4 0 2", "finished: 4 0", "in the order in which they finished: 0 2 4"),
    ("revolution: yes", "passed: 0", "passed: seat 0 has no cards"),
    ("revolution: yes", "played: S3", "played: S3 is there twice, first in: seat 1"),
    ("revolution: yes", "field: S3 / last: 3", "field: S3 is there twice, first in: seat 1"),
    ("3: D4 D9 JK", "3: D4 C0 JK", "seat 3: C0 is there twice, first in: seat 1"),
]


def view(text: str) -> View:
    """The only position of a text."""
    (found,) = read_positions(text)
    return found


def error_of(text: str) -> str:
    """What reading a text complains of."""
    return complaint(lambda: read_positions(text, "my.txt"))


def test_what_a_player_knows() -> None:
    known = view(OWN_HAND)
    assert known.hands == (None, None, hand("S4 D6 C7 D9 D0 SJ DQ HQ CA HA SA"), None, None)
    assert known.counts == (5, 6, 11, 11, 6)
    assert (known.turn, known.last, known.field) == (2, 1, field("CJ", lock="C"))
    assert known.before == (2, 0, 4, 1, 3)
    assert known.plays[0] == (play("H8"), play("S5 S6 S7"), play("C6"))
    assert known.plays[4][1] == play("CK JK=CA C2")
    assert (known.gave, known.got) == (hand("C3 D4"), hand("HQ CA"))
    assert len(known.hidden) == 5 + 6 + 11 + 6
    assert card("JK") not in known.hidden
    assert known.whole() is None


def test_all_hands_known() -> None:
    position = view(END_GAME).whole()
    assert position is not None
    assert (position.turn, position.last, position.finished) == (1, 1, (4, 0, 2))
    assert position.hands[3] == hand("D4 D9 JK")
    assert position.field == field("", revolution=True)
    assert "played" not in format_position(view(END_GAME))
    assert view(END_GAME).gone == frozenset(PACK) - hand("D4 D9 JK S3 H5 H6 H7 C0")


def test_who_cannot_have_passed() -> None:
    """On an empty field as many passed in a row as are out."""
    text = "turn: 0 / 0: S3 / 1: H3 / 2: D3 / 3: - / 4: - / finished: 3 4 / passed: 1"
    assert "1 seats passed in a row on an empty field, but passes: says 0" in error_of(text)
    (view,) = read_positions(text + " / passes: 1")
    assert view.passed == {1}


def test_more_cards_than_anybody_is_dealt() -> None:
    run = "C3 C4 C5 C6 C7 C9 C0 CJ CQ CK CA C2 JK=C8"
    text = f"turn: 1 / 0: - / 1: S3 / 2: D3 / 3: - / 4: - / finished: 0 3 4 / field: {run} / last: 0"
    assert "seat 0 played 13 cards and has 0; nobody is dealt more than 11" in error_of(text)


def test_positions_stand_one_after_another() -> None:
    own, end = view(OWN_HAND), view(END_GAME)
    assert read_positions("\n\n".join([OWN_HAND, "# remark", END_GAME, "", OWN_HAND])) == [own, end, own]
    assert read_positions(OWN_HAND.replace("\n", "\r\n")) == [own]
    one_line = format_position(end, " / ")
    assert read_positions(f"{one_line}\n{one_line} /\n{END_GAME}\n{one_line}") == [end] * 4
    assert read_positions("") == read_positions("\n# nothing\n\n") == []


def test_lines_come_in_any_order_and_either_case() -> None:
    lines = [line for line in OWN_HAND.splitlines() if not line.startswith("#")]
    assert view("\n".join(reversed(lines))) == view(OWN_HAND)
    assert view("\n".join(lines).upper()) == view("\n".join(lines).lower()) == view(OWN_HAND)
    assert view(changed(OWN_HAND, "lock: C", "lock:  c  # clubs")) == view(OWN_HAND)


def test_the_cards_that_are_gone_are_told_in_any_way() -> None:
    start = "turn: 0\n0: JK\n1: 2\n2: -\n3: 0\n4: -\nfinished: 2 3 4\n"
    left = hand("JK C3 S2")
    names = [each for each in PACK if each not in left]
    gone = " ".join("CDHS"[each.suit] + "?34567890JQKA2"[each.column] for each in names)
    known = view(f"{start}played: {gone}")
    assert known.hidden == hand("C3 S2")
    without = gone.replace("C5 ", "").replace("D5 ", "").replace("S9 ", "")
    told = f"{start}played 1: C5 D5 \nfield: S9\nlast: 3\nplayed: {without}"
    assert view(told).hidden == known.hidden
    assert view(told).gone == known.gone
    # Also those on the field may be told twice.
    assert view(f"{told}\nplayed 3: S9").gone == known.gone


@each_changed((OWN_HAND, BAD_HANDS))
def test_positions_that_are_wrong(wrong: str, message: str) -> None:
    assert message in error_of(wrong)


def test_a_card_that_was_given_and_came_back_may_be_in_the_hand() -> None:
    """Whoever gets the strongest cards may give them back."""
    known = view(changed(OWN_HAND, "gave: C3 D4", "gave: C3 CA"))
    assert known.gave & known.got == hand("CA")


@each_changed((END_GAME, BAD_END_GAMES))
def test_end_games_that_are_wrong(wrong: str, message: str) -> None:
    wrong = wrong.replace(" / ", "\n")
    assert message in error_of(wrong)
    assert error_of(f"{END_GAME}\n{wrong}").startswith("my.txt, position 2, line ")


def with_passes(position: Position) -> Position:
    """The same where seats passed that must have, and no more passes are told than they made."""
    if position.field.play == PASS:
        return replace(position, passes_count=max(position.passes_count, len(position.passed)))
    skipped = set()
    seat = (position.last + 1) % PLAYERS
    while seat not in (position.turn, position.last):
        skipped.add(seat)
        seat = (seat + 1) % PLAYERS
    passed = position.passed | {seat for seat in skipped if position.hands[seat]}
    return replace(position, passed=passed, passes_count=min(position.passes_count, len(passed)))


@given(st.integers(0, 2**32))
def test_whole_positions_round_trip(seed: int) -> None:
    position = with_passes(random_position(random.Random(seed)))
    assume(len(position.field.play.cards) + len(position.hands[position.last]) <= HAND_MAX)
    for known in (view_of(position), without_hidden(view_of(position))):
        assert problem(known) is None
        for line_end in ("\n", " / "):
            assert read_positions(format_position(known, line_end)) == [known]
    assert view_of(position).whole() == position
    assert without_hidden(view_of(position)).hands[position.turn] == position.hands[position.turn]


@given(st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_what_players_know_in_games_round_trips(seed: int) -> None:
    chance = random.Random(seed)
    record = random_record(chance)
    number = chance.randrange(len(record.turns))
    known = seen(record, number)
    assert problem(known) is None
    assert read_positions(format_position(known)) == [known]
    # It is no more than this: exchanging hidden cards of others changes nothing.
    assert sum(hand is not None and len(hand) > 0 for hand in known.hands) == 1
    played = [each.play.cards for each in record.turns[:number]]
    assert known.gone == frozenset[rules.Card]().union(*played)


@given(st.text(alphabet="turnbefoladgspy01234: ;-=/#\nCDHSJK39", max_size=150) | st.text(max_size=60))
def test_any_text_is_read_or_is_the_user_s_error(anything: str) -> None:
    found = attempt(lambda: read_positions(anything))
    if found is not None:
        assert read_positions("\n\n".join(map(format_position, found))) == found


@given(mistyped([OWN_HAND, END_GAME], ["", *" \n-/;:=KS302é\0٣\u2028"]))
@settings(max_examples=200, deadline=None)
def test_a_position_with_a_few_changed_characters_is_read_or_is_the_user_s_error(typed: str) -> None:
    found = attempt(lambda: read_positions(typed))
    if found is not None:
        assert all(problem(each) is None for each in found)
        assert read_positions("\n\n".join(map(format_position, found))) == found
