"""Shared by jobs that watch games of Daihinmin: the players and games, and the blocks that games are cut into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engines.contract.job import SEED_MAX, Job
from engines.contract.options import option
from engines.daifugo.core import Player, Range
from engines.daifugo.dealing import RANK_PERIOD, SEAT_PERIOD
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.player_times import game_s
from engines.daifugo.players import five_players, make_player, resolve
from engines.daifugo.rules import PLAYERS

GAMES_MAX = (1 << 40) - 1
BLOCK_S, BLOCK_GAMES = 20.0, 100_000
"""Seconds of a block, as far as whole periods of ranks allow, and the most games in it."""


@dataclass
class PlayingJob(Job):
    """Fields of these jobs."""

    players: list[str] = field(default_factory=lambda: ["rule"])
    """Names of ``kinds``: five, or one for five copies."""
    kinds: dict[str, PlayerOptions] = field(default_factory=dict)
    """Options by name; those that are not used are left out of the run."""
    games: int = option(10_000, "How many games.", least=1, most=GAMES_MAX)
    seed: int = option(1, "Game i of a seed has the same deal in every job.", most=SEED_MAX)
    seat_period: int = option(SEAT_PERIOD, "Games after which seats are drawn anew.", least=1, most=GAMES_MAX)
    rank_period: int = option(RANK_PERIOD, "Games after which ranks are forgotten.", least=1, most=GAMES_MAX)

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        if len(self.players) == 1:
            self.players = list(self.players) * PLAYERS
        five_players(self.players, "job.players")
        self.kinds = self.used_kinds()

    def used_kinds(self) -> dict[str, PlayerOptions]:
        """Options of all names of the job, checked."""
        return resolve(self.kinds, self.players, "job.players")

    def game_s(self) -> float:
        """Seconds of a game, with its evaluation, about."""
        return sum(game_s(self.kinds[name]) for name in self.players)

    def block_games(self) -> int:
        """Games of a block: whole periods of ranks."""
        periods = min(BLOCK_S / self.game_s(), BLOCK_GAMES) / self.rank_period
        return self.rank_period * max(1, int(periods))

    def blocks_count(self) -> int:
        """Blocks, the last of which may be shorter."""
        return -(-self.games // self.block_games())

    def block(self, number: int) -> Range:
        """The games of a block."""
        first = number * self.block_games()
        count = min(self.block_games(), self.games - first)
        return Range(self.seed, first, count, self.seat_period, self.rank_period)

    def games_of(self, indices: Sequence[int]) -> Range:
        """The games of these numbers; ValueError unless they follow one another."""
        if indices[-1] - indices[0] != len(indices) - 1:
            raise ValueError(
                f"items: {len(indices)} from {indices[0]} to {indices[-1]} are not games in a row"
            )
        return Range(self.seed, indices[0], len(indices), self.seat_period, self.rank_period)

    def made_players(self) -> list[Player]:
        """The five players of the core."""
        return [make_player(self.kinds[name], f"job.kinds.{name}") for name in self.players]
