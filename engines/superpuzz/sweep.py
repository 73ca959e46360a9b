"""``job=superpuzz_sweep``: random deals, each searched within the job's limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import pyarrow as pa

from engines.contract.job import Estimate, Job, UnitContext
from engines.contract.sweep import Sweep
from engines.solitaire.limits import SearchLimits, check_deals
from engines.superpuzz import paper
from engines.superpuzz.core import Found, Mode, Order, random_deal, search
from engines.superpuzz.deal import Deal
from engines.superpuzz.figures import figures
from engines.superpuzz.rules import COLUMNS_MAX, COLUMNS_MIN
from engines.superpuzz.solution import format_pairs, join_pairs
from engines.superpuzz.text import format_deal
from storage.errors import UserError

DEALS_A_UNIT = {2: 20_000, 3: 5_000, 4: 500, 5: 50, 6: 10}
"""By columns, 5 to 60 s of work; one deal from 7 columns on, so that a hard one holds up none beside it."""
STATES_A_S = 5_000_000
"""Of a census, for estimates."""
STATES_GROWTH = 2.4
"""Factor by which a column more multiplies the states, from the paper's 6 columns to the 1e9 that it expects of 13."""


@dataclass
class SuperpuzzSweepJob(Job):
    """Fields of ``conf/job/superpuzz_sweep.yaml``."""

    columns: int = 13
    deals: int = 100
    first: int = 0
    """Index of the first deal; deal i of a seed is the same in every job."""
    seed: int = 1
    mode: Mode = Mode.decide
    order: Order = Order.depth
    """Of a census."""
    limits: SearchLimits = field(default_factory=SearchLimits)

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        if not COLUMNS_MIN <= self.columns <= COLUMNS_MAX:
            raise UserError("job.columns", f"{self.columns} is not in {COLUMNS_MIN}..{COLUMNS_MAX}")
        check_deals(self.deals, self.first, self.seed)
        if self.mode != Mode.census and self.order != Order.depth:
            raise UserError("job.order", f"{self.order} is only for job.mode=census")


class SuperpuzzSweep(Sweep):
    """Random deals; deal ``i`` of a seed is the same however the run is cut."""

    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = SuperpuzzSweepJob
    job: SuperpuzzSweepJob

    def columns(self) -> pa.Schema:
        """A row a deal. A census that hit a limit is undecided, with the win that it found all the same."""
        return pa.schema(
            [
                pa.field("columns", pa.uint8(), nullable=False),
                pa.field("mode", pa.string(), nullable=False),
                pa.field("deal_index", pa.uint64(), nullable=False),
                pa.field("deal", pa.string(), nullable=False),
                pa.field("limit", pa.string()),
                pa.field("states_count", pa.int64(), nullable=False),
                pa.field("wins_count", pa.int32()),
                pa.field("moves_count", pa.int32()),
                pa.field("states_before_win_count", pa.int64()),
                pa.field("peak_bytes", pa.int64(), nullable=False),
                pa.field("solution", pa.string()),
            ]
        )

    def items_count(self) -> int:
        """Deals."""
        return self.job.deals

    def unit_items_count(self) -> int:
        """Deals a unit."""
        return DEALS_A_UNIT.get(self.job.columns, 1)

    def estimate(self) -> Estimate:
        """At most: as if all states of every deal were counted, up to its limits."""
        columns, limits = self.job.columns, self.job.limits
        largest = max(paper.TABLE_1)
        states = paper.TABLE_1[min(columns, largest)].states_mean * STATES_GROWTH ** max(0, columns - largest)
        a_deal_s = min(states, limits.states or states) / STATES_A_S
        a_deal_s = min(a_deal_s, limits.time_s or a_deal_s)
        disk_bytes = self.job.deals * 1_500 + 100_000
        return Estimate(self.job.deals, disk_bytes, self.job.deals * a_deal_s)

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Search the deals ``job.first + index``."""
        job, bounds = self.job, self.job.limits.bounds()
        rows = []
        for index in indices:
            deal_index = job.first + index
            deal = random_deal(job.seed, deal_index, job.columns)
            found = search(deal, Mode(job.mode), bounds, Order(job.order))
            rows.append(self._row(deal_index, deal, found))
            ctx.progress(1)
        schema = self.columns()
        types = {name: schema.field(name).type for name in schema.names}
        types |= {"outcome": pa.string(), "elapsed_s": pa.float64()}
        return pa.record_batch(
            {name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()}
        )

    def _row(self, deal_index: int, deal: Deal, found: Found) -> dict[str, Any]:
        complete = found.limit is None or self.job.mode != Mode.census
        return {
            "outcome": found.outcome if complete else "undecided",
            "elapsed_s": found.elapsed_s,
            "columns": self.job.columns,
            "mode": str(self.job.mode),
            "deal_index": deal_index,
            "deal": format_deal(deal, " / "),
            "limit": found.limit,
            "states_count": found.states_count,
            "wins_count": found.wins_count,
            "moves_count": found.moves_count,
            "states_before_win_count": found.states_before_win_count,
            "peak_bytes": found.peak_bytes,
            "solution": None if found.moves is None else join_pairs(format_pairs(deal, found.moves), " "),
        }

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Share won and, for a census, mean states with intervals, next to the paper's."""
        from storage.dataset import read_rows

        names = ["outcome", "states_count", "moves_count", "states_before_win_count", "peak_bytes"]
        return figures(self.job.columns, str(self.job.mode), read_rows(ctx.run_dir, names))
