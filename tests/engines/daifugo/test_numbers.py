"""Cards and plays as the numbers of the core."""

from __future__ import annotations

import random

import pytest
from daifugo_helpers import card, hand, play, random_case

from engines.daifugo import numbers, rules
from engines.daifugo.rules import PACK, PASS, Play


def test_bits_go_by_rank_then_suit() -> None:
    names = ["C3", "D3", "H3", "S3", "C4", "S0", "CA", "S2", "JK"]
    assert [numbers.bit_of(card(name)) for name in names] == [0, 1, 2, 3, 4, 31, 44, 51, 52]
    assert sorted(map(numbers.bit_of, PACK)) == list(range(53))
    assert [numbers.card_of(numbers.bit_of(each)) for each in PACK] == list(PACK)
    assert numbers.set_of(PACK) == 2**53 - 1


@pytest.mark.parametrize(
    ("text", "cards", "stands"),
    [
        ("C3", 1, -1),
        ("JK", 1 << 52, -1),
        ("C3 D3", 3, -1),
        ("C3 JK=S3", 1 | 1 << 52, 4 * 1 + 3),
        ("JK=S- S3 S4", 1 << 3 | 1 << 7 | 1 << 52, 3),
        ("C2 CA JK=C+", 1 << 48 | 1 << 44 | 1 << 52, 4 * 14),
        ("C3 D3 H3 S3 JK=3", 15 | 1 << 52, 4 * 1 + 4),
        ("C2 D2 H2 S2 JK=2", 15 << 48 | 1 << 52, 4 * 13 + 4),
        ("C3 JK=C4 C5", 1 | 1 << 8 | 1 << 52, 4 * 2),
    ],
)
def test_plays_as_numbers(text: str, cards: int, stands: int) -> None:
    assert numbers.play_numbers(play(text)) == (cards, stands)
    assert numbers.play_of(cards, stands) == play(text)


def test_a_pass_is_0_and_no_joker() -> None:
    assert numbers.play_numbers(PASS) == (0, -1)
    assert numbers.play_of(0, -1) == PASS


def test_all_plays_of_the_game_are_told_apart() -> None:
    found = rules.legal_plays(frozenset(PACK), rules.Field())
    pairs = [numbers.play_numbers(each) for each in found]
    assert len(set(pairs)) == len(found)
    assert [numbers.play_of(*pair) for pair in pairs] == found


def test_sets_of_cards_round_trip() -> None:
    chance = random.Random(1)
    for _ in range(200):
        held = random_case(chance)[0]
        assert numbers.hand_of(numbers.set_of(held)) == held
    assert numbers.hand_of(numbers.set_of(hand("C3 JK"))) == hand("C3 JK")
    assert numbers.play_of(*numbers.play_numbers(Play(hand("C3 D3")))) == play("C3 D3")
