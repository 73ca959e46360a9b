"""``job=klondike_blind``: deals played by a player who sees only open cards (``blind``)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from engines.contract.columns import option_columns
from engines.contract.job import Job, UnitContext
from engines.contract.options import option
from engines.contract.result import Result, percent
from engines.contract.section import Section
from engines.contract.vocabulary import shared
from engines.klondike.blind import STREAMS, Patience, Player
from engines.klondike.core import Mode, search
from engines.klondike.job import KlondikeJob
from engines.klondike.paper import BLIND
from engines.klondike.rules import Kind, RedealRule
from engines.solitaire.player import PLAYED, check_deals, search_states
from engines.solitaire.sweep import DealsSweep, batch
from engines.statistics.intervals import won_shares
from storage.columns import column
from storage.place import Place

CHOICES, PLANS = 50, 3
"""In a game, about: number of choices, and of possible moves in each."""
STATES_A_S = 1_000_000
SEARCH_S = 0.0005
"""Seconds of a short search, with the referee's moves."""
INDEX_MAX = (1 << 63) // STREAMS - 1


@dataclass
class KlondikeBlindJob(KlondikeJob):
    """Fields of ``conf/job/klondike_blind.yaml``; the defaults are the usual rules."""

    redeal_rule: RedealRule = RedealRule.standard
    foundation_back: bool = True
    deals: int | None = 200
    samples: int = option(
        16,
        "Deals that fit what is seen, drawn for each choice of the player.",
        least=1,
        most=1000,
        column="int32",
        unit="deals",
    )
    search_states: int = search_states(1000)

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        check_deals(self, INDEX_MAX, "the player takes deals")

    def deal_s(self) -> float:
        """Mean time of the player's searches."""
        searches = CHOICES * PLANS * self.samples
        return searches * (SEARCH_S + 0.2 * self.search_states / STATES_A_S)


class KlondikeBlind(DealsSweep):
    """A row for each deal: ``won`` and ``lost`` are the player's results.

    ``known_outcome`` is the outcome with all cards known, within the job's limits: an upper bound, deal by deal.
    """

    version: ClassVar[int] = 3
    job_type: ClassVar[type[Job]] = KlondikeBlindJob
    job: KlondikeBlindJob

    def columns(self) -> pa.Schema:
        """Rules, limits of the player, and how the game went."""
        return pa.schema(
            [
                *option_columns(type(self.job)),
                *shared("deal_index", "states_count", "peak_bytes"),
                column("played_count", "int32", "moves", PLAYED),
                column("known_outcome", "string", "", "Outcome with all cards known, within the limits."),
                column("searches_count", "int64", "searches", "Searches of deals that fit."),
            ]
        )

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the deals ``job.first + index``."""
        job, options, bounds = self.job, self.job.options(), self.job.limits.bounds()
        assert job.seed is not None
        patience, told = Patience(job.samples, job.search_states), job.told()
        rows = []
        for index in indices:
            begin_s = time.thread_time()
            deal_index = job.first + index
            deal = job.deal(deal_index)
            known = search(deal, options, Mode.decide, bounds)
            game = Player(deal, options, patience, job.seed, deal_index).play()
            rows.append(
                told
                | {
                    "outcome": "won" if game.won else "lost",
                    "elapsed_s": time.thread_time() - begin_s,
                    "deal_index": deal_index,
                    "states_count": game.states_count,
                    "played_count": sum(move.kind != Kind.REDEAL for move in game.moves),
                    "peak_bytes": max(game.peak_bytes, known.peak_bytes),
                    "known_outcome": known.outcome,
                    "searches_count": game.searches_count,
                }
            )
            ctx.progress(1)
        return batch(self.columns(), rows)

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Share won; how many can be won with all cards known (``known_won_count``); the published share."""
        from storage.dataset import read_rows

        rows = read_rows(ctx.run_dir, ["outcome", "known_outcome"]).to_pylist()
        won_count = sum(row["outcome"] == "won" for row in rows)
        found: dict[str, Any] = won_shares(won_count, len(rows) - won_count, len(rows))
        found["known_won_count"] = sum(row["known_outcome"] == "won" for row in rows)
        source, least = BLIND
        return found | {"published_source": source, "published_won_share_least": least}

    def sections(self, run_dir: Place, is_told: bool) -> Iterable[Section]:
        """Wins by what is known, then the sections of all sweeps."""
        from engines.klondike.blind_sections import blind_sections

        return [*blind_sections(run_dir), *super().sections(run_dir, is_told)]

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Also the result with all cards known, and the published share."""
        found = super().result(summary)
        known, deals = summary["known_won_count"], summary["deals_count"]
        words = [
            f"with all cards known {known:,} of {deals:,} can be won: {percent(known / deals)} %",
            f"published: at least {percent(summary['published_won_share_least'])} % ({summary['published_source']})",
        ]
        return Result(found.figures | {"known_won_count": known}, [*found.lines, *words])
