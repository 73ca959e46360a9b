"""``job=calculation_open``: which random decks can be won by someone who knows the whole pile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engines.calculation.core import random_deck
from engines.calculation.open import STACKS_MAX, search
from engines.calculation.record import format_moves
from engines.calculation.rules import RANKS_MAX, RANKS_MIN
from engines.contract.job import Estimate, Job, UnitContext
from engines.contract.sweep import Sweep
from engines.solitaire.limits import SearchLimits, check_deals
from engines.statistics.intervals import spread, won_shares
from storage.errors import UserError

ROW_BYTES, MOVES_BYTES = 60, 120
"""Of a row, without and for its moves, for estimates."""
DEAL_S = {1: 0.03, 2: 0.9, 3: 0.1, 4: 0.04, 5: 0.04}
"""Seconds a deck of 13 ranks in the mean, by stacks; rounded from 1000 random decks."""
DEALS_A_UNIT = {1: 500, 2: 30, 3: 200, 4: 500, 5: 500}
QUANTILES = {"median": 0.5, "p90": 0.9, "p99": 0.99}


@dataclass
class CalculationOpenJob(Job):
    """Fields of ``conf/job/calculation_open.yaml``."""

    deals: int = 1000
    first: int = 0
    """Index of the first deal; deal i of a seed is the same in every job."""
    seed: int = 1
    stacks: int = 3
    ranks: int = RANKS_MAX
    """Fewer make a smaller game."""
    moves: bool = False
    """Write the solution of each won deal into its row."""
    limits: SearchLimits = field(default_factory=SearchLimits)

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        check_deals(self.deals, self.first, self.seed)
        if not 1 <= self.stacks <= STACKS_MAX:
            raise UserError("job.stacks", f"{self.stacks} is not in 1..{STACKS_MAX}")
        if not RANKS_MIN <= self.ranks <= RANKS_MAX:
            raise UserError("job.ranks", f"{self.ranks} is not in {RANKS_MIN}..{RANKS_MAX}")


class CalculationOpen(Sweep):
    """Independent decks; deck ``i`` of a seed is the same however the run is cut."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = CalculationOpenJob
    job: CalculationOpenJob

    def columns(self) -> pa.Schema:
        """A row a deal. ``moves``: of a solution, as text; ``elapsed_s``: processor time."""
        return pa.schema(
            [
                pa.field("stacks", pa.uint8(), nullable=False),
                pa.field("ranks", pa.uint8(), nullable=False),
                pa.field("deal_index", pa.uint64(), nullable=False),
                pa.field("limit", pa.string()),
                pa.field("states_count", pa.int64(), nullable=False),
                pa.field("moves_count", pa.int32()),
                pa.field("peak_bytes", pa.int64(), nullable=False),
                pa.field("moves", pa.string()),
            ]
        )

    def items_count(self) -> int:
        """Deals."""
        return self.job.deals

    def unit_items_count(self) -> int:
        """Deals a unit."""
        return DEALS_A_UNIT[self.job.stacks]

    def estimate(self) -> Estimate:
        """As if the game had 13 ranks."""
        count = self.job.deals
        row_bytes = ROW_BYTES + MOVES_BYTES * self.job.moves
        return Estimate(count, count * row_bytes + 100_000, count * DEAL_S[self.job.stacks])

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Search the deals ``job.first + index``."""
        job, bounds = self.job, self.job.limits.bounds()
        rows = []
        for index in indices:
            deal_index = job.first + index
            deck = random_deck(job.seed, deal_index, job.ranks)
            found = search(deck, job.stacks, bounds)
            rows.append(
                {
                    "outcome": found.outcome,
                    "elapsed_s": found.elapsed_s,
                    "stacks": job.stacks,
                    "ranks": job.ranks,
                    "deal_index": deal_index,
                    "limit": found.limit,
                    "states_count": found.states_count,
                    "moves_count": found.moves_count,
                    "peak_bytes": found.peak_bytes,
                    "moves": format_moves(deck, found.moves) if job.moves and found.moves else None,
                }
            )
            ctx.progress(1)
        schema = self.columns()
        types = {name: schema.field(name).type for name in schema.names}
        types |= {"outcome": pa.string(), "elapsed_s": pa.float64()}
        return pa.record_batch(
            {name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()}
        )

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Share won, with ``won_shares``; seconds and states of all deals, states of lost ones, moves of solutions."""
        from storage.dataset import read_rows

        names = ["outcome", "elapsed_s", "states_count", "moves_count", "peak_bytes"]
        rows = read_rows(ctx.run_dir, names)
        outcomes = np.array(rows["outcome"].to_pylist())
        won, lost = outcomes == "won", outcomes == "lost"
        found: dict[str, Any] = won_shares(int(won.sum()), int(lost.sum()), len(outcomes))
        states = _numbers(rows, "states_count")
        found["search_peak_bytes"] = max(rows["peak_bytes"].to_pylist())
        for name, values in (
            ("deal_s", _numbers(rows, "elapsed_s")),
            ("states", states),
            ("lost_states", states[lost]),
            ("moves", _numbers(rows, "moves_count")[won]),
        ):
            found |= spread(name, values.tolist())
            for quantile, share in QUANTILES.items():
                found[f"{name}_{quantile}"] = float(np.quantile(values, share)) if len(values) else None
        return found


def _numbers(rows: pa.Table, name: str) -> npt.NDArray[np.float64]:
    """A column as numbers, NaN where it has none."""
    return np.array(rows[name].cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
