"""Decks and games by chance."""

from __future__ import annotations

import random
from pathlib import Path

from run_helpers import finished_run

from engines.calculation import rules
from engines.calculation.rules import Move

TINY = [(4, 2), (4, 3), (5, 1), (5, 2)]
"""Ranks and stacks of games that have a table in the tests."""


def random_deck(ranks: int, seed: int) -> list[int]:
    """A shuffled deck."""
    deck = [rank for rank in range(1, ranks + 1) for _ in range(rules.COPIES)]
    random.Random(seed).shuffle(deck)
    return deck


def random_game(ranks: int, stacks: int, seed: int) -> tuple[list[int], list[Move]]:
    """A shuffled deck and moves by chance, foundations first in most cases, until nothing is left to do."""
    dice = random.Random(seed)
    deck = random_deck(ranks, seed)
    position = rules.start(ranks, stacks)
    moves: list[Move] = []
    for number, rank in enumerate(deck, start=1):
        position = rules.draw(position, rank)
        while legal := rules.legal_moves(position):
            if position.drawn is None and number < len(deck) and dice.random() < 0.3:
                break
            move = legal[0] if dice.random() < 0.8 else dice.choice(legal)
            moves.append(move)
            position = rules.play(position, move)
    return deck, moves


def run_of(root: Path, name: str, *words: str, tables: Path | None = None) -> Path:
    """The folder of the finished run of ``job=NAME WORDS`` below ``root``."""
    places = [f"paths.results={root}", f"paths.tables={tables or root}"]
    return finished_run(f"job={name}", *(f"job.{word}" for word in words), *places)
