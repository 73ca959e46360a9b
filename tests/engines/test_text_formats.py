"""engines/TEXT.md against the readers: its grammars are theirs, its examples are read."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engines.cards
from engines.stackgame import position
from engines.stackgame import text as stackgame_text
from engines.superpuzz import solution
from engines.superpuzz import text as superpuzz_text

FOLDER = Path(engines.cards.__file__).parent
PAGE = (FOLDER / "TEXT.md").read_text()
READERS: dict[str, Callable[[str], Any]] = {
    ".state": lambda text: stackgame_text.parse(text, 4),
    ".position": position.parse,
    ".deal": superpuzz_text.read_deals,
    ".solution": solution.read_solutions,
}
EXAMPLES = sorted(
    path.relative_to(FOLDER).as_posix()
    for path in FOLDER.glob("*/examples/*")
    if path.parts[-3] != "native"  # the crate has programs there
)


def test_grammars_are_those_of_the_modules() -> None:
    sections = PAGE.split("\n## ")[1:]
    assert len(sections) == len(READERS)
    for section in sections:
        (module,) = re.findall(r"^[^\n]*\]\((\w+/\w+)\.py\)\n", section)
        written = importlib.import_module("engines." + module.replace("/", ".")).__doc__ or ""
        blocks = re.findall(r"(?:^ {4}[^\n]*\n)+", section, re.MULTILINE)
        assert blocks
        for block in blocks:
            assert block in written, module


def test_all_examples_are_named() -> None:
    assert sorted(re.findall(r"`(\w+/examples/[^`]+)`", PAGE)) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_read(name: str) -> None:
    path = FOLDER / name
    assert READERS[path.suffix](path.read_text())
