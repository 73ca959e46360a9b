"""``job=daifugo_uecda``: a tournament whose players may be programs of others.

Deals, seats and variants are those of ``daifugo_tournament``: a match has the same packs whoever plays, and seats are
drawn anew every few games. A program plays one match of each connection, so that a run goes on match by match; players
who come by themselves stay for all games, and a run goes on game by game (``kept``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, ClassVar

import pyarrow as pa

from engines.contract.job import Job, UnitContext
from engines.contract.result import Result
from engines.daifugo.player_times import game_s
from engines.daifugo.rules import PLAYERS
from engines.daifugo.tournament import REPLAY_S, DaifugoTournament
from engines.daifugo.uecda.job import DaifugoUecdaJob
from engines.daifugo.uecda.kept import KEEP_S, Kept
from engines.daifugo.uecda.meeting import FAULTS, Meeting, Played
from engines.daifugo.uecda.outside import OUTSIDE_COLUMNS, outside_lines, outside_summary, turns_a_game
from storage.columns import column

OUTSIDE_S = 0.1
"""Seconds of a program in a game, for estimates."""


class DaifugoUecda(DaifugoTournament):
    """An item is a game of a variant, its rows are the players: match by match, in it variant by variant."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = DaifugoUecdaJob
    job: DaifugoUecdaJob

    def columns(self) -> pa.Schema:
        """Columns of a tournament, and those of connections. ``elapsed_s`` of a connection: how long the server
        waited for it."""
        return pa.schema(
            [
                *super().columns(),
                column("client", "string", "", "What a connected player calls itself.", nullable=True),
                column(
                    "fault",
                    "string",
                    "",
                    "The first fault of a connected player in the game: silence, half a table, garbage, closed.",
                    nullable=True,
                ),
                column(
                    "refused_count",
                    "uint32",
                    "plays",
                    "Plays and gifts of a connected player that are illegal.",
                ),
                column(
                    "exit_status",
                    "int16",
                    "",
                    "How the player's program ended: its status, or minus a signal; null if it had to be stopped.",
                    nullable=True,
                ),
                column(
                    "program_s",
                    "float64",
                    "s",
                    "Processor time of the player's program a game, the mean of its connection.",
                    nullable=True,
                ),
            ]
        )

    def group_items_count(self) -> int:
        """Whole matches of a variant; all where players stay for all games."""
        return self.job.games if self.job.connections else self.job.match_games()

    def _game_s(self, variant: int) -> float:
        """Seconds of a game of a variant, about."""
        kinds = self.job.kinds
        players_s = sum(
            game_s(kinds[name]) if name in kinds else OUTSIDE_S for name in self.job.line_ups()[variant]
        )
        return players_s + REPLAY_S * self._replay_share()

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the matches that ``indices`` are the items of."""
        pieces = self._pieces(indices)
        batches = self._stay(ctx) if self.job.connections else [self._meet(piece, ctx) for piece in pieces]
        return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]

    def _meet(self, piece: int, ctx: UnitContext) -> pa.RecordBatch:
        """A match of a variant, with programs that are started for it."""
        variants, size = self.job.line_ups(), self.job.match_games()
        number, variant = divmod(piece, len(variants))
        first = self._first_game(number)
        with Meeting(self.job, variants[variant], first + size - 1) as meeting:
            batch = self._games(meeting, piece * size, first, size, variant)
            ctx.progress(size)
        return _with_ends(batch, meeting, size)

    def _stay(self, ctx: UnitContext) -> list[pa.RecordBatch]:
        """All games, of players who stay for them; those that were over when a run was stopped are not played again."""
        first, games, size = self.job.first, self.job.games, self.job.match_games()
        kept = Kept(ctx.layout.kept)
        done = kept.games_count
        ctx.progress(done)
        if done == games:
            return kept.batches
        before, count = len(kept.batches), 1
        with Meeting(self.job, self.job.players, first + games - 1) as meeting:
            try:
                while kept.games_count < games:
                    index, begin_s = kept.games_count, time.monotonic()
                    count = min(count, size - index % size)
                    kept.add(self._games(meeting, index, first + index, count, 0, kept.ranks()))
                    ctx.progress(count)
                    # What a stop loses is the game that is played, or what took this long.
                    taken_s = time.monotonic() - begin_s
                    count = max(1, min(2 * count, int(count * KEEP_S / taken_s)))
            finally:
                kept.write()
        played = [_with_ends(batch, meeting, games - done) for batch in kept.batches[before:]]
        return [*kept.batches[:before], *played]

    def _games(
        self,
        meeting: Meeting,
        index: int,
        first: int,
        count: int,
        variant: int,
        ranks: list[int] | None = None,
    ) -> pa.RecordBatch:
        """Rows of the games from ``first`` on, of one match, whose items begin with ``index``."""
        replayed = self._is_replayed((first - self.job.first) // self.job.rank_period)
        played = meeting.play(first, count, replayed, ranks)
        texts: list[str | None] = [None] * count
        if replayed:
            texts = self._texts(played.games, first, variant)
        return self._rows(played.games, index, first, variant, texts, _told(meeting, played))

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """That of a tournament, and of each line-up what its connections did."""
        from storage.dataset import read_rows

        found = super().summary(ctx)
        rows, line_ups = read_rows(ctx.run_dir, OUTSIDE_COLUMNS), self.job.line_ups()
        return found | {
            "outside": outside_summary(rows, line_ups),
            "player_turns_a_game": turns_a_game(rows, len(line_ups)),
        }

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Points, differences, and faults by name."""
        found = super().result(summary)
        lines = [*found.lines, *outside_lines(summary["outside"])]
        return Result({**found.figures, "outside": summary["outside"]}, lines)


def _told(meeting: Meeting, played: Played) -> dict[str, Any]:
    """The further columns, by game and player; how programs end is not known yet."""
    count = len(played.faults)
    return {
        "client": meeting.names * count,
        "fault": [FAULTS[fault] for fault in played.faults.ravel().tolist()],
        "refused_count": played.refused_counts.ravel(),
        "exit_status": [None] * (count * PLAYERS),
        "program_s": [None] * (count * PLAYERS),
    }


def _with_ends(batch: pa.RecordBatch, meeting: Meeting, games_count: int) -> pa.RecordBatch:
    """Rows with how the programs of a meeting ended, and their time a game."""
    programs = [meeting.programs.get(player) for player in range(PLAYERS)]
    statuses = [None if each is None else each.exit_status for each in programs]
    times = [
        None if each is None or each.processor_s is None else each.processor_s / games_count
        for each in programs
    ]
    for name, values in (("exit_status", statuses), ("program_s", times)):
        at = batch.schema.get_field_index(name)
        cells = pa.array(values * (len(batch) // PLAYERS), batch.schema.field(at).type)
        batch = batch.set_column(at, batch.schema.field(at), cells)
    return batch
