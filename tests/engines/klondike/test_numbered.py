"""Deals by the numbers of other programs, against plain second versions of how those deal."""

from __future__ import annotations

from pathlib import Path

import pytest
from klondike_helpers import position_of

from engines.klondike.digits import format_digits
from engines.klondike.numbered import microsoft
from engines.klondike.rules import Position
from engines.text.cards import card_name, card_number

CASES = Path(__file__).parents[2] / "cases" / "forms"

# Microsoft's FreeCell has printed its first deal since 1995: eight columns, dealt row by row.
MICROSOFT_1 = (
    "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C TS QH 4H AC 4D 7S 3S TD 4S TH 8H 2C "
    "JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H"
)


def test_the_first_deal_of_microsoft_s_freecell() -> None:
    names = [card_name(suit, rank)[::-1].replace("0", "T") for suit, rank in microsoft(1)]
    assert " ".join(names) == MICROSOFT_1


def test_pysol_deals_rows_from_right_to_left() -> None:
    deal = position_of("pysol 1")
    dealt = iter(position_of_cards(MICROSOFT_1))
    rows = [range(6, length, -1) for length in range(6)] + [range(6, -1, -1)]
    assert sum(map(len, rows)) == 28
    columns: list[list[int]] = [[] for _ in range(7)]
    for row in rows:
        for column in row:
            columns[column].append(next(dealt))
    assert deal.columns == tuple(map(tuple, columns))
    assert deal.stock == tuple(dealt)


def position_of_cards(text: str) -> list[int]:
    """Numbers of cards, rank first."""
    return [card_number("CDHS".index(word[1]), "A23456789TJQK".index(word[0]) + 1) for word in text.split()]


@pytest.mark.parametrize("game", [1, 123, 670334786, 2147483646])
def test_green_felt_takes_cards_from_the_end_of_its_deck(game: int) -> None:
    """Its deck and its swaps once more, with cards as numbers, dealt one by one from the end."""
    deck, seed = list(range(52)), game
    for swap in range(7 * 52):
        seed = seed * 16807 % 2147483647
        at, other = swap % 52, seed % 52
        deck[at], deck[other] = deck[other], deck[at]
    columns: list[list[int]] = [[] for _ in range(7)]
    for row in range(7):
        for column in range(row, 7):
            card = deck.pop()
            columns[column].append(card_number(card // 13, card % 13 + 1))
    deal = position_of(f"GreenFelt {game}")
    assert deal.columns == tuple(map(tuple, columns))
    assert deal.stock == tuple(card_number(card // 13, card % 13 + 1) for card in reversed(deck))


def test_the_diagram_and_the_digits_of_the_cases_are_one_deal() -> None:
    digits, diagram = (
        position_of((CASES / f"klondike_{form}.txt").read_text()) for form in ("digits", "diagram")
    )
    assert digits == diagram
    assert format_digits(digits) == (CASES / "klondike_digits.txt").read_text().splitlines()[1]


def test_foundations_may_be_called_foundation() -> None:
    deal: Position = position_of((CASES / "klondike_foundation_key.json").read_text())
    assert (deal.face_down, len(deal.stock)) == ((0, 1, 2, 3, 4, 5, 6), 24)
