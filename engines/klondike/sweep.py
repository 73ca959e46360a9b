"""``job=klondike_sweep``: deals of a seed or a file, each searched within the job's limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engines.contract.job import Job
from engines.klondike.core import Mode
from engines.klondike.job import KlondikeJob
from engines.solitaire.sweep import SolitaireJob, SolitaireSweep

LONG_S, STATES_A_S = 100.0, 2_500_000
"""In other modes than ``decide``: seconds of a deal, and states a second."""


@dataclass
class KlondikeSweepJob(KlondikeJob, SolitaireJob):
    """Fields of ``conf/job/klondike_sweep.yaml``."""

    mode: Mode = Mode.decide

    def deal_s(self) -> float:
        """Most searches for a shortest solution, and plain ones, hit any limit."""
        return super().deal_s() if self.mode == Mode.decide else LONG_S

    def limited_deal_s(self) -> float:
        """So that these take what limits allow."""
        if self.mode == Mode.decide:
            return super().limited_deal_s()
        limits = self.limits
        states_s = LONG_S if limits.states is None else limits.states / STATES_A_S
        return min(LONG_S, states_s, limits.time_s or LONG_S)


class KlondikeSweep(SolitaireSweep):
    """A row for each deal. ``redeals`` is the limit of the rules, null for none; ``redeals_count`` is the number in
    the solution."""

    version: ClassVar[int] = 6
    counted_since: ClassVar[int] = 3
    job_type: ClassVar[type[Job]] = KlondikeSweepJob
