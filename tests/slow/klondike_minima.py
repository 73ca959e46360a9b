"""Full deals of Klondike whose fewest moves are known: ``tests/cases/klondike_minima.txt``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engines.klondike.rules import Position, Rules
from engines.klondike.text import read_deals

FILE = Path(__file__).parents[1] / "cases/klondike_minima.txt"


@dataclass(frozen=True)
class Minimum:
    """A deal and what is known of it."""

    name: str
    fewest_count: int | None
    """None for a deal that is lost."""
    rules: Rules
    deal: Position


def minima() -> list[Minimum]:
    """Those of the file."""
    found = []
    for line in FILE.read_text().splitlines():
        if line.startswith("#"):
            continue
        told, cards = line.split(" | ")
        name, fewest, draw, passes = told.split()
        (deal,) = read_deals(cards, FILE.name)
        rules = Rules(draw=int(draw), redeals=int(passes) - 1)
        found.append(Minimum(name, None if fewest == "lost" else int(fewest), rules, deal))
    return found
