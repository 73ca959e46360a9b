"""engines/TEXT.md against the readers: all grammars have a section, all examples are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engines.calculation.position
import engines.calculation.record
import engines.calculation.text
import engines.daifugo.position
import engines.daifugo.record
import engines.klondike.solution
import engines.klondike.text
import engines.stackgame.text
import engines.superpuzz.solution
import engines.superpuzz.text
import engines.tricks.text

FOLDER = Path(engines.calculation.text.__file__).parents[1]
PAGE = (FOLDER / "TEXT.md").read_text()
READERS: dict[tuple[str, str], Callable[[str], Any]] = {
    ("stackgame", ".state"): lambda text: engines.stackgame.text.parse(text, 4),
    ("calculation", ".deck"): engines.calculation.text.read_decks,
    ("calculation", ".position"): engines.calculation.position.read_position,
    ("calculation", ".game"): engines.calculation.record.read_games,
    ("calculation", ".turns"): engines.calculation.record.read_turns,
    ("superpuzz", ".deal"): engines.superpuzz.text.read_deals,
    ("superpuzz", ".solution"): engines.superpuzz.solution.read_solutions,
    ("klondike", ".deal"): engines.klondike.text.read_deals,
    ("klondike", ".solution"): engines.klondike.solution.read_solutions,
    ("daifugo", ".position"): engines.daifugo.position.read_positions,
    ("daifugo", ".record"): engines.daifugo.record.read_records,
    ("tricks", ".deal"): engines.tricks.text.read_deals,
}
"""By game and example."""
EXAMPLES = sorted(
    path.relative_to(FOLDER).as_posix()
    for path in FOLDER.glob("*/examples/*")
    if path.parts[-3] != "native"  # the crate has programs there
)


def test_each_grammar_has_a_section() -> None:
    """That it says what the docstring says: tests/test_docs.py."""
    written = {
        path.relative_to(FOLDER).with_suffix("").as_posix()
        for path in FOLDER.glob("*/*.py")
        if "grammar::\n" in path.read_text()
    }
    shown = re.findall(r"^## .*: \[(\w+/\w+)\.py\]", PAGE, re.MULTILINE)
    assert len(set(shown)) == len(shown)
    assert len(written) > 15
    assert written <= set(shown)


KNOWN = {"blanks", "blank", "line", "end", "number", "digit", "digits", "name", "time"}
"""Words of grammars that need no definition, or are explained at the head of the page."""
CARDS = {"card", "suit", "rank"}
"""The same, where a grammar does not define them."""
DAIHINMIN = {"hand", "play"}
"""Defined in the first section about the game."""


def test_words_of_grammars_are_defined() -> None:
    for section in PAGE.split("\n## ")[1:]:
        rules = [
            line for line in section.splitlines() if re.match(r"    \w[\w ,-]* +=  ?\S|     +[\[{|]", line)
        ]
        names = {
            name
            for line in rules
            for name in re.split(", ", line.partition("=")[0].strip(" [{|"))
            if "=" in line
        }
        for line in rules:
            rest = re.sub(r'line that begins.*|"#" to the end.*|"[^"]*"|end of line|  +\(.*\)$', "", line)
            rest = rest.partition(" = ")[2] or rest
            for name in sorted(names, key=len, reverse=True):
                rest = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "", rest)
            known = KNOWN | CARDS | (DAIHINMIN if "Daihinmin" in section else set())
            assert set(re.findall(r"[a-z][a-z-]*", rest)) <= known, line


def test_all_examples_are_named() -> None:
    assert sorted(re.findall(r"`(\w+/examples/[^`]+)`", PAGE)) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_read(name: str) -> None:
    path = FOLDER / name
    assert READERS[path.parts[-3], path.suffix](path.read_text())
