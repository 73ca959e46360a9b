"""``job=klondike_deals``: deals that can be won, with a solution and how difficult they are."""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from engines.contract.job import Job, UnitContext
from engines.contract.result import Result
from engines.contract.vocabulary import shared
from engines.klondike.core import Mode, search
from engines.klondike.job import KlondikeJob
from engines.klondike.rules import Move, Position, Rules
from engines.klondike.text import format_deal
from engines.solitaire.found import Found
from engines.solitaire.limits import Bounds
from engines.solitaire.sweep import (
    DEAL_BYTES,
    ROW_BYTES,
    SOLUTION_BYTES,
    DealsSweep,
    batch,
    found_row,
    solution_text,
)
from engines.statistics.intervals import won_shares
from storage.columns import column, common_columns
from storage.errors import UserError

LEVELS_MAX = 100
REDEALS_DECIDED = 2.3
"""Number of searches for a deal, about: one without a limit of redeals, and one for each smaller limit."""


@dataclass
class KlondikeDealsJob(KlondikeJob):
    """Fields of ``conf/job/klondike_deals.yaml``."""

    levels: list[int] = field(default_factory=lambda: [100, 10_000, 1_000_000])
    """Numbers of states at which the next difficulty begins, ascending."""

    def deal_s(self) -> float:
        """Mean time of all searches of a deal."""
        return super().deal_s() * REDEALS_DECIDED

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        ascending = sorted(set(self.levels)) == self.levels
        if not ascending or len(self.levels) > LEVELS_MAX or not all(0 < n < 1 << 63 for n in self.levels):
            raise UserError(
                "job.levels",
                f"must be up to {LEVELS_MAX} ascending numbers of states; got {self.levels}",
            )


class KlondikeDeals(DealsSweep):
    """Deals of a seed or a file; those that can be won come with all that a program for players needs."""

    version: ClassVar[int] = 5
    job_type: ClassVar[type[Job]] = KlondikeDealsJob
    effort: ClassVar[str] = "states_count"
    job: KlondikeDealsJob

    def columns(self) -> pa.Schema:
        """A row for each deal; the columns after ``peak_bytes`` are null for deals that are not won.

        ``states_count``: states of the search that decided the deal. ``solution`` has no more redeals than needed, as
        far as that is known.
        """
        return pa.schema(
            [
                *shared("deal_index", "limit", "states_count", "peak_bytes"),
                column(
                    "difficulty",
                    "uint8",
                    "",
                    "The difficulty: 1, and 1 more for each of the job's levels that the states of the search reach.",
                    nullable=True,
                ),
                column(
                    "redeals_needed_count",
                    "int32",
                    "redeals",
                    "Fewest redeals with which the deal can be won; null when a search with fewer hit the limit.",
                    nullable=True,
                ),
                *shared("moves_count", "deal", "solution"),
            ]
        )

    def item_bytes(self) -> float:
        """With both texts."""
        return ROW_BYTES + DEAL_BYTES + SOLUTION_BYTES

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Search the deals ``job.first + index``."""
        job, rules, bounds = self.job, self.job.options(), self.job.limits.bounds()
        rows = []
        for index in indices:
            deal_index = job.first + index
            rows.append(self._row(job.deal(deal_index), rules, bounds) | {"deal_index": deal_index})
            ctx.progress(1)
        return batch(self.columns(), rows)

    def _row(self, deal: Position, rules: Rules, bounds: Bounds) -> dict[str, Any]:
        found = search(deal, rules, Mode.decide, bounds)
        row: dict[str, Any] = dict.fromkeys(self.columns().names) | found_row(self.job, found)
        if found.moves is None:
            return row
        searches = _fewer_redeals(deal, rules, bounds, found)
        best, last = found, searches[-1] if searches else found
        if last.outcome == "won":
            best = last
        assert best.moves is not None
        return row | {
            "elapsed_s": found.cpu_s + sum(each.cpu_s for each in searches),
            "limit": last.limit,
            "peak_bytes": max(each.peak_bytes for each in (found, *searches)),
            "difficulty": 1 + bisect.bisect_right(self.job.levels, found.effort_count),
            "redeals_needed_count": _redeals_count(best) if last.limit is None else None,
            "moves_count": best.moves_count,
            "deal": format_deal(deal),
            "solution": solution_text(self.job, deal, best),
        }

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Share won, and how many deals there are of each difficulty and of each number of redeals needed."""
        from storage.dataset import read_rows

        rows = read_rows(ctx.run_dir, ["outcome", "difficulty", "redeals_needed_count"])
        outcomes = rows["outcome"].to_pylist()
        found: dict[str, Any] = won_shares(outcomes.count("won"), outcomes.count("lost"), len(outcomes))
        for key, name in (("difficulties", "difficulty"), ("redeals_needed_counts", "redeals_needed_count")):
            counts = rows[name].drop_null().value_counts().to_pylist()
            found[key] = {str(each["values"]): each["counts"] for each in sorted(counts, key=_value)}
        return found

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Also how many deals there are of each difficulty and of each number of redeals needed."""
        found = super().result(summary)
        told = {key: summary[key] for key in ("difficulties", "redeals_needed_counts")}
        words = [
            f"of {title} " + ", ".join(f"{each}: {count:,}" for each, count in counts.items())
            for title, counts in zip(("difficulty", "redeals needed"), told.values(), strict=True)
            if counts
        ]
        return Result(found.figures | told, found.lines + words)

    def export_columns(self) -> pa.Schema:
        """The seed, and what is known of a won deal."""
        unsaid = ("limit", "peak_bytes")
        fields = (field for field in self.columns() if field.name not in unsaid)
        return pa.schema([common_columns().field("seed"), *fields])

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        """The won deals, one file for each difficulty; deals that need fewer redeals come first."""
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        from storage.chunks import ROW_GROUP_COUNT
        from storage.dataset import read_rows

        won = read_rows(ctx.run_dir, self.export_columns().names)
        won = won.filter(pc.is_valid(won["difficulty"]))
        order = [("redeals_needed_count", "ascending"), ("deal_index", "ascending")]
        written = []
        for difficulty in sorted(pc.unique(won["difficulty"]).to_pylist()):
            path = out_dir / f"difficulty-{difficulty}.parquet"
            chosen = won.filter(pc.equal(won["difficulty"], difficulty)).sort_by(order)
            pq.write_table(chosen, path, row_group_size=ROW_GROUP_COUNT)
            written.append(path)
        return written


def _redeals_count(found: Found[Move]) -> int:
    """Redeals of the solution that was found."""
    count = found.counts["redeals_count"]
    assert count is not None
    return count


def _fewer_redeals(deal: Position, rules: Rules, bounds: Bounds, found: Found[Move]) -> list[Found[Move]]:
    """Searches with 0, 1, ... redeals, fewer than a solution has, up to the first that is not lost."""
    searches: list[Found[Move]] = []
    for redeals in range(_redeals_count(found)):
        searches.append(
            search(deal, replace(rules, redeals=deal.redeals_count + redeals), Mode.decide, bounds)
        )
        if searches[-1].outcome != "lost":
            break
    return searches


def _value(counted: dict[str, Any]) -> int:
    value: int = counted["values"]
    return value
