"""``job=stackgame_play``: random games in which every card goes where the table says that it is best.

The share won estimates the start's probability in the table, which tests the table from the outside.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from engines.contract.job import SEED_MAX, Job, UnitContext
from engines.contract.options import option
from engines.contract.result import Result
from engines.contract.span import Span
from engines.contract.sweep import Sweep
from engines.stackgame.built import BuiltTable, find_table, open_table
from engines.stackgame.table import StackgameJob, StackgameTableJob
from storage.columns import column
from storage.place import Place

GAMES_A_CALL = 1_000
CARD_S = 6e-7
"""Seconds that a card of a game takes, for estimates."""


@dataclass
class StackgamePlayJob(StackgameJob):
    """Fields of ``conf/job/stackgame_play.yaml``; the inherited ones choose the table."""

    span: ClassVar[Span | None] = Span("games")

    games: int = option(1000, "How many games.", least=1)
    seed: int = option(1, "Game i of a seed draws the same pile in every job.", most=SEED_MAX)

    def table_job(self) -> StackgameTableJob:
        """The job of the table that the games use."""
        return StackgameTableJob(
            "stackgame_table",
            stacks=self.stacks,
            boards=self.boards,
            cards=self.cards,
            value_type=self.value_type,
        )

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        self.table_job().check()


class StackgamePlay(Sweep):
    """Random games of the stack game; game ``i`` of a seed draws the same pile however the run is cut."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = StackgamePlayJob
    job: StackgamePlayJob

    def columns(self) -> pa.Schema:
        """A row for each game."""
        return pa.schema(
            [
                column(
                    "placed_count", "uint8", "cards", "Cards put on a stack before the game was won or stuck."
                )
            ]
        )

    def items_count(self) -> int:
        """Games."""
        return self.job.games

    def item_s(self) -> float:
        """Of a game."""
        return self.job.boards * self.job.cards * CARD_S

    def item_bytes(self) -> float:
        """An outcome and a number."""
        return 1.0

    def result(self, summary: Mapping[str, Any]) -> Result:
        """The share won beside the probability that it estimates."""
        names = ("games_count", "won_count", "won_share", "won_share_se", "p_start")
        told = {name: summary[name] for name in names}
        share, error = told["won_share"], told["won_share_se"]
        off = (share - told["p_start"]) / error if error else 0.0
        return Result(
            told,
            [
                f"won {told['won_count']:,} of {told['games_count']:,} games: {share:.5f}, by the table "
                f"{told['p_start']:.5f} ({off:+.1f} standard errors)"
            ],
        )

    def needs(self) -> list[Job]:
        """The table that the games use."""
        return [self.job.table_job()]

    def prepare(self, ctx: UnitContext) -> None:
        """UserError unless the table is there, finished, with the summary that it was finished with."""
        find_table(ctx.tables_dir, self.job.table_job())

    @functools.lru_cache(maxsize=1)  # noqa: B019 (of all engines of a process one has its table open)
    def _table(self, tables_dir: Place) -> BuiltTable:
        return open_table(tables_dir, self.job.table_job())

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the games ``indices``."""
        table = self._table(ctx.tables_dir)
        won, placed, elapsed_s = [], [], []
        for begin in range(0, len(indices), GAMES_A_CALL):
            part = np.array(indices[begin : begin + GAMES_A_CALL], np.uint64)
            start_s = time.perf_counter()
            with table.naming_files():
                part_won, part_placed = table.game.play(table.readers, self.job.seed, part)
            won.append(part_won)
            placed.append(part_placed)
            elapsed_s += [(time.perf_counter() - start_s) / len(part)] * len(part)
            ctx.progress(len(part))
        outcome = np.where(np.concatenate(won), "won", "lost")
        return pa.record_batch(
            {
                "outcome": pa.array(outcome, pa.string()),
                "elapsed_s": pa.array(elapsed_s, pa.float64()),
                "placed_count": pa.array(np.concatenate(placed), pa.uint8()),
            }
        )

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Games, those won, their share with its standard error, and the table's value for the start."""
        from storage.dataset import read_rows

        outcomes = read_rows(ctx.run_dir, ["outcome"])["outcome"]
        won_count = sum(1 for outcome in outcomes.to_pylist() if outcome == "won")
        p_start = find_table(ctx.tables_dir, self.job.table_job()).summary()["p_start"]
        return {
            "stacks": self.job.stacks,
            "boards": self.job.boards,
            "cards": self.job.cards,
            "games_count": len(outcomes),
            "won_count": won_count,
            "won_share": won_count / len(outcomes),
            "won_share_se": math.sqrt(p_start * (1 - p_start) / len(outcomes)),
            "p_start": p_start,
        }
