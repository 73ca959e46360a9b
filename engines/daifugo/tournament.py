"""``job=daifugo_tournament``: five players, and variants with another one in a place, all with the same packs.

A game's pack is shuffled alike whoever plays. It is dealt from the previous first on. So hands are the same where
ranks are shared, or where the same player was first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from engines.contract.job import Job, UnitContext
from engines.contract.options import option
from engines.contract.result import Result
from engines.contract.span import Span
from engines.contract.sweep import UNITS_LEAST, Sweep
from engines.contract.written import Written
from engines.daifugo.columns import shared
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.player_times import game_s
from engines.daifugo.players import make_player, resolve
from engines.daifugo.playing import GAMES_MAX, PlayingJob
from engines.daifugo.rules import PLAYERS
from engines.daifugo.scores import COLUMNS, difference, read_matches, variant_summary
from engines.daifugo.tournament_result import tournament_result
from storage.columns import column
from storage.errors import UserError

if TYPE_CHECKING:
    from engines._native import DaifugoGames
    from engines.daifugo.replay import Record

SHARED_UNIT_S, SHARED_LEAST = 240.0, 3.0
"""Seconds of a unit where ranks are shared, and how many times the base of a match it must be at least: a unit that
begins within a match plays that base again."""
SHARED_WORK = 0.4
"""Share of the other players' work that remains in the games of a variant where ranks are shared."""
REPLAY_S = 0.0035
"""Seconds of the referee for a game, with its text."""
ROW_BYTES, RECORD_BYTES = 8, 350
"""Bytes of a row, and of a game's text, packed."""


class Ranks(StrEnum):
    """The ranks with which the games of a variant begin."""

    own = "own"
    """Those of its own previous game: whole matches, as in the contest."""
    shared = "shared"
    """Those of the same game of ``players``. So two games differ only by what a player does in this game. The other
    players repeat their plays, and their playouts are not counted, until they know something that they did not know
    there."""


@dataclass
class DaifugoTournamentJob(PlayingJob):
    """Fields of ``conf/job/daifugo_tournament.yaml``."""

    span: ClassVar[Span | None] = Span("games", "first", ("records", "replay_share"), ("variant", "game"))

    players: list[str] = field(default_factory=lambda: ["rule"] * 4 + ["mc"])
    """Names of ``kinds``; NAME@N is NAME with N playouts."""
    variants: list[str] = field(default_factory=list)
    """Players of further tournaments with the same deals, seats and dice, each in the place of one player."""
    place: str | None = None
    """The name in ``players`` that variants replace, which is there once; None: the last one."""
    ranks: Ranks = Ranks.own
    games: int = 300
    """Games of each variant: whole matches, or a part of one. A match is the ``rank_period`` games between resets."""
    first: int = option(
        0,
        "Number of the first game, the first of a match; game i of a seed is the same in every job.",
        most=GAMES_MAX,
    )
    records: bool = False
    """Write each game as text into a row."""
    replay_share: float = option(
        0.01,
        "Share of the matches that the referee replays where no records are written, the first one always.",
        most=1,
    )

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        if self.place is not None and self.players.count(self.place) != 1:
            raise UserError("job.place", f"{self.place!r} must be in job.players once")
        for name in ("games", "first"):
            value = getattr(self, name)
            if value % self.rank_period and not (name == "games" and value < self.rank_period):
                raise UserError(f"job.{name}", f"{value} games are no whole matches of {self.rank_period}")

    def used_kinds(self) -> dict[str, PlayerOptions]:
        """Options of players and variants."""
        return super().used_kinds() | resolve(self.kinds, self.variants, "job.variants")

    def match_games(self) -> int:
        """Games of a match that are played."""
        return min(self.games, self.rank_period)

    def place_index(self) -> int:
        """Where in ``players`` variants sit."""
        return PLAYERS - 1 if self.place is None else self.players.index(self.place)

    def line_ups(self) -> list[list[str]]:
        """The players of the job, then those of each variant."""
        place = self.place_index()
        return [self.players] + [
            [*self.players[:place], name, *self.players[place + 1 :]] for name in self.variants
        ]


class DaifugoTournament(Sweep):
    """An item is a game of a variant, its rows are the players: match by match, in it variant by variant."""

    version: ClassVar[int] = 4
    job_type: ClassVar[type[Job]] = DaifugoTournamentJob
    worth_asking: ClassVar[str] = "player_name, avg(points) AS points"
    told_as: ClassVar[Mapping[str, str]] = {"ranks": "starting_ranks", "place": "replaced_player"}
    job: DaifugoTournamentJob

    def columns(self) -> pa.Schema:
        """``outcome``: won for the player who is first; ``elapsed_s``: the player's processor time.

        ``record``: the game as ``yamafuda check daifugo`` reads it, at player 0, if asked for.
        """
        return pa.schema(
            [
                *shared("game", "match", "variant", "variant_name"),
                column("player", "uint8", "", "Place of the player in the job's list, from 0."),
                *shared("player_name", "seat"),
                column("rank", "uint8", "", "Rank of the player after the game: 0 for the first."),
                column("points", "uint8", "points", "Points of the player: 5 for the first, 1 for the last."),
                column("turns_count", "uint16", "turns", "Turns of the game."),
                column("playouts_count", "uint64", "playouts", "Playouts of the player in the game."),
                column("record", "string", "", "The game as text, at its first row.", nullable=True),
            ]
        )

    def written(self, row: Mapping[str, Any]) -> Written | None:
        """The game of a row that has its text."""
        from engines.daifugo.record import parted

        return Written(*parted(row["record"])) if row["record"] else None

    def export_columns(self) -> pa.Schema:
        """A row for each turn."""
        from engines.daifugo.turns import turns_schema

        return turns_schema()

    def items_count(self) -> int:
        """Games of all variants."""
        return self.job.games * len(self.job.line_ups())

    def item_s(self) -> float:
        """Mean seconds of a game over all variants."""
        return math.fsum(map(self._game_s, range(len(self.job.line_ups())))) / len(self.job.line_ups())

    def group_items_count(self) -> int:
        """Whole matches of a variant."""
        return self.job.match_games()

    def unit_items_count(self) -> int:
        """Where ranks are shared, enough matches of variants that it pays to play their base again."""
        whole = super().unit_items_count()
        if not self._shares():
            return whole
        variants, games = len(self.job.line_ups()), self.job.match_games()
        match_s, base_s = games * self.item_s(), games * self._game_s(0)
        least = math.ceil(SHARED_LEAST * base_s / match_s)
        matches = max(least, math.ceil(self.items_count() / games / UNITS_LEAST))
        matches = min(matches, max(1, round(SHARED_UNIT_S / match_s)))
        # Matches of all variants have no base to play again.
        every = variants * games
        return games * matches if matches < variants else every * max(1, round(whole / every))

    def _game_s(self, variant: int) -> float:
        """Seconds of a game of a variant, about."""
        job, place = self.job, self.job.place_index()
        shared = self._shares() and variant > 0
        players_s = math.fsum(
            game_s(job.kinds[name]) * (SHARED_WORK if shared and at != place else 1.0)
            for at, name in enumerate(job.line_ups()[variant])
        )
        return players_s + REPLAY_S * self._replay_share()

    def _shares(self) -> bool:
        return self.job.ranks == Ranks.shared

    def _replay_share(self) -> float:
        return 1.0 if self.job.records else self.job.replay_share

    def item_bytes(self) -> float:
        """A row for each player, and the game's text if it is asked for."""
        return PLAYERS * ROW_BYTES + RECORD_BYTES * self.job.records

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the matches that ``indices`` are the items of."""
        size = self.job.match_games()
        batches, base = [], None
        shares = self._shares()
        for piece in self._pieces(indices):
            number, variant = divmod(piece, len(self.job.line_ups()))
            if shares and not variant:
                base = None
            elif shares and base is None:
                base = self._play(number, 0, None, records=True)
            replayed = self._is_replayed(number)
            games = self._play(number, variant, base, records=replayed or (shares and not variant))
            if shares and not variant:
                base = games
            texts: list[str | None] = [None] * self.job.match_games()
            if replayed:
                texts = self._texts(games, self._first_game(number), variant)
            batches.append(self._rows(games, piece * size, self._first_game(number), variant, texts))
            ctx.progress(size)
        return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]

    def _pieces(self, indices: list[int]) -> range:
        """The matches of variants that items are; ValueError unless they are whole ones in a row."""
        size = self.job.match_games()
        if len(indices) % size or indices[0] % size or indices[-1] - indices[0] != len(indices) - 1:
            raise ValueError(f"items: {len(indices)} from {indices[0]} on are no whole matches of {size}")
        return range(indices[0] // size, indices[-1] // size + 1)

    def _first_game(self, number: int) -> int:
        return self.job.first + number * self.job.rank_period

    def _is_replayed(self, number: int) -> bool:
        share = self._replay_share()
        return math.ceil(number * share) < math.ceil((number + 1) * share)

    def _play(self, number: int, variant: int, base: DaifugoGames | None, records: bool) -> DaifugoGames:
        """Match ``number`` of the job as one variant plays it, with its own ranks or beside the games of the base."""
        from engines.daifugo.core import Range, play_games

        job = self.job
        first, count = self._first_game(number), job.match_games()
        return play_games(
            [make_player(job.kinds[name]) for name in job.line_ups()[variant]],
            Range(job.seed, first, count, job.seat_period, job.rank_period),
            records=records,
            base=base,
            changed=job.place_index(),
        )

    def _texts(self, games: DaifugoGames, first: int, variant: int) -> list[str | None]:
        """Games from ``first`` on, which the referee replays, as texts; without texts if they are not asked for."""
        from engines.daifugo.core import records_of

        texts: list[str | None] = []
        records = records_of(games, self.job.line_ups()[variant])
        for game, record in enumerate(records, start=first):
            text = _checked_text(record, game)
            texts.append(text if self.job.records else None)
        return texts

    def _rows(
        self,
        games: DaifugoGames,
        index: int,
        first: int,
        variant: int,
        texts: list[str | None],
        further: Mapping[str, Any] = MappingProxyType({}),
    ) -> pa.RecordBatch:
        """``further``: cells of columns that are not a tournament's, by game and player."""
        line_up, count = self.job.line_ups()[variant], len(texts)
        number = np.arange(first, first + count, dtype=np.uint64).repeat(PLAYERS)
        ranks = games.ranks.ravel()
        schema = self.columns()
        cells: dict[str, Any] = {
            "index": np.arange(index, index + count, dtype=np.uint64).repeat(PLAYERS),
            "outcome": np.where(ranks == 0, "won", "lost"),
            "elapsed_s": games.elapsed_s.ravel(),
            "game": number,
            "match": number // self.job.rank_period,
            "variant": np.full(len(number), variant),
            "variant_name": [line_up[self.job.place_index()]] * len(number),
            "player": np.tile(np.arange(PLAYERS), count),
            "player_name": line_up * count,
            "seat": games.seats.ravel(),
            "rank": ranks,
            "points": PLAYERS - ranks,
            "turns_count": games.turns_count.ravel(),
            "playouts_count": games.playouts_count.ravel(),
            "record": [text if player == 0 else None for text in texts for player in range(PLAYERS)],
            **further,
        }
        types = {name: schema.field(name).type for name in schema.names}
        types |= {"index": pa.uint64(), "outcome": pa.string(), "elapsed_s": pa.float64()}
        return pa.record_batch({name: pa.array(cells[name], kind) for name, kind in types.items()})

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """See ``summary_of``."""
        from storage.dataset import read_rows

        return summary_of(self.job, read_rows(ctx.run_dir, COLUMNS))

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Points of the players of the job, and the difference of each variant."""
        return tournament_result(summary)

    def can_export(self) -> bool:
        """Games are written down where the job says so."""
        return self.job.records

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        """Games that were written down, by variant: a row a turn, and texts for ``yamafuda check daifugo``."""
        from engines.daifugo.turns import export_games

        if not self.can_export():
            raise UserError(
                self.job.name, "nothing to export: data/ is Parquet already; job.records=true keeps games"
            )
        return export_games(ctx.run_dir, len(self.job.line_ups()), out_dir)


def summary_of(job: DaifugoTournamentJob, rows: pa.Table) -> dict[str, Any]:
    """Points of the players of the job and of each variant, and paired differences (``scores``).

    ``rows``: ``COLUMNS`` in the order of ``index``, whole matches of all variants.
    """
    line_ups, match_games, place = job.line_ups(), job.match_games(), job.place_index()
    played = read_matches(rows, len(line_ups), match_games)
    found: list[dict[str, Any]] = []
    for variant, (line_up, each) in enumerate(zip(line_ups, played, strict=True)):
        head = {"variant": variant, "name": line_up[place], "players": line_up}
        found.append(head | variant_summary(each, match_games))
    differences = []
    for variant, each in enumerate(played[1:], start=1):
        told = difference(each, played[0], place, match_games, job.ranks == Ranks.shared)
        if told is not None:
            head = {"variant": variant, "name": line_ups[variant][place], "of": line_ups[0][place]}
            differences.append(head | told)
    whole = {key: value for key, value in found[0].items() if key not in ("variant", "name")}
    return whole | {"place_index": place, "variants": found, "differences": differences}


def _checked_text(record: Record, game: int) -> str:
    """A game as text, after the referee replayed it; a game that breaks the rules is an error of the core."""
    from engines.daifugo.record import format_record
    from engines.daifugo.replay import replay

    problem = replay(record).problem
    if problem is not None:
        raise RuntimeError(f"game {game} breaks the rules: {problem}")
    return format_record(record)
