"""Options of Calculation: the game's own. How players play is in ``player``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.calculation import rules
from engines.calculation.rules import RANKS_MAX, RANKS_MIN
from engines.contract.options import option

STACKS = 3
STACKS_MAX = 5
"""Most stacks with which the core searches and plays. With ``rules.STACKS_MAX`` every deck can be won, which needs no
core."""


def stacks_option(most: int) -> Any:
    """The number of stacks."""
    return option(STACKS, "Number of stacks.", least=1, most=most, column="uint8", unit="stacks")


@dataclass(unsafe_hash=True)
class Ranks:
    """The size of random decks."""

    ranks: int = option(
        RANKS_MAX,
        "Ranks; fewer make a smaller game.",
        least=RANKS_MIN,
        most=RANKS_MAX,
        column="uint8",
        unit="ranks",
    )


@dataclass(unsafe_hash=True)
class Rules:
    """The rules of a game for the referee."""

    stacks: int = stacks_option(rules.STACKS_MAX)
