"""The sweep of every solitaire: deals of a seed or a file, each searched within the job's limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from engines.contract.columns import option_columns
from engines.contract.job import UnitContext
from engines.contract.result import Result
from engines.contract.span import Span
from engines.contract.sweep import Sweep
from engines.contract.vocabulary import shared
from engines.contract.written import Written
from engines.solitaire.figures import figure_columns, figures, measures
from engines.solitaire.found import Found
from engines.solitaire.job import DealsJob
from engines.statistics.measures import mean_intervals
from engines.statistics.wins import wins_result
from storage.columns import column

ROW_BYTES, DEAL_BYTES, SOLUTION_BYTES = 20, 110, 500
"""Bytes of a deal's row, and of each of its texts."""
MODE = "What was searched for; decide: a win, or the proof that there is none."
"""Meaning of the column ``mode``."""
SHORTEST = "shortest"
"""The mode that looks for a solution of the fewest moves, where a game has it."""


@dataclass
class SolitaireJob(DealsJob):
    """The job of a sweep."""

    span: ClassVar[Span | None] = Span(
        "deals", "first", ("file", "deal_texts", "solution_texts"), ("deal_index",)
    )

    deal_texts: bool = False
    """Write each deal into its row."""
    solution_texts: bool = False
    """Write the solution of each won deal into its row."""


class DealsSweep(Sweep):
    """The items are all deals of a job, also those that cannot be won."""

    job: DealsJob

    def items_count(self) -> int:
        """Deals."""
        return self.job.deals_count()

    def item_s(self) -> float:
        """Of a deal."""
        return self.job.deal_s()

    def work_s(self) -> float:
        """As if the deals were random ones of the whole game."""
        return self.items_count() * self.job.limited_deal_s()

    def written(self, row: Mapping[str, Any]) -> Written:
        """The deal, from the job if the row does not have it, and its solution if that was written."""
        job = self.job
        told, game = vars(job.options()), job.game
        return Written(
            row.get("deal") or game.format_deal(job.deal(row["deal_index"])),
            row.get("solution") or "",
            {name: value for name, value in told.items() if name not in game.of_search},
        )

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Deals won, lost and undecided."""
        return wins_result(summary)


class SolitaireSweep(DealsSweep):
    """Independent deals; deal ``i`` of a seed is the same however the run is cut. Subclasses name job and version."""

    job: SolitaireJob
    effort: ClassVar[str] = "states_count"
    counted_since: ClassVar[int] = 0
    """Moves are counted as they are today from this version on; reports do not use counts of earlier ones."""

    def columns(self) -> pa.Schema:
        """A row for each deal: sizes, options and mode, the result of the search, and the texts that were asked
        for."""
        game = self.job.game
        return pa.schema(
            [
                *option_columns(type(self.job)),
                *([column("mode", "string", "", MODE)] if hasattr(self.job, "mode") else ()),
                *shared("deal_index", "limit"),
                *_effort(game.effort),
                *shared("moves_count"),
                *(shared("fewest_count") if SHORTEST in game.modes else ()),
                *(column(name, *told, nullable=True) for name, told in game.counts.items()),
                *shared("peak_bytes", "deal", "solution"),
            ]
        )

    def item_bytes(self) -> float:
        """Also of the texts that are asked for."""
        return ROW_BYTES + DEAL_BYTES * self.job.deal_texts + SOLUTION_BYTES * self.job.solution_texts

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Search the deals ``job.first + index``."""
        job = self.job
        options, bounds, told = job.options(), job.limits.bounds(), job.told()
        rows = []
        for index in indices:
            deal_index = job.first + index
            deal = job.deal(deal_index)
            found = job.game.search(deal, options, job.searched(), bounds)
            rows.append(told | found_row(job, found) | self._texts(deal, found) | {"deal_index": deal_index})
            ctx.progress(1)
        return batch(self.columns(), rows)

    def _texts(self, deal: Any, found: Found[Any]) -> dict[str, Any]:
        job = self.job
        solution = None
        if job.solution_texts and found.moves is not None:
            solution = solution_text(job, deal, found)
        return {"deal": job.game.format_deal(deal) if job.deal_texts else None, "solution": solution}

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Shares won, work, moves and times, beside published ones."""
        from storage.dataset import read_rows

        job = self.job
        known = None if job.file is not None else job.game.published(job.options(), **job.sizes())
        rows = read_rows(ctx.run_dir, figure_columns(job.game))
        return figures(job.game, rows, known) | mean_intervals(measures(job.game, rows))


def _effort(name: str) -> list[pa.Field]:
    """The column in which a search counts its work."""
    if name == "states_count":
        return shared(name)
    unit = name.removesuffix("_count").replace("_", " ")
    return [column(name, "int64", unit, f"{unit.capitalize()} of the search.")]


def found_row(job: DealsJob, found: Found[Any]) -> dict[str, Any]:
    """The result of a search, by column. A search that hit a limit is undecided even if it has found a win, so that a
    further attempt takes it again."""
    return {
        "outcome": found.outcome if found.limit is None else "undecided",
        "elapsed_s": found.cpu_s,
        "limit": found.limit,
        job.game.effort: found.effort_count,
        "moves_count": found.moves_count,
        "fewest_count": found.fewest_count,
        **found.counts,
        "peak_bytes": found.peak_bytes,
    }


def solution_text(job: DealsJob, deal: Any, found: Found[Any]) -> str:
    """The solution that a search found, on one line."""
    assert found.moves is not None
    return job.game.join_moves(job.game.format_moves(deal, found.moves, job.options()), " ")


def batch(schema: pa.Schema, rows: list[dict[str, Any]]) -> pa.RecordBatch:
    """Rows as a sweep returns them: the engine's columns, outcome and time."""
    types = {name: schema.field(name).type for name in schema.names}
    types |= {"outcome": pa.string(), "elapsed_s": pa.float64()}
    return pa.record_batch(
        {name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()}
    )
