"""``job=tricks_table``: Left's point cards in every deal of up to n cards each, for every number of point cards.

A layer is the number of cards that each player has. Its groups are the hands, in the order of their numbers
(engines/native/src/tricks/pattern.rs), their values those with Left in the lead for each choice of point cards
(layer.rs). With Right in the lead: k less the value of the exchanged hands.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.contract.job import Estimate, Job, LayerPlan, UnitContext
from engines.contract.vocabulary import shared
from engines.tables.columns import indexed_figures
from engines.tables.indexed import Bytes, IndexedTable
from engines.tricks import rules
from engines.tricks.choices import choices
from engines.tricks.columns import shared as tricks_columns
from engines.tricks.deal import deal_of_pattern
from engines.tricks.job import TricksJob
from storage.columns import column

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import, and solving a deal does without it
    import pyarrow as pa


@dataclass
class TricksTableJob(TricksJob):
    """Fields of ``conf/job/tricks_table.yaml``; the table has all deals with fewer cards, too."""


class TricksTable(IndexedTable):
    """The table of trick taking."""

    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = TricksTableJob
    told_as: ClassVar[Mapping[str, str]] = {"points": "point_cards"}
    renamed: ClassVar[Mapping[str, str]] = {"point_cards": "points"}
    job: TricksTableJob

    def columns(self) -> pa.Schema:
        """Rules and figures; lists have an entry for each choice of point cards (``choices``)."""
        import pyarrow as pa

        counts = pa.list_(pa.int64())
        return pa.schema(
            [
                *shared("cards"),
                *tricks_columns("point_cards", "aim"),
                *indexed_figures(),
                column(
                    "leader_won_count",
                    counts,
                    "deals",
                    "Deals that the leader wins, by choice of point cards.",
                ),
                column("drawn_count", counts, "deals", "Deals that are drawn, by choice of point cards."),
                column(
                    "leader_points_sum",
                    counts,
                    "points",
                    "Point cards that the leader gets, by choice of them.",
                ),
            ]
        )

    def export_columns(self) -> pa.Schema:
        """A row a deal and choice of point cards."""
        from engines.tricks.export import SCHEMA

        return SCHEMA

    def layer_numbers(self) -> list[int]:
        """From one card each."""
        return list(range(1, self.job.cards + 1))

    def groups_count(self, layer: int) -> int:
        """Hands."""
        return math.comb(2 * layer, layer)

    def group_values(self, layer: int) -> int:
        """Choices of point cards."""
        return _native.tricks_stride(self.job.points, layer)

    def evaluate(self, layer: int, first: int, count: int, below: Any) -> Bytes:
        """By the core."""
        return _native.tricks_evaluate(self.job.points, self.job.aim, layer, first, count, below)

    def open_below(self, layer: int, block_groups_log2: int, blocks: list[Bytes]) -> _native.TricksLayer:
        """By the core."""
        return _native.TricksLayer(self.job.points, layer, block_groups_log2, blocks)

    def value_figures(self, layer: int, values: Bytes) -> dict[str, npt.NDArray[np.int64]]:
        """For each choice of point cards: hands that the leader wins and draws, and the leader's points in all."""
        by_choice = values.reshape(-1, self.group_values(layer))
        counts = np.array([count for _, count in choices(self.job.points, layer)], np.uint8)
        double = by_choice * np.uint8(2)
        won = double < counts if self.job.aim == "fewest" else double > counts
        return {
            "leader_won_count": won.sum(0, dtype=np.int64),
            "drawn_count": (double == counts).sum(0, dtype=np.int64),
            "leader_points_sum": by_choice.sum(0, dtype=np.int64),
        }

    def unit_work(self, kind: str, layer: LayerPlan) -> float:
        """Seconds."""
        return self._layer_s(layer.layer) / layer.shards_count

    def _layer_s(self, layer: int) -> float:
        """The work of a hand grows with the square of the cards."""
        return self.groups_count(layer) * SECONDS_A_HAND * layer**2 * self.rows_count(layer)

    def estimate(self) -> Estimate:
        """A value is a byte."""
        values = sum(self.groups_count(layer) * self.group_values(layer) for layer in self.layer_numbers())
        seconds = sum(map(self._layer_s, self.layer_numbers()))
        return Estimate(values, int(values * 1.03) + (1 << 14) * len(self.layers()), seconds)

    def rows_count(self, layer: int) -> int:
        """Places of the point cards that are worked out one after another."""
        return 2 * layer + 1 if self.job.points == "anywhere" else 1

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """The rules with the table's figures."""
        job = self.job
        return {"cards": job.cards, "points": job.points, "aim": job.aim} | super().summary(ctx)

    def verify(self, ctx: UnitContext, sample_count: int) -> list[str]:
        """Also has the referee, which shares no code with the core, play small deals."""
        return super().verify(ctx, sample_count) or self._referee(ctx)

    def _referee(self, ctx: UnitContext) -> list[str]:
        random = np.random.default_rng()
        problems = []
        for cards in self.layer_numbers()[:REFEREE_CARDS]:
            layer = self.open_layer(ctx.run_dir, cards)
            chosen = choices(self.job.points, cards)
            for number in random.choice(len(chosen), min(REFEREE_DEALS, len(chosen)), replace=False):
                above, count = chosen[number]
                values = layer.column(above, count)
                rank = int(random.integers(len(values)))
                pattern = int(_native.tricks_patterns(cards, rank, 1)[0])
                deal = deal_of_pattern(cards, pattern, above, count, self.job.aim)
                if rules.value(deal, left_leads=True) != values[rank]:
                    problems.append(
                        f"layer {cards}: {deal} has value {values[rank]}, the referee finds "
                        f"{rules.value(deal, left_leads=True)}"
                    )
        return problems

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        """One Parquet file for each layer and shard: hand, point cards, values with either leader."""
        from engines.tricks.export import export_table

        return export_table(self.job.points, self.layers(), ctx.run_dir, out_dir)


REFEREE_CARDS, REFEREE_DEALS = 6, 5
"""``verify`` has the referee play so many deals of each size up to this one."""

SECONDS_A_HAND = 1.45e-8
"""For each hand and pair of cards."""
