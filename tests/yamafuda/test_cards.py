"""Pictures as HTML: what is drawn of any picture, whatever it says, and how much that is."""

from __future__ import annotations

import random
import time
import xml.etree.ElementTree as ET

import pytest

from engines.contract.picture import Card, Look, Picture, Pile, Spread, said
from engines.contract.registry import game
from yamafuda.cards import STYLE, drawn

NAMES = ("S3", "H0", "DA", "JK", "7", "0.11", "", "<b>", '"&', "\u2660\u00e9")


def picture_of(seed: int) -> Picture:
    """Any picture."""
    chance = random.Random(seed)

    def card() -> Card:
        note, look = chance.choice(["", "→2", "<i>"]), chance.choice(list(Look))
        return Card(chance.choice(NAMES), look, note, chance.random() < 0.5, chance.random() < 0.5)

    def pile() -> Pile:
        cards = tuple(card() for _ in range(chance.choice([0, 1, 2, 5, 26, 27, 60])))
        words = (chance.choice(["", "waste", "<script>"]), chance.choice(["", "a note"]))
        return Pile(words[0], cards, chance.choice(list(Spread)), words[1], chance.choice(["", "♠", "K"]))

    rows = tuple(tuple(pile() for _ in range(chance.randint(1, 4))) for _ in range(chance.randint(1, 4)))
    return Picture(rows, chance.choice(["", "a < b & c"]))


PICTURES = pytest.mark.parametrize(
    "picture", [pytest.param(picture_of(seed), id=f"{seed}") for seed in range(20)]
)


def elements(html: str) -> list[ET.Element]:
    """All elements of a figure, which is well-formed XML."""
    return list(ET.fromstring(html).iter())


def groups(html: str) -> list[ET.Element]:
    """The cards and places that are drawn."""
    return [each for each in elements(html) if each.tag.endswith("}g")]


@PICTURES
def test_whatever_is_told_is_text(picture: Picture) -> None:
    html = drawn(picture)
    tags = {each.tag.rpartition("}")[2] for each in elements(html)}
    assert tags <= {"figure", "svg", "g", "rect", "text", "tspan", "figcaption"}
    # A strict page has no styles and no addresses within elements.
    names = {name for each in elements(html) for name in each.attrib}
    assert not names & {"style", "href", "onclick", "id"}


@PICTURES
def test_each_card_that_can_be_seen_is_drawn_within_the_picture(picture: Picture) -> None:
    html = drawn(picture)
    seen = sum(1 if pile.spread == Spread.squared else max(1, len(pile.cards)) for pile in picture.piles)
    found = groups(html)
    assert len(found) == seen
    (svg,) = (each for each in elements(html) if each.tag.endswith("}svg"))
    left, top, width, height = map(int, svg.attrib["viewBox"].split())
    for each in found:
        x, y = map(int, each.attrib["transform"].removeprefix("translate(").removesuffix(")").split())
        (rect,) = (inner for inner in each if inner.tag.endswith("}rect"))
        assert left <= x <= left + width - int(rect.attrib["width"])
        assert top <= y <= top + height - 140
    assert svg.attrib["aria-label"] == said(picture).replace("\n", ". ")


@PICTURES
def test_what_moved_is_marked(picture: Picture) -> None:
    moved = [
        card.moved
        for pile in picture.piles
        for card in (pile.cards[-1:] if pile.spread == Spread.squared else pile.cards)
    ]
    assert sum("m" in each.attrib["class"].split() for each in groups(drawn(picture))) == sum(moved)


def test_a_game_that_draws_lines_shows_them() -> None:
    assert "<pre>a &lt; b\n c</pre>" in drawn(Picture((), text="a < b\n c"))


@pytest.mark.parametrize("name", ["klondike", "superpuzz"])
def test_a_picture_is_small_and_quick(name: str) -> None:
    solitaire = game(name)
    positions = solitaire.positions()
    (deal,) = positions.read(solitaire.format_deal(solitaire.random_deal(1, 0, columns=13)), "deal")
    assert len(drawn(positions.picture(deal)).encode()) < 30_000
    times_s = []
    for _ in range(5):
        begin_s = time.perf_counter()
        drawn(positions.picture(deal))
        times_s.append(time.perf_counter() - begin_s)
    assert min(times_s) < 0.005


def test_the_style_asks_for_nothing_elsewhere() -> None:
    assert "url(" not in STYLE
    assert "@import" not in STYLE
    assert "prefers-color-scheme:dark" in STYLE
