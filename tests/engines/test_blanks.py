"""Deals that are typed card by card, for every game that has them: read back, and each mistake told at its cell."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.contract.blank import filled
from engines.contract.positions import Positions, made
from engines.contract.registry import game, games

SIZES: dict[str, list[dict[str, int]]] = {
    "calculation": [{}, {"ranks": 5}],
    "daifugo": [{}],
    "klondike": [{}],
    "superpuzz": [{}, {"columns": 2}, {"columns": 6}],
    "tricks": [{}, {"cards": 16, "k": 3}],
}
CASES = [(name, sizes) for name, several in SIZES.items() for sizes in several]


def typed_deal(positions: Positions[Any], sizes: Any, seed: int) -> list[list[str]]:
    """All cells filled in with all cards, at random; as people type them."""
    blank = positions.blank(sizes)
    assert blank is not None
    cards = [name for name, count in blank.cards.items() for _ in range(count)] + [""] * blank.holes_count
    random.Random(seed).shuffle(cards)
    left = iter(cards)
    return [[next(left).lower() for _ in range(count)] for _, count in blank.piles]


def test_every_game_of_cards_has_one() -> None:
    found = {each.name for each in games() if (p := each.positions()) and p.blank(p.sizes()) is not None}
    assert found == set(SIZES)


@pytest.mark.parametrize(("name", "sizes"), CASES)
def test_a_deal_that_was_typed_is_that_deal(name: str, sizes: dict[str, int]) -> None:
    positions = game(name).positions()
    assert positions is not None
    chosen = made(positions.sizes, sizes)
    blank, typed = positions.blank(chosen), typed_deal(positions, chosen, 1)
    found = filled(blank, typed, positions.card)
    assert (found.mistakes, found.missing, found.is_whole) == ({}, {}, True)
    (position,) = positions.read(positions.filled(chosen, found.names), "it")
    shown = [card.name for pile in positions.picture(position).piles for card in pile.cards]
    # Calculation's foundations show what they wait for.
    assert {word.upper() for row in typed for word in row if word} <= set(shown)
    replayed = positions.replay(positions.filled(chosen, found.names), "", positions.rules({}))
    assert list(positions.plays(replayed.start, positions.rules({})))


@pytest.mark.parametrize(("name", "sizes"), CASES)
def test_mistakes_are_told_at_their_cells(name: str, sizes: dict[str, int]) -> None:
    positions = game(name).positions()
    assert positions is not None
    chosen = made(positions.sizes, sizes)
    blank, typed = positions.blank(chosen), typed_deal(positions, chosen, 2)
    places = [(pile, cell) for pile, row in enumerate(typed) for cell, word in enumerate(row) if word]
    first, second, third = places[0], places[1], places[-1]
    lost = positions.card(typed[second[0]][second[1]])
    doubled = positions.card(typed[third[0]][third[1]])
    typed[first[0]][first[1]] = "what"
    typed[second[0]][second[1]] = typed[third[0]][third[1]]
    found = filled(blank, typed, positions.card)
    assert found.mistakes[first].startswith("'what' is no card (like ")
    copies = blank.cards[doubled]
    (again,) = found.mistakes.keys() - {first}
    assert f"{doubled} is there {'twice' if copies == 1 else 'more than'}" in found.mistakes[again]
    assert lost in found.missing
    assert not found.is_whole


def test_cells_that_are_empty_are_missing_unless_all_cards_are_there() -> None:
    positions = game("superpuzz").positions()
    assert positions is not None
    sizes = made(positions.sizes, {"columns": 3})
    blank, typed = positions.blank(sizes), typed_deal(positions, sizes, 1)
    pile, cell = next((p, c) for p, row in enumerate(typed) for c, word in enumerate(row) if word)
    typed[pile][cell] = ""
    found = filled(blank, typed, positions.card)
    assert len(found.mistakes) == 5
    assert set(found.mistakes.values()) == {"missing, unless a hole"}
    assert sum(found.missing.values()) == 1
    typed[pile][cell] = "CK"
    assert filled(blank, typed, positions.card).mistakes[pile, cell] == "CK is no card of this deal"
