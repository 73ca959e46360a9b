"""What lies on the table: what has moved between two pictures, and a picture in words."""

from __future__ import annotations

import pytest

from engines.contract.picture import Card, Look, Picture, Pile, Spread, after_move, card_words, said


def laid(*piles: str, spread: Spread = Spread.right, is_quiet: bool = False) -> Picture:
    """A row of piles: cards by their names, ``-`` a place, ``(7)`` a card that lies face down."""
    return Picture(
        (tuple(Pile("", tuple(map(card, pile.split())), spread, is_quiet=is_quiet) for pile in piles),)
    )


def card(word: str) -> Card:
    """A card of a test."""
    if word == "-":
        return Card(look=Look.place)
    return Card(word.strip("()"), Look.down if word.startswith("(") else Look.up)


def moved(before: Picture, after: Picture) -> list[list[int]]:
    """The places of the cards of each pile that have moved."""
    found = after_move(before, after)
    return [[at for at, card in enumerate(pile.cards) if card.moved] for pile in found.piles]


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (("S3 H2", "D4"), ("S3", "D4 H2"), [[], [1]]),
        (("S3 H2 CA", "D4"), ("S3", "D4 H2 CA"), [[], [1, 2]]),
        # What leaves the front of a pile moves no other card of it.
        (("(S3) (H2) (CA)", "D4"), (("(CA)"), "D4 S3 H2"), [[], [1, 2]]),
        # A card that is turned up, or face down again, has not come from elsewhere.
        (("(S3) H2", ""), ("S3", "H2"), [[], [0]]),
        (("", "D4 H2"), ("(D4) (H2)", ""), [[], []]),
        # Cards of one name: those that are more than before, the uppermost ones.
        (("7 7", "7"), ("7", "7 7"), [[], [1]]),
        (("S3",), ("S3", "H2"), [[], [0]]),
        (("S3 H2",), ("S3 H2",), [[]]),
    ],
)
def test_what_was_elsewhere_before_has_moved(
    before: tuple[str, ...], after: tuple[str, ...], found: list[list[int]]
) -> None:
    assert moved(laid(*before), laid(*after)) == found


def test_cards_apart_move_from_place_to_place() -> None:
    assert moved(laid("S3 - H2", spread=Spread.apart), laid("- S3 H2", spread=Spread.apart)) == [[1]]


def test_cards_come_by_themselves_to_a_quiet_pile() -> None:
    assert moved(laid("S3"), laid("S3 H2", is_quiet=True)) == [[]]


def test_a_picture_in_words() -> None:
    piles = (
        Pile("waste", (Card("H0"), Card("JK", note="=A♣", moved=True)), note="in play: the last"),
        Pile("stock", (Card("SA", Look.down), Card("", Look.down))),
        Pile("clubs", (Card("CA"), Card("C2")), Spread.squared),
        Pile("row 1", (Card("CK", Look.place), Card("7", marked=True)), Spread.apart),
        Pile("foundation", (Card("A", Look.place),)),
    )
    assert said(Picture((piles[:3], piles[3:]), "two rows")).splitlines() == [
        "two rows",
        "waste, in play: the last: 10 of hearts, JK =A♣ just moved",
        "stock: ace of spades face down, an unknown card",
        "clubs: 2 cards, on top 2 of clubs",
        "row 1: hole king of clubs, 7 marked",
        "foundation: empty",
    ]
    assert [card_words(name) for name in ("DQ", "0.11")] == ["queen of diamonds", "0.11"]
