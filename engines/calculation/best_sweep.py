"""``job=calculation_best``: how many orders of the pile the best play wins that does not see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pyarrow as pa

from engines.calculation import rules
from engines.calculation.best import BEST_RANKS_MAX, best
from engines.calculation.options import STACKS_MAX, stacks_option
from engines.contract.columns import option_columns
from engines.contract.job import Job, UnitContext
from engines.contract.options import option
from engines.contract.result import Result
from engines.contract.sweep import Sweep
from engines.contract.vocabulary import shared
from engines.solitaire.limits import SearchLimits
from engines.solitaire.sweep import batch
from storage.columns import column

GAME_S = {(4, 1): 100.0, (4, 2): 0.5, (5, 1): 3e5, (5, 2): 3e4, (5, 3): 3e3, (6, 1): 3e8, (6, 2): 3e7}
"""Seconds of a game by ranks and stacks, those of 4 ranks measured, the others guessed."""
GAME_LEAST_S, GAME_OTHER_S = 0.5, 3e4
"""Of games with one stack less than ranks, which are always won, or more; and of others."""


@dataclass
class CalculationBestJob(Job):
    """Fields of ``conf/job/calculation_best.yaml``."""

    ranks: int = option(
        rules.RANKS_MIN,
        "Ranks; fewer make a smaller game.",
        least=rules.RANKS_MIN,
        most=BEST_RANKS_MAX,
        column="uint8",
        unit="ranks",
    )
    stacks: int = stacks_option(STACKS_MAX)
    limits: SearchLimits = field(default_factory=SearchLimits)


class CalculationBest(Sweep):
    """A single row. ``elapsed_s``: processor time."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = CalculationBestJob
    job: CalculationBestJob

    def columns(self) -> pa.Schema:
        """The game, what the best play wins, and the search."""
        return pa.schema(
            [
                *option_columns(CalculationBestJob),
                column(
                    "won_orders_count",
                    "int64",
                    "orders",
                    "Orders of the pile's ranks that the best play wins without seeing them.",
                    nullable=True,
                ),
                column("orders_count", "int64", "orders", "Orders in which the pile's ranks can be drawn."),
                *shared("limit", "states_count", "peak_bytes"),
            ]
        )

    def items_count(self) -> int:
        """The game."""
        return 1

    def item_s(self) -> float:
        """Of a game."""
        job = self.job
        if job.stacks >= job.ranks - 1:
            return GAME_LEAST_S
        return GAME_S.get((job.ranks, job.stacks), GAME_OTHER_S)

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Orders won, of all."""
        wins, orders, limit = (summary[name] for name in ("won_orders_count", "orders_count", "limit"))
        told = f"undecided: limit on {limit}"
        if wins is not None:
            told = f"the best play wins {wins:,} of {orders:,} orders of the pile: {wins / orders:.7%}"
        return Result({"won_orders_count": wins, "orders_count": orders, "limit": limit}, [told])

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Search the game from its start."""
        job = self.job
        found = best(rules.start(job.ranks, job.stacks), job.limits.bounds())
        ctx.progress(1)
        row = {
            "outcome": None if found.limit is None else "undecided",
            "elapsed_s": found.cpu_s,
            "ranks": job.ranks,
            "stacks": job.stacks,
            "won_orders_count": found.wins_count,
            "orders_count": found.orders_count,
            "limit": found.limit,
            "states_count": found.states_count,
            "peak_bytes": found.peak_bytes,
        }
        return batch(self.columns(), [row])

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """The row, without what the run says itself."""
        from storage.dataset import read_rows

        names = ["won_orders_count", "orders_count", "limit", "states_count", "peak_bytes"]
        (row,) = read_rows(ctx.run_dir, names).to_pylist()
        return {name: row[name] for name in names}
