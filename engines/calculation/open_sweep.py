"""``job=calculation_open``: which decks can be won by someone who knows the whole pile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from engines.calculation.game import Calculation
from engines.calculation.options import Ranks, Rules
from engines.contract.job import Job
from engines.solitaire.sweep import SolitaireJob, SolitaireSweep

DEAL_S = {1: 0.03, 2: 0.9, 3: 0.1, 4: 0.04, 5: 0.04}
"""Mean seconds of a deck of 13 ranks, by stacks; rounded values from 1000 random decks."""
DEAL_S_LEAST = 0.002
"""Seconds of any deck, for its row and the referee's replay."""


@dataclass
class CalculationOpenJob(Rules, Ranks, SolitaireJob):
    """Fields of ``conf/job/calculation_open.yaml``."""

    game: ClassVar[Calculation] = Calculation()

    def deal_s(self) -> float:
        """Smaller games take far less."""
        return DEAL_S_LEAST + DEAL_S[self.stacks] * (self.ranks / 13) ** 6


class CalculationOpen(SolitaireSweep):
    """A row for each deck. ``elapsed_s``: processor time."""

    version: ClassVar[int] = 3
    job_type: ClassVar[type[Job]] = CalculationOpenJob
    effort: ClassVar[str] = "dead_ends_count"
    renamed: ClassVar[Mapping[str, str]] = {"dead_ends_count": "states_count", "solution": "moves"}
