"""``job=daifugo_estimate``: worlds that generators make at positions of played games, beside the true hands.

The paper (section 4) explains HE's missing gain by a low rate of exact matches, but does not measure it. Here every
generator sees the same positions with the same dice, so that differences have small errors.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engines import _native
from engines.contract.job import Job, UnitContext
from engines.contract.options import option
from engines.contract.result import Result
from engines.contract.section import Section
from engines.contract.span import Span
from engines.contract.sweep import Sweep
from engines.daifugo import core, world_measures
from engines.daifugo.columns import shared
from engines.daifugo.core import Generator, Knowledge
from engines.daifugo.estimate_summary import COUNTS, estimate_result, summary_of
from engines.daifugo.numbers import set_of
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.player_times import PLAYOUT_S
from engines.daifugo.players import make_generator, resolve
from engines.daifugo.playing import PlayingJob
from engines.daifugo.replay import Record, replay
from engines.daifugo.rules import PLAYERS
from storage.columns import column
from storage.errors import UserError
from storage.place import Place

POSITION_S, ROW_S = 5e-3, 1e-3
"""Seconds of the referee for a position, and of the measures for a row, for estimates."""
ROW_BYTES = 80
POSITIONS_MAX, WORLDS_MAX, GENERATORS_MAX = 50, 100_000, 100
TURNS_MAX = 256
"""Positions are drawn from the first so many turns of a game; hardly any game has more."""
STREAMS, POSITIONS_STREAM = 16, 3
"""Of a game under the seed, and the one that positions are drawn by; those from 0 to 2 and from 8 on are the core's."""


@dataclass
class DaifugoEstimateJob(PlayingJob):
    """Fields of ``conf/job/daifugo_estimate.yaml``."""

    span: ClassVar[Span | None] = Span("games")

    generators: list[str] = field(default_factory=lambda: ["rand", "rand_d"])
    """Names of ``kinds`` whose generators are measured, each once; differences are to the first."""
    positions: int = option(
        4,
        "Of each game, at turns drawn among those at which two others or more have cards.",
        least=1,
        most=POSITIONS_MAX,
    )
    worlds: int = option(50, "Of each position and generator.", least=2, most=WORLDS_MAX)

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        if not 1 <= len(set(self.generators)) == len(self.generators) <= GENERATORS_MAX:
            raise UserError("job.generators", f"must be 1 to {GENERATORS_MAX} different names of kinds")
        super().check()

    def used_kinds(self) -> dict[str, PlayerOptions]:
        """Options of players and generators."""
        found = resolve(self.kinds, self.generators, "job.generators")
        for name, options in found.items():
            if options.kind != "mc":
                raise UserError("job.generators", f"{name}: {options.kind} makes no worlds")
        return super().used_kinds() | found

    def game_s(self) -> float:
        """Seconds of a game with its positions, about."""
        world_s = sum(PLAYOUT_S.get(self.kinds[name].generator, 1e-6) for name in self.generators)
        return super().game_s() + self.positions * (
            POSITION_S + len(self.generators) * ROW_S + self.worlds * world_s
        )


@dataclass(frozen=True)
class Sample:
    """A position of a game."""

    game: int
    number: int
    """Of its turn in the game, from 0."""
    seat: int
    player: str
    has_ranks: bool
    truth: npt.NDArray[np.uint64]
    """Hands by seat, sets of cards, shape (1, 5)."""
    known: Knowledge


class DaifugoEstimate(Sweep):
    """An item is a game; its rows are the pairs of a position and a generator."""

    version: ClassVar[int] = 3
    job_type: ClassVar[type[Job]] = DaifugoEstimateJob
    worth_asking: ClassVar[str] = "generator, sum(exact_worlds_count) / sum(worlds_count) AS exact"
    job: DaifugoEstimateJob

    def columns(self) -> pa.Schema:
        """A row for each position and generator; ``elapsed_s`` is the processor time of its worlds.

        All columns after ``generator`` are counts over the worlds, see ``world_measures``. Classes of cards are 3 to 7,
        8, 9 to Q, K to 2, and the joker.
        """
        counts = pa.list_(pa.uint32())
        return pa.schema(
            [
                *shared("game", "turn", "seat", "player_name"),
                column(
                    "has_ranks",
                    "bool",
                    "",
                    "Whether the game began with ranks, so that cards were exchanged.",
                ),
                column("cards_left_count", "uint8", "cards", "Cards in the hand of the player."),
                column("hidden_count", "uint8", "cards", "Cards in the hands of the others."),
                column("generator", "string", "", "What made the worlds, by name."),
                column("worlds_count", "uint64", "worlds", "Worlds that were made of the position."),
                column("exact_worlds_count", "uint64", "worlds", "Worlds in which every hand is right."),
                column("hands_counts", counts, "hands", "Hands of others, by their cards left, 0 to 11."),
                column("exact_hands_counts", counts, "hands", "Of hands_counts: hands that are right."),
                column(
                    "cards_counts",
                    counts,
                    "cards",
                    "Cards of others, by class and in it by cards left, 0 to 11.",
                ),
                column(
                    "placed_counts",
                    counts,
                    "cards",
                    "Of cards_counts: cards that were dealt to the right seat.",
                ),
                column("pairs_count", "uint64", "pairs", "Pairs of worlds, for each hidden card."),
                column(
                    "differing_count",
                    "uint64",
                    "pairs",
                    "Of pairs_count: pairs in which the card has different seats.",
                ),
            ]
        )

    def items_count(self) -> int:
        """Games."""
        return self.job.games

    def item_s(self) -> float:
        """Mean seconds of a game with its positions."""
        return self.job.game_s()

    def group_items_count(self) -> int:
        """Games begin with the ranks of those before them, back to where ranks are forgotten."""
        return self.job.rank_period

    def item_bytes(self) -> float:
        """A row for each position and generator."""
        return self.job.positions * len(self.job.generators) * ROW_BYTES

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the games of a block again, and make the worlds of their positions."""
        generators = {name: make_generator(self.job.kinds[name]) for name in self.job.generators}
        rows = []
        games = self.job.games_of(indices)
        played = core.play_games(self.job.made_players(), games, records=True)
        for game, record in enumerate(core.records_of(played, self.job.players), start=games.first):
            for sample in self._samples(game, record):
                rows += [self._row(sample, name, generator) for name, generator in generators.items()]
            ctx.progress(1)
        types = {"index": pa.uint64(), "outcome": pa.string(), "elapsed_s": pa.float64()}
        types |= {each.name: each.type for each in self.columns()}
        return pa.record_batch(
            {name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()}
        )

    def _samples(self, game: int, record: Record) -> Iterator[Sample]:
        """The positions of a game; RuntimeError when it breaks the rules."""
        found = replay(record)
        if found.problem is not None:
            raise RuntimeError(f"game {game} breaks the rules: {found.problem}")
        # With one other player left, all worlds are the true one.
        open_count = sum(len(position.finished) < PLAYERS - 2 for position in found.positions)
        for number in self._turns(game, open_count):
            hands = found.positions[number].hands
            seat = record.turns[number].seat
            assert record.players is not None
            yield Sample(
                game=game,
                number=number,
                seat=seat,
                player=record.players[seat],
                has_ranks=record.before is not None,
                truth=np.array([[set_of(hand) for hand in hands]], np.uint64),
                known=core.known_at(record, number),
            )

    def _turns(self, game: int, turns_count: int) -> list[int]:
        """Numbers of different turns among the first ones, ascending; of a game that has too few, some twice."""
        turns_count = min(turns_count, TURNS_MAX)
        order = _native.shuffled_deck(self.job.seed, STREAMS * game + POSITIONS_STREAM, turns_count).tolist()
        return sorted(order[place % turns_count] for place in range(self.job.positions))

    def _row(self, sample: Sample, name: str, generator: Generator) -> dict[str, Any]:
        seed = _world_seed(self.job.seed, sample.game, sample.number)
        # Once before timing, because the first generator of a position would pay for all.
        core.world_sets(sample.known, generator, seed, 1)
        start_s = time.thread_time()
        made = core.world_sets(sample.known, generator, seed, self.job.worlds)
        elapsed_s = time.thread_time() - start_s
        truth, own = sample.truth, np.array([sample.seat])
        made[:, sample.seat] = truth[0, sample.seat]
        worlds = made[None]
        world_measures.check_worlds(truth, worlds, own)
        exact_worlds = world_measures.exact_worlds(truth, worlds)
        hands = world_measures.exact_hands(truth, worlds, own)
        cards = world_measures.cards_placed(truth, worlds, own)
        differ = world_measures.diversity(truth, worlds, own)
        own_left, all_left = (int(np.bitwise_count(part).sum()) for part in (truth[0, sample.seat], truth))
        return {
            "index": sample.game,
            "outcome": None,
            "elapsed_s": elapsed_s,
            "game": sample.game,
            "turn": sample.number,
            "seat": sample.seat,
            "player_name": sample.player,
            "has_ranks": sample.has_ranks,
            "cards_left_count": own_left,
            "hidden_count": all_left - own_left,
            "generator": name,
            "worlds_count": exact_worlds.total.item(),
            "exact_worlds_count": exact_worlds.right.item(),
            "hands_counts": hands.total.tolist(),
            "exact_hands_counts": hands.right.tolist(),
            "cards_counts": cards.total.ravel().tolist(),
            "placed_counts": cards.right.ravel().tolist(),
            "pairs_count": differ.total.item(),
            "differing_count": differ.right.item(),
        }

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """For each generator the measures with 95% intervals, and their differences to those of the first."""
        from storage.dataset import read_rows

        rows = read_rows(ctx.run_dir, ["game", "generator", "elapsed_s", *COUNTS])
        return summary_of(rows, self.job.generators)

    def sections(self, run_dir: Place, is_told: bool) -> Iterable[Section]:
        """How often each generator is right."""
        from engines.daifugo.estimate_sections import estimate_sections

        return estimate_sections(run_dir)

    def result(self, summary: Mapping[str, Any]) -> Result:
        """How often each generator is right."""
        return estimate_result(summary)


def _world_seed(seed: int, game: int, number: int) -> int:
    """The dice of all generators at a position."""
    return int.from_bytes(hashlib.sha256(f"worlds {seed} {game} {number}".encode()).digest()[:8], "big")
