"""``job=klondike_sweep``: deals of a seed or a file, each searched within the job's limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from engines.contract.job import Estimate, Job, UnitContext
from engines.contract.sweep import Sweep
from engines.klondike.core import Found, Mode, search
from engines.klondike.figures import figures
from engines.klondike.job import KlondikeJob
from engines.klondike.rules import Position
from engines.klondike.solution import format_moves, join_written
from engines.klondike.text import format_deal

ROW_BYTES, TEXT_BYTES = 60, 500
"""Of a deal's row, without and for its texts, for estimates."""


@dataclass
class KlondikeSweepJob(KlondikeJob):
    """Fields of ``conf/job/klondike_sweep.yaml``."""

    mode: Mode = Mode.decide
    deal_texts: bool = False
    """Write each deal into its row."""
    solution_texts: bool = False
    """Write the solution of each won deal into its row."""


class KlondikeSweep(Sweep):
    """Independent deals; deal ``i`` of a seed is the same however the run is cut."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = KlondikeSweepJob
    job: KlondikeSweepJob

    def columns(self) -> pa.Schema:
        """A row a deal. ``redeals`` is the rules' limit, null for none, ``redeals_count`` what the solution uses."""
        return pa.schema(
            [
                pa.field("draw", pa.uint8(), nullable=False),
                pa.field("redeals", pa.int32()),
                pa.field("redeal_rule", pa.string(), nullable=False),
                pa.field("deal_last", pa.bool_(), nullable=False),
                pa.field("foundation_back", pa.bool_(), nullable=False),
                pa.field("mode", pa.string(), nullable=False),
                pa.field("deal_index", pa.uint64(), nullable=False),
                pa.field("limit", pa.string()),
                pa.field("states_count", pa.int64(), nullable=False),
                pa.field("moves_count", pa.int32()),
                pa.field("redeals_count", pa.int32()),
                pa.field("peak_bytes", pa.int64(), nullable=False),
                pa.field("deal", pa.string()),
                pa.field("solution", pa.string()),
            ]
        )

    def items_count(self) -> int:
        """Deals."""
        return self.job.deals_count()

    def unit_items_count(self) -> int:
        """Deals a unit."""
        return self.job.deals_a_unit()

    def estimate(self) -> Estimate:
        """As if the deals were random ones of the whole game."""
        count = self.job.deals_count()
        texts = TEXT_BYTES * (self.job.deal_texts + self.job.solution_texts)
        return Estimate(count, count * (ROW_BYTES + texts) + 100_000, count * self.job.deal_s())

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Search the deals ``job.first + index``."""
        job, rules, bounds = self.job, self.job.rules(), self.job.limits.bounds()
        rows = []
        for index in indices:
            deal_index = job.first + index
            deal = job.deal(deal_index)
            rows.append(self._row(deal_index, deal, search(deal, rules, Mode(job.mode), bounds)))
            ctx.progress(1)
        return batch(self.columns(), rows)

    def _row(self, deal_index: int, deal: Position, found: Found) -> dict[str, Any]:
        job = self.job
        solution = None
        if job.solution_texts and found.moves is not None:
            solution = join_written(format_moves(deal, found.moves, job.rules()), " ")
        return {
            "outcome": found.outcome,
            "elapsed_s": found.elapsed_s,
            "draw": job.draw,
            "redeals": job.redeals,
            "redeal_rule": str(job.redeal_rule),
            "deal_last": job.deal_last,
            "foundation_back": job.foundation_back,
            "mode": str(job.mode),
            "deal_index": deal_index,
            "limit": found.limit,
            "states_count": found.states_count,
            "moves_count": found.moves_count,
            "redeals_count": found.redeals_count,
            "peak_bytes": found.peak_bytes,
            "deal": format_deal(deal) if job.deal_texts else None,
            "solution": solution,
        }

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Share won, states, redeals and times, next to what was published."""
        from storage.dataset import read_rows

        names = ["outcome", "elapsed_s", "states_count", "moves_count", "redeals_count", "peak_bytes"]
        return figures(self.job.rules(), self.job.file is None, read_rows(ctx.run_dir, names))


def batch(schema: pa.Schema, rows: list[dict[str, Any]]) -> pa.RecordBatch:
    """Rows as a sweep returns them: the engine's columns, outcome and time."""
    types = {name: schema.field(name).type for name in schema.names}
    types |= {"outcome": pa.string(), "elapsed_s": pa.float64()}
    return pa.record_batch(
        {name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()}
    )
