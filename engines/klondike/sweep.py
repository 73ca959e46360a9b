"""``job=klondike_sweep``: deals of a seed or a file, each searched within the job's limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engines.contract.job import Job
from engines.klondike.core import Mode
from engines.klondike.job import KlondikeJob
from engines.solitaire.sweep import SolitaireJob, SolitaireSweep


@dataclass
class KlondikeSweepJob(KlondikeJob, SolitaireJob):
    """Fields of ``conf/job/klondike_sweep.yaml``."""

    mode: Mode = Mode.decide


class KlondikeSweep(SolitaireSweep):
    """A row a deal. ``redeals`` is the rules' limit, null for none, ``redeals_count`` what the solution uses."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = KlondikeSweepJob
