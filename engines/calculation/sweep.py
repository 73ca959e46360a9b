"""``job=calculation_sweep``: games of Calculation over the decks of a seed; runs of one seed have the same decks."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from engines.calculation.core import CorePlayer, random_deck, table_job
from engines.calculation.estimate import Edges
from engines.calculation.figures import COLUMNS, figures
from engines.calculation.options import player_options
from engines.calculation.player import Alike, Misfits, Options, Played, PositionValue, Recast, Ties
from engines.calculation.record import format_moves
from engines.calculation.text import format_deck
from engines.contract.job import Estimate, Job, UnitContext
from engines.contract.sweep import Sweep
from engines.stackgame.built import BuiltTable, find_table, open_table
from storage.errors import UserError

UNIT_S = 30
"""Work of a unit, about."""
GAMES_A_UNIT = 2000
"""At most."""
GAMES_A_CALL = 20
"""Of the core, between two reports of progress."""
ROW_BYTES, MOVES_BYTES = 60, 150
"""Of a game's row, without and for its moves, for estimates."""


@dataclass
class CalculationSweepJob(Job):
    """Fields of ``conf/job/calculation_sweep.yaml``; those of the player are explained there and in ``Options``."""

    seed: int = 1
    first: int = 0
    """Index of the first deck; deck i of a seed is the same in every job."""
    games: int = 1000
    ranks: int = 13
    stacks: int = 3
    keep: int = 200
    look_ahead: int = 0
    value: PositionValue = PositionValue.norm
    exponent: float = 2.0
    alike: Alike = Alike.once
    recast: Recast = Recast.drawn
    edges: Edges = Edges.own
    exact_cards: int = 12
    ties: Ties = Ties.foundation
    misfits: Misfits = Misfits.exchange
    eager: bool = False
    moves: bool = False
    """Write the moves of each game into its row."""

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        if not 1 <= self.games < 1 << 40:
            raise UserError("job.games", f"{self.games} is not in 1..2**40-1")
        if not 0 <= self.first < 1 << 63:
            raise UserError("job.first", f"{self.first} is not in 0..2**63-1")
        if not 0 <= self.seed < 1 << 64:
            raise UserError("job.seed", f"{self.seed} is not in 0..2**64-1")
        self.options()

    def options(self) -> Options:
        """As players take them."""
        return player_options(
            ranks=self.ranks,
            stacks=self.stacks,
            keep=self.keep,
            look_ahead=self.look_ahead,
            value=self.value,
            exponent=self.exponent,
            alike=self.alike,
            recast=self.recast,
            edges=self.edges,
            exact_cards=self.exact_cards,
            ties=self.ties,
            misfits=self.misfits,
            eager=self.eager,
            prefix="job.",
        )

    def game_s(self) -> float:
        """Seconds a game in the mean, about, for estimates and units."""
        draws = 4 * self.ranks
        return (
            0.15
            * (self.keep / 200)
            * (self.stacks / 3)
            * (draws / 52) ** 2
            * (draws * 1.5) ** self.look_ahead
        )


class CalculationSweep(Sweep):
    """Independent games; game ``i`` of a seed has the same deck however the run is cut."""

    version: ClassVar[int] = 3
    job_type: ClassVar[type[Job]] = CalculationSweepJob
    job: CalculationSweepJob

    def columns(self) -> pa.Schema:
        """A row a game. ``draws_count``: draws after which some assignment had a stack for every card.

        ``lookups_count`` and ``missing_count`` are those of states that games before it in the unit have not met.
        """
        return pa.schema(
            [
                pa.field("ranks", pa.uint8(), nullable=False),
                pa.field("stacks", pa.uint8(), nullable=False),
                pa.field("keep", pa.int32(), nullable=False),
                pa.field("look_ahead", pa.uint8(), nullable=False),
                pa.field("value", pa.string(), nullable=False),
                pa.field("exponent", pa.float64(), nullable=False),
                pa.field("alike", pa.string(), nullable=False),
                pa.field("recast", pa.string(), nullable=False),
                pa.field("edges", pa.string(), nullable=False),
                pa.field("exact_cards", pa.uint8(), nullable=False),
                pa.field("ties", pa.string(), nullable=False),
                pa.field("misfits", pa.string(), nullable=False),
                pa.field("eager", pa.bool_(), nullable=False),
                pa.field("deck_index", pa.uint64(), nullable=False),
                pa.field("left_count", pa.uint8(), nullable=False),
                pa.field("draws_count", pa.uint8(), nullable=False),
                pa.field("evaluations_count", pa.int64(), nullable=False),
                pa.field("lookups_count", pa.int64(), nullable=False),
                pa.field("missing_count", pa.int64(), nullable=False),
                pa.field("deck", pa.string(), nullable=False),
                pa.field("moves", pa.string()),
            ]
        )

    def items_count(self) -> int:
        """Games."""
        return self.job.games

    def unit_items_count(self) -> int:
        """Games a unit."""
        return max(1, min(GAMES_A_UNIT, round(UNIT_S / self.job.game_s())))

    def estimate(self) -> Estimate:
        """Rough: a game takes longer where more assignments stay open."""
        count = self.job.games
        row_bytes = ROW_BYTES + self.job.moves * MOVES_BYTES
        return Estimate(count, count * row_bytes + 100_000, count * self.job.game_s())

    def needs(self) -> list[Job]:
        """The table that is played by."""
        return [table_job(self.job.ranks, self.job.stacks)]

    def prepare(self, ctx: UnitContext) -> None:
        """UserError unless the table is there, finished."""
        find_table(ctx.tables_dir, table_job(self.job.ranks, self.job.stacks))

    @functools.cache  # noqa: B019 (engines live as long as their process)
    def _table(self, tables_dir: Path) -> BuiltTable:
        return open_table(tables_dir, table_job(self.job.ranks, self.job.stacks))

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the decks ``job.first + index``."""
        # What a player has looked up is not looked up again: a new one, so that a unit's counts are always the same.
        player, rows = CorePlayer(self.job.options(), self._table(ctx.tables_dir)), []
        for begin in range(0, len(indices), GAMES_A_CALL):
            numbers = [self.job.first + index for index in indices[begin : begin + GAMES_A_CALL]]
            decks = [random_deck(self.job.seed, number, self.job.ranks) for number in numbers]
            for number, deck, played in zip(numbers, decks, player.play(decks), strict=True):
                rows.append(self._row(number, deck, played))
            ctx.progress(len(numbers))
        schema = self.columns()
        types = {name: schema.field(name).type for name in schema.names}
        types |= {"outcome": pa.string(), "elapsed_s": pa.float64()}
        return pa.record_batch(
            {name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()}
        )

    def _row(self, number: int, deck: tuple[int, ...], played: Played) -> dict[str, Any]:
        job = self.job
        return {
            "outcome": played.outcome,
            "elapsed_s": played.elapsed_s,
            "ranks": job.ranks,
            "stacks": job.stacks,
            "keep": job.keep,
            "look_ahead": job.look_ahead,
            "value": str(job.value),
            "exponent": job.exponent,
            "alike": str(job.alike),
            "recast": str(job.recast),
            "edges": str(job.edges),
            "exact_cards": job.exact_cards,
            "ties": str(job.ties),
            "misfits": str(job.misfits),
            "eager": job.eager,
            "deck_index": number,
            "left_count": played.left_count,
            "draws_count": played.draws_count,
            "evaluations_count": played.evaluations_count,
            "lookups_count": played.lookups_count,
            "missing_count": played.missing_count,
            "deck": format_deck(deck),
            "moves": format_moves(deck, played.moves) if job.moves else None,
        }

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Games, wins, their rate with its 95% interval, and how fast and how complete the look-ups were."""
        from storage.dataset import read_rows

        return figures(read_rows(ctx.run_dir, COLUMNS))
