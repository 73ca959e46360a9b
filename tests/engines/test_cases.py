"""Texts as other programs and people write them (``tests/cases/forms``): each is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engines.calculation.text import read_decks
from engines.daifugo.record import read_records
from engines.daifugo.text import read_hand
from engines.klondike.text import read_deals as read_klondike
from engines.superpuzz.text import read_deals as read_superpuzz

FORMS = Path(__file__).parents[1] / "cases" / "forms"
READERS: dict[str, Callable[[str], list[Any]]] = {
    "klondike": read_klondike,
    "gaps": read_superpuzz,
    "calculation": read_decks,
    "daifugo": read_records,
}
"""By the beginning of a file's name."""
READ = sorted(path.name for path in FORMS.iterdir() if path.name != "daifugo_hands.txt")


def text_of(name: str) -> str:
    """The text of a case; JSON has no comments."""
    text = (FORMS / name).read_text()
    assert name.endswith(".json") == (text[:1] == "{")
    return text


@pytest.mark.parametrize("name", READ)
def test_a_case_is_read(name: str) -> None:
    reader = READERS[name.partition("_")[0]]
    (deal,) = reader(text_of(name))
    # Another one may follow.
    assert reader(f"{text_of(name)}\n\n{text_of(name)}") == [deal, deal]


def test_hands_have_other_names_of_the_joker_and_commas() -> None:
    def fail(message: str) -> Any:
        raise AssertionError(message)

    hands = [line.partition(":")[2] for line in text_of("daifugo_hands.txt").splitlines() if line[:2] == "0:"]
    assert len(hands) == 2
    assert read_hand(hands[1], fail) == read_hand("S3 S7 H5 HJ D4 D9 C6 CK JK", fail)
    for joker in ("DX", "JR"):
        assert joker in hands[0]
        assert read_hand(f"S3 H4 {joker}", fail) == read_hand("S3 H4 JK", fail)


def test_klondike_deals_of_all_forms_in_one_file() -> None:
    names = [name for name in READ if name.startswith("klondike")]
    whole = "\n\n".join(map(text_of, names))
    assert read_klondike(whole) == [deal for name in names for deal in read_klondike(text_of(name))]
    assert len(names) > 3
    assert json.loads(text_of("klondike_foundation_key.json"))["foundation"] == [[], [], [], []]
