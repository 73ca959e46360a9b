"""``job=superpuzz_redeals``: deals played as Gaps is, with redeals of the cards that are out of place.

**The player** sees all cards, but not what a redeal will bring. It looks for a win; where it finds none within the
states that it looks at (``search_states``) it goes to the position with the most cards in their places that it finds,
and asks for a redeal. A deal is lost when no redeal is left. A better player may judge positions differently, so this
player's share of won deals is a lower bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pyarrow as pa

from engines.contract.columns import option_columns
from engines.contract.job import Job, UnitContext
from engines.contract.options import option
from engines.contract.result import Result
from engines.contract.vocabulary import shared
from engines.solitaire.found import Best, Found
from engines.solitaire.job import DealsJob
from engines.solitaire.player import PLAYED, check_deals, search_states
from engines.solitaire.sweep import DealsSweep, batch
from engines.statistics.intervals import won_shares
from engines.superpuzz import rules
from engines.superpuzz.core import Mode, best, search
from engines.superpuzz.deal import Deal
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.options import Options
from engines.superpuzz.redeal import INDEX_MAX, REDEALS_MAX, redeal
from engines.superpuzz.rules import COLUMNS_MAX, COLUMNS_MIN, Move
from storage.columns import column

STATES_A_S, SHUFFLE_SHARE = 700_000, 0.4
"""With 13 columns: states a second, as if each first round used all its states; rounds after a shuffle, as a share."""


@dataclass
class SuperpuzzRedealsJob(Options, DealsJob):
    """Fields of ``conf/job/superpuzz_redeals.yaml``."""

    game: ClassVar[Superpuzz] = Superpuzz()

    columns: int = option(
        COLUMNS_MAX, "Columns.", least=COLUMNS_MIN, most=COLUMNS_MAX, column="uint8", unit="columns"
    )
    shuffles: int = option(
        2,
        "How often cards out of place are shuffled and dealt again.",
        most=REDEALS_MAX,
        column="uint8",
        unit="shuffles",
    )
    search_states: int = search_states(100_000)

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        check_deals(self, INDEX_MAX, "redeals are shuffled")

    def deal_s(self) -> float:
        """Mean time of the searches of all rounds: three deals in five are won at once."""
        rounds = 1 + SHUFFLE_SHARE * self.shuffles
        return (self.columns / COLUMNS_MAX) ** 4 * rounds * self.search_states / STATES_A_S


@dataclass
class Played:
    """How a deal went."""

    outcome: str = "lost"
    """``undecided`` if a search hits a limit of the job, not only ``search_states``."""
    limit: str | None = None
    shuffles_count: int = 0
    in_place_count: int = 0
    """Cards in their places at the end."""
    played_count: int = 0
    elapsed_s: float = 0.0
    states_count: int = 0
    peak_bytes: int = 0

    def count(self, found: Found[Move] | Best[Move]) -> None:
        """Add one more search, and the moves that it found."""
        self.elapsed_s += found.cpu_s
        self.states_count += found.effort_count
        self.peak_bytes = max(self.peak_bytes, found.peak_bytes)
        self.played_count += len(found.moves or ())
        if found.limit not in (None, "states"):
            self.limit = found.limit


def play(deal: Deal, job: SuperpuzzRedealsJob, index: int) -> Played:
    """Play deal ``index`` of the job's seed."""
    assert job.seed is not None
    bounds = replace(job.limits.bounds(), states_count=job.search_states)
    played = Played()
    for number in range(job.shuffles + 1):
        found = search(deal, Mode.decide, bounds)
        played.count(found)
        if found.moves is not None:
            played.in_place_count = rules.SUITS * (job.columns - 1)
            played.outcome = "won"
            break
        reached = best(deal, bounds)
        played.count(reached)
        played.in_place_count = reached.count
        if played.limit is not None:
            played.outcome = "undecided"
            break
        if number < job.shuffles:
            end = Deal(rules.replay(deal.position, reached.moves), deal.kings, deal.aces_out)
            deal = redeal(end, job.seed, index, number)
            played.shuffles_count += 1
    return played


class SuperpuzzRedeals(DealsSweep):
    """A row for each deal; ``won`` and ``lost`` are the player's results."""

    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = SuperpuzzRedealsJob
    job: SuperpuzzRedealsJob

    def columns(self) -> pa.Schema:
        """Sizes and rules, and how the game went."""
        return pa.schema(
            [
                *option_columns(type(self.job)),
                *shared("deal_index", "limit", "states_count", "peak_bytes"),
                column("played_count", "int32", "moves", PLAYED),
                column("shuffles_count", "uint8", "shuffles", "Shuffles that the game took."),
                column("in_place_count", "uint8", "cards", "Cards in their places at the end."),
            ]
        )

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the deals ``job.first + index``."""
        told = self.job.told()
        rows = []
        for index in indices:
            deal_index = self.job.first + index
            played = play(self.job.deal(deal_index), self.job, deal_index)
            rows.append(told | vars(played) | {"deal_index": deal_index})
            ctx.progress(1)
        return batch(self.columns(), rows)

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Share won, and by how many shuffles: ``won_with_shuffles_counts``."""
        from storage.dataset import read_rows

        rows = read_rows(ctx.run_dir, ["outcome", "shuffles_count"])
        outcomes = rows["outcome"].to_pylist()
        won = [row["shuffles_count"] for row in rows.to_pylist() if row["outcome"] == "won"]
        found: dict[str, Any] = won_shares(len(won), outcomes.count("lost"), len(rows))
        counts = {str(number): won.count(number) for number in range(self.job.shuffles + 1)}
        return found | {"won_with_shuffles_counts": counts}

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Also the number of shuffles with which deals were won."""
        found = super().result(summary)
        counts = summary["won_with_shuffles_counts"]
        words = "won with shuffles " + ", ".join(f"{number}: {count:,}" for number, count in counts.items())
        return Result(found.figures | {"won_with_shuffles_counts": counts}, [*found.lines, words])
