"""``job=daifugo_uecda``: a tournament whose players may be programs of others.

Deals, seats and variants are those of ``daifugo_tournament``: a match has the same packs whoever plays, and seats are
drawn anew every few games. A program plays one match of each connection, so that a run goes on match by match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pyarrow as pa

from engines.contract.job import Job, UnitContext
from engines.contract.result import Result
from engines.daifugo.player_times import game_s
from engines.daifugo.rules import PLAYERS
from engines.daifugo.tournament import REPLAY_S, DaifugoTournament
from engines.daifugo.uecda.job import DaifugoUecdaJob
from engines.daifugo.uecda.meeting import FAULTS, Meeting, Played
from engines.daifugo.uecda.outside import OUTSIDE_COLUMNS, outside_lines, outside_summary
from storage.columns import column

OUTSIDE_S = 0.1
"""Of a program in a game, as far as nothing is known of it."""


class DaifugoUecda(DaifugoTournament):
    """An item is a game of a variant, its rows are the players: match by match, in it variant by variant."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = DaifugoUecdaJob
    job: DaifugoUecdaJob

    def columns(self) -> pa.Schema:
        """Those of a tournament, and what connections did. ``elapsed_s`` of one: how long it was waited for."""
        return pa.schema(
            [
                *super().columns(),
                column("client", "string", "", "What a connected player calls itself.", nullable=True),
                column(
                    "fault",
                    "string",
                    "",
                    "The first thing in the game that a connected player must not do: silence, half a table, garbage, "
                    "closed.",
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
        """Play the matches that ``indices`` are the items of; each with programs that are started for it."""
        size = self.job.match_games()
        pieces = self._pieces(indices)
        meetings = [pieces] if self.job.connections else [range(each, each + 1) for each in pieces]
        batches = [batch for some in meetings for batch in self._meet(some, size, ctx)]
        return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]

    def _meet(self, pieces: range, size: int, ctx: UnitContext) -> list[pa.RecordBatch]:
        """Matches of one variant with the same connections."""
        variants = self.job.line_ups()
        variant = pieces[0] % len(variants)
        numbers = [piece // len(variants) for piece in pieces]
        last = self._first_game(numbers[-1]) + size - 1
        batches = []
        with Meeting(self.job, variants[variant], last) as meeting:
            for piece, number in zip(pieces, numbers, strict=True):
                replayed, first = self._is_replayed(number), self._first_game(number)
                played = meeting.play(first, size, records=replayed)
                texts: list[str | None] = [None] * size
                if replayed:
                    texts = self._texts(played.games, number, variant)
                told = _told(meeting, played)
                batches.append(self._rows(played.games, piece * size, first, variant, texts, told))
                ctx.progress(size)
        return [_with_ends(batch, meeting, len(pieces) * size) for batch in batches]

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """That of a tournament, and of each line-up what its connections did."""
        from storage.dataset import read_rows

        found = super().summary(ctx)
        rows = read_rows(ctx.run_dir, OUTSIDE_COLUMNS)
        return found | {"outside": outside_summary(rows, self.job.line_ups())}

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
