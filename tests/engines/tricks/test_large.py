"""Deals of any size: the rules against every deal of small hands, and against the first trick of large ones."""

from __future__ import annotations

import itertools
import json
import math
import random

import numpy as np
import pytest
from command_helpers import Run
from tricks_helpers import patterns, played

from engines import _native
from engines.tricks import large, whist
from engines.tricks.deal import deal_of_pattern
from engines.tricks.rules import of_matrix, payoff_matrix
from engines.tricks.text import WrittenDeal, format_owners


def owners(cards: int) -> large.Owners:
    """(deals, 2n) of every deal of so many cards each, in order of their patterns."""
    everything = _native.tricks_patterns(cards, 0, math.comb(2 * cards, cards))
    return (everything[:, None] >> np.arange(2 * cards - 1, -1, -1, dtype=np.uint32)) & 1 == 1


def dealt(cards: int, count: int, seed: int) -> WrittenDeal:
    """A random deal."""
    order = random.Random(seed).sample(range(1, 2 * cards + 1), 2 * cards)
    left, right = sorted(order[:cards], reverse=True), sorted(order[cards:], reverse=True)
    return WrittenDeal(tuple(left), tuple(right), count)


@pytest.mark.parametrize("left_leads", [True, False])
def test_whist_of_every_deal_of_up_to_nine_cards(left_leads: bool) -> None:
    for cards in range(1, 10):
        everything = _native.tricks_patterns(cards, 0, math.comb(2 * cards, cards))
        found = _native.tricks_whist(owners(cards), left_leads)
        assert np.array_equal(found, whist.tricks(cards, everything, left_leads))


def test_whist_against_the_referee() -> None:
    for left_leads in (True, False):
        found = 2 * _native.tricks_whist(owners(4), left_leads)
        assert found.tolist() == [played(4, pattern, 0, 8, left_leads) for pattern in patterns(4)]


@pytest.mark.parametrize(
    ("aim", "count"), [*itertools.product(["most", "fewest"], [0, 1, 8]), ("most", 2), ("fewest", 7)]
)
def test_first_tricks_against_the_referee(aim: str, count: int) -> None:
    for pattern in patterns(4):
        deal = deal_of_pattern(4, pattern, 0, count, aim)
        told = large.first_trick(WrittenDeal(deal.left, deal.right, count), 0, aim)
        assert told is not None
        assert told[0] == payoff_matrix(deal)


@pytest.mark.parametrize("count", [1, 11, 12])
def test_points_to_be_avoided_against_the_core(count: int) -> None:
    solver = _native.TricksSolver("fewest", 10_000_000)
    for left_leads in (True, False):
        found = _native.tricks_avoid(owners(6), count, left_leads)
        assert found.tolist() == [solver.value(6, each, 0, count, left_leads) for each in patterns(6)]


@pytest.mark.parametrize("count", [1, 79, 80])
def test_large_deals_of_points_to_be_avoided(count: int) -> None:
    for seed in range(10):
        assert large.first_trick(dealt(40, count, seed), 0, "fewest") is not None


@pytest.mark.parametrize(("cards", "deals_count"), [(14, 200), (30, 100), (100, 25), (200, 3)])
def test_large_deals_of_whist_agree_with_their_first_tricks(cards: int, deals_count: int) -> None:
    for seed in range(deals_count):
        # It is an error when the deal's own value is not what comes out of its first trick.
        told = large.first_trick(dealt(cards, 2 * cards, seed), 0, "most")
        assert told is not None
        values = [of_matrix(told[0], left_leads) for left_leads in (True, False)]
        assert 0 <= values[1] - values[0] <= 2


def test_a_rule_that_contradicts_itself_tells_nothing(yamafuda: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(owners: large.Owners, count: int, left_leads: bool) -> large.Values:
        return _native.tricks_whist(owners, left_leads) * 2 + 2

    monkeypatch.setattr(large, "whist", wrong)
    status, out, err = yamafuda("solve", "tricks", format_owners(dealt(50, 100, 3)))
    assert (status, out) == (2, "")
    assert "its value is not known: by a rule that holds for all deals of up to 13 cards each" in err
    assert "and contradicts itself here" in err


def test_few_point_cards_of_large_deals() -> None:
    deal = dealt(60, 1, 1)
    told = large.first_trick(deal, 0, "most")
    assert told is not None
    assert {*told[0][0]} == {int(deal.left[0] == 120)}
    assert told[1] == large.PROVEN


def test_what_no_rule_tells() -> None:
    assert large.first_trick(dealt(20, 38, 1), 0, "fewest") is None
    assert large.first_trick(dealt(20, 2, 1), 0, "fewest") is None
    assert large.first_trick(dealt(20, 39, 1), 0, "most") is None
    assert large.first_trick(dealt(20, 39, 1), 1, "most") is None
    assert large.first_trick(dealt(20, 3, 1), 0, "most") is None


def test_commands(yamafuda: Run) -> None:
    deal = format_owners(dealt(50, 100, 3))
    status, out, err = yamafuda("solve", "tricks", deal)
    assert (status, err) == (0, "")
    assert out.splitlines()[2] == f"known: {large.unproven(large.WHIST_CHECKED)}"
    assert out.splitlines()[3].startswith("Left leads: Left gets ")
    found = json.loads(yamafuda("solve", "tricks", deal, "--json")[1])
    assert found["known"] == large.unproven(large.WHIST_CHECKED)
    assert 0 <= found["value_right_leads"] - found["value_left_leads"] <= 2
    advice = json.loads(yamafuda("advise", "tricks", deal, "--json")[1])
    assert advice["known"] == large.unproven(large.WHIST_CHECKED)
    assert advice["plays"]["left"][0]["value"] == found["value_left_leads"]
    best = [play["card"] for play in advice["plays"]["left"] if play["value"] == found["value_left_leads"]]
    assert best == found["best_left_leads"]


def test_what_is_too_large_to_be_played(yamafuda: Run) -> None:
    status, out, err = yamafuda("solve", "tricks", f"{'AB' * 17} k=4")
    assert (status, out) == (2, "")
    assert err == ("yamafuda: deal: 17 cards each; for more than 16 with such point cards there is no rule\n")


@pytest.mark.parametrize("wrong", [[[True, True]], [[True, False, False]]])
def test_hands_that_are_not_halves(wrong: list[list[bool]]) -> None:
    with pytest.raises(ValueError, match="owners: "):
        _native.tricks_whist(np.array(wrong, np.bool_), True)
    with pytest.raises(ValueError, match="owners: "):
        _native.tricks_whist_first_trick(np.array(wrong[0], np.bool_))
