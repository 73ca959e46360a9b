"""What the sweeps of Klondike have in common: its rules, and how long a deal takes by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engines.klondike.game import Klondike
from engines.klondike.rules import RedealRule, Rules
from engines.solitaire.job import DealsJob


@dataclass
class KlondikeJob(Rules, DealsJob):
    """Deals, searched by some rules."""

    game: ClassVar[Klondike] = Klondike()

    def deal_s(self) -> float:
        """Seconds a deal in the mean: rounded from 100 to 300 random deals for each rule."""
        if self.draw == 1:
            return 0.02 if self.redeals is None else 0.15
        if self.redeals == 0:
            return 0.005
        if self.redeals is None and self.redeal_rule == RedealRule.carry:
            return 0.05 if self.deal_last else 0.25
        return 0.03
