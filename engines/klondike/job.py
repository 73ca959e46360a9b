"""Shared by the sweeps of Klondike: its rules, and the time that a deal takes by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engines.klondike.game import Klondike
from engines.klondike.rules import RedealRule, Rules
from engines.solitaire.job import DealsJob


@dataclass
class KlondikeJob(Rules, DealsJob):
    """Deals with rules; the defaults are the report's rules."""

    game: ClassVar[Klondike] = Klondike()

    redeal_rule: RedealRule = RedealRule.carry
    foundation_back: bool = False

    def deal_s(self) -> float:
        """Mean seconds of a deal, with the referee's replay: rounded values from 60 to 3,000 random deals for each
        rule.

        A few deals take most of the time, so that 100 deals may take half or twice as long.
        """
        if self.draw == 1:
            return {None: 0.01, 0: 0.08, 1: 0.15}.get(self.redeals, 0.08)
        if self.redeal_rule == RedealRule.standard and self.redeals is None:
            return 0.01
        return {None: 0.014, 0: 0.0015, 1: 0.013}.get(self.redeals, 0.02)
