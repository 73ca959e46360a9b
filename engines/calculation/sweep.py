"""``job=calculation_sweep``: games of Calculation over the decks of a seed; runs of one seed have the same decks."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from engines.calculation.core import CorePlayer, random_deck, table_job
from engines.calculation.figures import COLUMNS, figures, measures
from engines.calculation.player import Options, Played
from engines.calculation.record import format_moves
from engines.calculation.text import format_deck
from engines.contract.columns import option_columns
from engines.contract.job import SEED_MAX, Job, UnitContext
from engines.contract.options import chosen, option
from engines.contract.result import Result
from engines.contract.span import Span
from engines.contract.sweep import Sweep
from engines.contract.vocabulary import shared
from engines.contract.written import Written
from engines.solitaire.job import DEALS_MAX, INDEX_MAX
from engines.solitaire.sweep import batch
from engines.stackgame.built import BuiltTable, find_table, open_table
from engines.statistics.measures import mean_intervals
from engines.statistics.wins import wins_result
from storage.columns import column
from storage.place import Place

DEALS_A_CALL = 20
"""Games of the core between two reports of progress."""
DEAL_S_LEAST = 0.002
"""Seconds of any game, for its row and the referee's replay."""
ROW_BYTES, TEXT_BYTES = 60, 150
"""Bytes of a game's row, without its moves and for them, for estimates."""


@dataclass
class CalculationSweepJob(Options, Job):
    """Fields of ``conf/job/calculation_sweep.yaml``."""

    span: ClassVar[Span | None] = Span("deals", "first", ("solution_texts",), ("deal_index",))

    deals: int = option(1000, "How many deals.", least=1, most=DEALS_MAX)
    first: int = option(
        0, "Index of the first deal; deal i of a seed is the same in every job.", most=INDEX_MAX
    )
    seed: int = option(1, "Runs of the same seed have the same decks.", most=SEED_MAX)
    solution_texts: bool = False
    """Write the moves of each game into its row, won or lost."""

    def options(self) -> Options:
        """The options as players take them."""
        return chosen(Options, vars(self))

    def deal_s(self) -> float:
        """Mean seconds of a game, about, for estimates and units."""
        draws = 4 * self.ranks
        size = (self.stacks / 3) ** 4 * (draws / 52) ** 2
        chosen_s = 0.15 * (self.keep / 200) * (draws * 1.5) ** self.look_ahead
        return DEAL_S_LEAST + size * (chosen_s + 0.25 * math.sqrt(self.playouts) * (draws / 52))


class CalculationSweep(Sweep):
    """Independent games; game ``i`` of a seed has the same deck however the run is cut."""

    version: ClassVar[int] = 6
    job_type: ClassVar[type[Job]] = CalculationSweepJob
    renamed: ClassVar[Mapping[str, str]] = {"deal_index": "deck_index", "deal": "deck", "solution": "moves"}
    job: CalculationSweepJob

    def columns(self) -> pa.Schema:
        """A row a game."""
        return pa.schema(
            [
                *option_columns(Options),
                *shared("deal_index"),
                column("left_count", "uint8", "cards", "Cards that are on no foundation at the end."),
                column(
                    "draws_count",
                    "uint8",
                    "draws",
                    "Draws after which every card could have a stack.",
                ),
                column(
                    "evaluations_count",
                    "int64",
                    "positions",
                    "Positions with an assignment that were valued.",
                ),
                column(
                    "lookups_count",
                    "int64",
                    "states",
                    "Different states that were looked up in the table.",
                ),
                column(
                    "missing_count",
                    "int64",
                    "states",
                    "Of lookups_count: states that the table does not have.",
                ),
                *shared("deal", "solution"),
            ]
        )

    def items_count(self) -> int:
        """Games."""
        return self.job.deals

    def item_s(self) -> float:
        """Of a game."""
        return self.job.deal_s()

    def item_bytes(self) -> float:
        """Also of its moves, if they are asked for."""
        return ROW_BYTES + self.job.solution_texts * TEXT_BYTES

    def written(self, row: Mapping[str, Any]) -> Written:
        """The deck, and the player's moves if they were written."""
        deck = row["deal"] or format_deck(random_deck(self.job.seed, row["deal_index"], self.job.ranks))
        return Written(deck, row["solution"] or "", {"stacks": self.job.stacks})

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Games won and lost."""
        return wins_result(summary, "games")

    def needs(self) -> list[Job]:
        """The table that the player uses."""
        return [table_job(self.job.ranks, self.job.stacks)]

    def prepare(self, ctx: UnitContext) -> None:
        """UserError unless the table is there, finished."""
        find_table(ctx.tables_dir, table_job(self.job.ranks, self.job.stacks))

    @functools.lru_cache(maxsize=1)  # noqa: B019 (of all engines of a process one has its table open)
    def _table(self, tables_dir: Place) -> BuiltTable:
        return open_table(tables_dir, table_job(self.job.ranks, self.job.stacks))

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the decks ``job.first + index``."""
        player, rows = CorePlayer(self.job.options(), self._table(ctx.tables_dir)), []
        for begin in range(0, len(indices), DEALS_A_CALL):
            numbers = [self.job.first + index for index in indices[begin : begin + DEALS_A_CALL]]
            decks = [random_deck(self.job.seed, number, self.job.ranks) for number in numbers]
            for number, deck, played in zip(numbers, decks, player.play(decks), strict=True):
                rows.append(self._row(number, deck, played))
            ctx.progress(len(numbers))
        return batch(self.columns(), rows)

    def _row(self, number: int, deck: tuple[int, ...], played: Played) -> dict[str, Any]:
        job = self.job
        return {
            "outcome": played.outcome,
            "elapsed_s": played.elapsed_s,
            **{
                name: str(value) if isinstance(value, str) else value
                for name, value in vars(job.options()).items()
            },
            "deal_index": number,
            "left_count": played.left_count,
            "draws_count": played.draws_count,
            "evaluations_count": played.evaluations_count,
            "lookups_count": played.lookups_count,
            "missing_count": played.missing_count,
            "deal": format_deck(deck),
            "solution": format_moves(deck, played.moves) if job.solution_texts else None,
        }

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Deals, those that were won, their share with its interval, how fast and how complete the look-ups were."""
        from storage.dataset import read_rows

        rows = read_rows(ctx.run_dir, COLUMNS)
        return figures(rows) | mean_intervals(measures(rows))
