"""``job=superpuzz_sweep``: deals of a seed or a file, each searched within the job's limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engines.contract.job import Job, UnitContext
from engines.contract.options import option
from engines.solitaire.sweep import SolitaireJob, SolitaireSweep
from engines.superpuzz import paper
from engines.superpuzz.core import Mode
from engines.superpuzz.figures import beside_paper
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.options import Options
from engines.superpuzz.rules import COLUMNS_MAX, COLUMNS_MIN

STATES_A_S = 5_000_000
"""Of a census, for estimates."""
STATES_GROWTH = 2.4
"""Factor by which a column more multiplies the states, from the paper's 6 columns to the 1e9 that it expects of 13."""


@dataclass
class SuperpuzzSweepJob(Options, SolitaireJob):
    """Fields of ``conf/job/superpuzz_sweep.yaml``."""

    later: ClassVar[Mapping[str, Any]] = {
        "file": None,
        "file_sha256": None,
        "deal_texts": True,
        "solution_texts": True,
    }
    game: ClassVar[Superpuzz] = Superpuzz()

    columns: int = option(
        COLUMNS_MAX, "Columns.", least=COLUMNS_MIN, most=COLUMNS_MAX, column="uint8", unit="columns"
    )
    deals: int | None = 100
    mode: Mode = Mode.decide
    deal_texts: bool = True
    solution_texts: bool = True

    def deal_s(self) -> float:
        """At most: as if all states of a deal were counted."""
        return self._states_count() / STATES_A_S

    def limited_deal_s(self) -> float:
        """Up to its limits."""
        states = self._states_count()
        deal_s = min(states, self.limits.states or states) / STATES_A_S
        return min(deal_s, self.limits.time_s or deal_s)

    def _states_count(self) -> float:
        largest = max(paper.TABLE_1)
        growth = STATES_GROWTH ** max(0, self.columns - largest)
        return paper.TABLE_1[min(self.columns, largest)].states_mean * growth


class SuperpuzzSweep(SolitaireSweep):
    """A row a deal. A census that hit a limit is undecided, with the win that it found all the same."""

    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = SuperpuzzSweepJob
    job: SuperpuzzSweepJob

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Shares won, work, moves and times; those of a census of random deals next to the paper's."""
        from storage.dataset import read_rows

        job = self.job
        found = {"columns": job.columns, "mode": job.searched()} | super().summary(ctx)
        if job.searched() == Mode.census and job.file is None and job.columns in paper.TABLE_1:
            found |= beside_paper(job.columns, read_rows(ctx.run_dir, ["outcome", "states_count"]))
        return found
