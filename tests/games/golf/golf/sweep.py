"""``job=golf_sweep``: deals of a seed or a file, each searched within the job's limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engines.contract.job import Job
from engines.contract.options import option
from engines.solitaire.sweep import SolitaireJob, SolitaireSweep
from golf.game import Golf
from golf.rules import COLUMNS_MAX, Rules


@dataclass
class GolfJob(Rules, SolitaireJob):
    """Fields of ``conf/job/golf_sweep.yaml``."""

    game: ClassVar[Golf] = Golf()
    columns: int = option(5, "Columns.", least=1, most=COLUMNS_MAX, column="uint8", unit="columns")

    def deal_s(self) -> float:
        """Seconds a deal in the mean, about."""
        return 0.2


class GolfSweep(SolitaireSweep):
    """A row a deal."""

    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = GolfJob
