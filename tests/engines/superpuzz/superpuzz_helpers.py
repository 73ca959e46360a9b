"""Deals, positions and games for the tests of Superpuzz."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import strategies as st

from engines.superpuzz import paper, rules
from engines.superpuzz.core import random_deal
from engines.superpuzz.deal import Deal, deal_from_deck
from engines.superpuzz.rules import Move, Position
from engines.superpuzz.text import read_deals
from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.dataset import read_rows
from storage.errors import UserError

Result = TypeVar("Result")


def deal_of(text: str) -> Deal:
    """The only deal of a text."""
    (deal,) = read_deals(text)
    return deal


def figure(name: str) -> Deal:
    """The deal of a figure of the paper, such as ``7``."""
    return deal_of(paper.example(f"figure-{name}.deal"))


def attempt(call: Callable[[], Result]) -> Result | None:
    """What a call returns; None when it ends in a user's error, which must be one line that names a place."""
    try:
        return call()
    except UserError as error:
        field, text = error.field, str(error)
    assert field
    assert "\n" not in text
    return None


def as_deal(position: Position) -> Deal:
    """A position as a deal of its own; its holes get the kings in order."""
    return Deal(position, (0, 1, 2, 3))


def walk(position: Position, chance: random.Random, steps: int) -> tuple[list[Move], Position]:
    """At most so many random moves, and where they lead."""
    moves = []
    while len(moves) < steps and (legal := rules.legal_moves(position)):
        moves.append(chance.choice(legal))
        position = rules.play(position, moves[-1])
    return moves, position


def random_positions(columns: int, count: int, seed: int) -> list[Position]:
    """Positions some moves into random deals; every second one is a deal itself."""
    chance = random.Random(seed)
    found = []
    for index in range(count):
        start = random_deal(seed, index, columns).position
        found.append(start if index % 2 else walk(start, chance, chance.randrange(4 * columns))[1])
    return found


def deals(columns_max: int = rules.COLUMNS_MAX) -> st.SearchStrategy[Deal]:
    """Any deal of 2 to ``columns_max`` columns."""
    return st.integers(rules.COLUMNS_MIN, columns_max).flatmap(
        lambda columns: st.permutations(range(4 * columns)).map(lambda deck: deal_from_deck(columns, deck))
    )


@st.composite
def games(draw: st.DrawFn, columns_max: int = rules.COLUMNS_MAX) -> tuple[Deal, list[Move]]:
    """A deal and up to 60 random moves from it."""
    deal = draw(deals(columns_max))
    chance = random.Random(draw(st.integers(0, 2**32)))
    return deal, walk(deal.position, chance, draw(st.integers(0, 60)))[0]


def run_sweep(*words: str) -> Path:
    """The folder of the finished run of ``job=superpuzz_sweep WORDS``."""
    with composing(None) as composer:
        config = composer.compose(["job=superpuzz_sweep", *(f"job.{word}" for word in words)])
    status, folder = run_job(config, SerialRunner())
    assert status == 0
    return folder


def rows_of_run(run: Path) -> list[dict[str, Any]]:
    """Current rows by index, without what differs from run to run."""
    rows: list[dict[str, Any]] = read_rows(run).to_pylist()
    return [{key: row[key] for key in row if key not in ("elapsed_s", "host")} for row in rows]
