"""Cards, hands and plays as text."""

from __future__ import annotations

import random
from typing import NoReturn

import pytest
from daifugo_helpers import card, hand, play, random_case
from hypothesis import given
from hypothesis import strategies as st
from refusals import attempt

from engines.daifugo import rules, text
from engines.daifugo.rules import PACK, PASS, Card, Field, Hand, Play
from engines.daifugo.text import format_hand, format_play, read_hand, read_play
from storage.errors import UserError

ALL_PLAYS = [*rules.legal_plays(frozenset(PACK), Field()), PASS]


def fail(message: str) -> NoReturn:
    """As files do."""
    raise UserError("my.txt, line 7", message)


def error_of(read: object, words: str) -> str:
    """What reading some words complains of."""
    assert callable(read)
    with pytest.raises(UserError) as caught:
        read(words, fail)
    assert caught.value.field == "my.txt, line 7"
    assert "\n" not in str(caught.value)
    return caught.value.message


def test_cards_are_written_in_many_ways() -> None:
    assert read_hand("S3 3h c10 TD 0H jk", fail) == hand("S3 H3 C0 D0 H0 JK")
    assert read_hand("joker", fail) == read_hand("JOKER", fail) == hand("JK")
    assert read_hand("  as\t2c ", fail) == hand("SA C2")
    assert read_hand("-", fail) == frozenset()


def test_hands_are_printed_weakest_first() -> None:
    assert format_hand(hand("JK C2 S3 D3 HA H0")) == "D3 S3 H0 HA C2 JK"
    assert format_hand(frozenset()) == "-"


@pytest.mark.parametrize(
    "written",
    [
        "S3",
        "JK",
        "D5 H5",
        "D5 JK=S5",
        "JK=C5 D5",
        "S3 JK=S4 S5",
        "JK=S- S3 S4",
        "HA H2 JK=H+",
        "C5 D5 H5 S5 JK=5",
        "C0 D0 H0 S0 JK=0",
        "C2 D2 H2 S2 JK=2",
        "CA DA HA SA JK=A",
        "pass",
    ],
)
def test_plays_are_printed_as_they_are_read(written: str) -> None:
    assert read_play(written, fail) == play("" if written == "pass" else written)
    assert format_play(read_play(written, fail)) == written
    assert format_play(read_play(written.lower(), fail)) == written


def test_all_plays_of_the_game_round_trip() -> None:
    written = [format_play(each) for each in ALL_PLAYS]
    assert len(set(written)) == len(ALL_PLAYS)
    assert [read_play(each, fail) for each in written] == ALL_PLAYS


def test_a_fifth_card_s_rank_is_ten_in_all_ways() -> None:
    for rank in ("0", "T", "10", "t"):
        assert read_play(f"C0 D0 H0 S0 JK={rank}", fail) == play("C0 D0 H0 S0 JK=0")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "no cards are given; none at all is -"),
        ("S3 X9", "'X9' is no card; cards are like S3, 0H or JK"),
        ("S3 11C", "'11C' is no card"),
        ("S3 D5 s3", "S3 is there twice"),
        ("JK joker", "JK is there twice"),
        ("S3 -", "'-' is no card"),
        ("S-", "'S-' is no card"),
        ("5", "'5' is no card"),
        ("JK=S4", "'JK=S4' is no card"),
        ("ſ3", "'ſ3' is no card"),
        ("S" + "3" * 400, "'S3333333333333333333...' is no card"),
    ],
)
def test_hands_that_are_wrong(words: str, message: str) -> None:
    assert error_of(read_hand, words).startswith(message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "no play is given; none is pass"),
        ("S3 JK", "what does the joker stand for? It is like JK=S4"),
        ("S3 JK=", "'JK=': a joker stands for a card like S4, or for S-, S+ or 5"),
        ("S3 JK=X4", "'JK=X4': a joker stands for"),
        ("S3 JK=JK", "'JK=JK': a joker stands for"),
        ("S3 JK=S*", "'JK=S*': a joker stands for"),
        ("S3 JK=ſ-", "'JK=ſ-': a joker stands for"),
        ("S3 S3=S4", "'S3=S4' is no card"),
        ("S3 JK=S4 JK=S5", "JK is there twice"),
        ("pass pass", "'pass' is no card"),
        ("S3 pass", "'pass' is no card"),
    ],
)
def test_plays_that_are_wrong(words: str, message: str) -> None:
    assert error_of(read_play, words).startswith(message)


def test_what_is_no_play_can_be_read_and_is_told_by_the_referee() -> None:
    for words in ("S3 D4", "JK=S4", "S3 JK=S9", "C5 D5 JK=5", "S4 JK=S4"):
        assert rules.kind(read_play(words, fail)) is None
        assert format_play(read_play(words, fail)) == words


def test_places_are_named() -> None:
    names = {Card(0, 0): "C-", Card(14, 3): "S+", Card(8, 4): "0", Card(12, 4): "A", Card(1, 1): "D3"}
    assert {each: text.name_of(each) for each in names} == names
    assert text.name_of(card("JK")) == "JK"


@given(st.integers(0, 2**32))
def test_random_hands_round_trip(seed: int) -> None:
    held, on = random_case(random.Random(seed))
    assert read_hand(format_hand(held), fail) == held
    assert read_play(format_play(on.play), fail) == on.play


@given(st.text(alphabet="CDHScdhs-+=JKjkAa2310T pas\tſ٣", max_size=30) | st.text(max_size=20))
def test_any_text_is_read_or_is_the_user_s_error(words: str) -> None:
    held: Hand | None = attempt(lambda: read_hand(words, fail))
    if held is not None:
        assert read_hand(format_hand(held), fail) == held
    played: Play | None = attempt(lambda: read_play(words, fail))
    if played is not None:
        assert read_play(format_play(played), fail) == played
