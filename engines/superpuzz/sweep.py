"""``job=superpuzz_sweep``: deals of a seed or a file, each searched within the job's limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engines.contract.job import Job, UnitContext
from engines.contract.options import option
from engines.solitaire.sweep import ROW_BYTES, SolitaireJob, SolitaireSweep
from engines.superpuzz import paper
from engines.superpuzz.core import Mode
from engines.superpuzz.figures import beside_paper
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.options import Options
from engines.superpuzz.rules import COLUMNS_MAX, COLUMNS_MIN
from engines.superpuzz.times import search_s


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
        """See ``times``."""
        return search_s(self.columns, self.mode)

    def limited_deal_s(self) -> float:
        """See ``times``."""
        return search_s(self.columns, self.mode, self.limits.states, self.limits.time_s)


class SuperpuzzSweep(SolitaireSweep):
    """A row for each deal. A census that hit a limit is undecided, even if it has found a win."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = SuperpuzzSweepJob
    job: SuperpuzzSweepJob

    def item_bytes(self) -> float:
        """Texts are shorter where there are fewer columns."""
        texts = super().item_bytes() - ROW_BYTES
        return ROW_BYTES + texts * (self.job.columns / COLUMNS_MAX) ** 2

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Shares won, work, moves and times; those of a census of random deals beside the paper's."""
        from storage.dataset import read_rows

        job = self.job
        found = {"columns": job.columns, "mode": job.searched()} | super().summary(ctx)
        if job.searched() == Mode.census and job.file is None and job.columns in paper.TABLE_1:
            found |= beside_paper(job.columns, read_rows(ctx.run_dir, ["outcome", "states_count"]))
        return found
