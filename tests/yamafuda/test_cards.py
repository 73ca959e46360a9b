"""Pictures as HTML: what is drawn of any picture, whatever it says, and how much that is."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.picture import Card, Look, Picture, Pile, Spread, said
from engines.contract.registry import game
from yamafuda.cards import STYLE, drawn

CARDS = st.builds(
    Card,
    st.sampled_from(["S3", "H0", "DA", "JK", "7", "0.11", "", "<b>", '"&'])
    | st.text(st.characters(categories=["L", "P", "S"]), max_size=5),
    st.sampled_from(Look),
    st.sampled_from(["", "→2", "<i>"]),
    st.booleans(),
    st.booleans(),
)
PILES = st.builds(
    Pile,
    st.sampled_from(["", "waste", "<script>"]),
    st.lists(CARDS, max_size=40).map(tuple),
    st.sampled_from(Spread),
    st.sampled_from(["", "a note"]),
    st.sampled_from(["", "♠", "K"]),
)
PICTURES = st.builds(
    Picture,
    st.lists(st.lists(PILES, min_size=1, max_size=4).map(tuple), min_size=1, max_size=4).map(tuple),
    st.sampled_from(["", "a < b & c"]),
)


def elements(html: str) -> list[ET.Element]:
    """All elements of a figure, which is well-formed XML."""
    return list(ET.fromstring(html).iter())


def groups(html: str) -> list[ET.Element]:
    """The cards and places that are drawn."""
    return [each for each in elements(html) if each.tag.endswith("}g")]


@settings(max_examples=40)
@given(PICTURES)
def test_whatever_is_told_is_text(picture: Picture) -> None:
    html = drawn(picture)
    tags = {each.tag.rpartition("}")[2] for each in elements(html)}
    assert tags <= {"figure", "svg", "g", "rect", "text", "tspan", "figcaption"}
    # A strict page has no styles and no addresses within elements.
    names = {name for each in elements(html) for name in each.attrib}
    assert not names & {"style", "href", "onclick", "id"}


@settings(max_examples=40)
@given(PICTURES)
def test_each_card_that_can_be_seen_is_drawn_within_the_picture(picture: Picture) -> None:
    html = drawn(picture)
    seen = sum(1 if pile.spread == Spread.squared else max(1, len(pile.cards)) for pile in picture.piles)
    found = groups(html)
    assert len(found) == seen
    (svg,) = (each for each in elements(html) if each.tag.endswith("}svg"))
    left, top, width, height = map(int, svg.attrib["viewBox"].split())
    for each in found:
        x, y = map(int, each.attrib["transform"].removeprefix("translate(").removesuffix(")").split())
        assert left <= x <= left + width - 100
        assert top <= y <= top + height - 140
    assert svg.attrib["aria-label"] == said(picture).replace("\n", ". ")


@settings(max_examples=40)
@given(PICTURES)
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
