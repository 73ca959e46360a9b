"""Options of every kind: read from words, checked, named as where they are set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import attempt, complaint

from engines.contract.job import Job
from engines.contract.options import COMMAND, JOB, check_options, chosen, named, option, options_of
from storage.errors import UserError


class Trump(StrEnum):
    hearts = "hearts"
    spades = "spades"


@dataclass(unsafe_hash=True)
class Choices:
    """An option of each kind, and a field that is none."""

    deal_last: bool = option(True, "Yes or no.", column="bool")
    cards: int = option(3, "A number.", least=1, most=9, column="uint8", label="number")
    games: int = option(5, "A number without an end.")
    redeals: int | None = option(None, "A number or none.", most=1000, none="unlimited", column="int32")
    share: float = option(0.5, "Any number.", most=1)
    wait_s: float | None = option(None, "Any number or none.", none="forever")
    draw_size: int = option(1, "One of few numbers.", choices=(1, 3))
    trump: Trump = option(Trump.hearts, "One of few words.", column="string")
    other: int = 7


@dataclass
class ChoicesJob(Choices, Job):
    """A job with the same fields."""


OPTIONS = {each.name: each for each in options_of(Choices)}
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "cards": st.integers(1, 9),
    "games": st.integers(0, 2**63 - 1),
    "redeals": st.none() | st.integers(0, 1000),
    "share": st.floats(0, 1, allow_subnormal=False),
    "wait_s": st.none() | st.floats(0, 1e300),
    "draw_size": st.sampled_from([1, 3]),
    "trump": st.sampled_from(Trump),
}
"""Of each option that is read from a word: what it can be."""
WRONG = {
    "cards": [0, 10, -1],
    "games": [-1],
    "redeals": [-1, 1001],
    "share": [-0.1, 1.1, math.nan, math.inf],
    "wait_s": [-1.0, math.nan],
    "draw_size": [0, 2],
    "trump": ["clubs", None],
}


def test_all_that_is_known_of_options() -> None:
    assert list(OPTIONS) == [
        "deal_last", "cards", "games", "redeals", "share", "wait_s", "draw_size", "trump"
    ]  # fmt: skip
    assert [each.type for each in OPTIONS.values()] == [bool, int, int, int, float, float, int, Trump]
    assert OPTIONS["trump"].choices == tuple(Trump)
    assert [OPTIONS[name].label for name in ("cards", "games")] == ["number", "games"]
    assert [each.column for each in OPTIONS.values()] == [
        "bool", "uint8", "", "int32", "", "", "", "string"
    ]  # fmt: skip
    assert {name: OPTIONS[name].values for name in VALUES} == {
        "cards": "N", "games": "N", "redeals": "N|unlimited", "share": "X", "wait_s": "X|forever",
        "draw_size": "1|3", "trump": "hearts|spades",
    }  # fmt: skip
    # A job has its own fields besides, which are no options.
    assert {each.name for each in options_of(ChoicesJob)} == set(OPTIONS)


@given(st.data())
def test_what_can_be_is_read_from_its_word_and_accepted(data: st.DataObject) -> None:
    values = {name: data.draw(strategy, label=name) for name, strategy in VALUES.items()}
    words = {name: OPTIONS[name].none if value is None else str(value) for name, value in values.items()}
    read = chosen(Choices, words | {"deal_last": data.draw(st.booleans()), "file": "of somebody else"})
    assert {name: getattr(read, name) for name in values} == values
    assert isinstance(read.trump, Trump)
    check_options(read, Choices, COMMAND)
    check_options(ChoicesJob(**vars(read)), Choices, JOB)


@pytest.mark.parametrize("word", ["none", "null", "unlimited", "NONE", "Null"])
@pytest.mark.parametrize("name", ["redeals", "wait_s"])
def test_all_words_for_none(name: str, word: str) -> None:
    assert OPTIONS[name].read(word) is None


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_what_cannot_be_is_named_as_where_it_is_set(name: str, value: Any) -> None:
    for prefix, place in ((COMMAND, f"--{name.replace('_', '-')}"), (JOB, f"job.{name}")):
        assert named(prefix, name) == place
        with pytest.raises(UserError, match="must be ") as caught:
            check_options(ChoicesJob(**{name: value}), Choices, prefix)
        assert caught.value.field == place
        assert f"got {value!r}" in str(caught.value) or f"got {str(value)!r}" in str(caught.value)


@given(st.sampled_from(sorted(VALUES)), st.text(max_size=30) | st.from_regex(r"[-+]?[0-9.e]{1,6}"))
def test_any_word_is_read_or_is_the_user_s_error(name: str, word: str) -> None:
    option = OPTIONS[name]
    # One line that names a place, or a value that is within the range.
    value = attempt(lambda: option.read(word))
    if value is not None:
        assert isinstance(value, option.type)
        attempt(lambda: option.check(value, COMMAND))


@pytest.mark.parametrize(
    ("name", "word", "message"),
    [
        ("cards", "many", "--cards: must be a number; got 'many'"),
        ("cards", "-1", "--cards: must be a number; got '-1'"),
        ("cards", "٣", "--cards: must be a number; got '٣'"),
        ("redeals", "9" * 5000, "--redeals: must be a number or unlimited; got '99999999999999999999...'"),
        ("share", "nan", "--share: must be a number; got 'nan'"),
        ("wait_s", "1e", "--wait-s: must be a number or forever; got '1e'"),
        ("draw_size", "2", "--draw-size: must be 1 or 3; got '2'"),
        ("trump", "Hearts", "--trump: must be hearts or spades; got 'Hearts'"),
    ],
)
def test_words_that_mean_nothing(name: str, word: str, message: str) -> None:
    assert complaint(lambda: OPTIONS[name].check(OPTIONS[name].read(word), COMMAND)) == message


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("cards", 10, "job.cards: must be 1 to 9; got 10"),
        ("games", -1, "job.games: must be at least 0; got -1"),
        ("redeals", 1001, "job.redeals: must be 0 to 1000, or unlimited; got 1001"),
        ("cards", None, "job.cards: must be 1 to 9; got None"),
    ],
)
def test_ranges_are_told(name: str, value: Any, message: str) -> None:
    assert complaint(lambda: OPTIONS[name].check(value, JOB)) == message


def test_a_default_may_be_no_value() -> None:
    assert (OPTIONS["redeals"].default, OPTIONS["trump"].default) == (None, Trump.hearts)
    assert chosen(Choices, vars(Choices())) == Choices()
