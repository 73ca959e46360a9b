"""``job=daifugo_policy``: games by a learnt policy in which the plays of choices are tried; a better policy by that."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from engines import _native
from engines.contract.job import SEED_MAX, Job, UnitContext
from engines.contract.options import option
from engines.contract.result import Result
from engines.contract.sweep import Sweep
from engines.daifugo import policy
from engines.daifugo.player_files import read_weights
from engines.daifugo.policy_trials import columns, improve, rows_of, trials_of
from engines.text.words import count_of
from storage.errors import UserError

BLOCK_GAMES = 500
GAME_TRIALS_S, NETWORK_GAME_TRIALS_S = 0.0006, 0.0023
"""Processor time of a game in which all choices are tried once, and by a policy with a network."""
GAME_CHOICES = 42
"""Of a game."""
TRIED_MIN = 30
"""Choices of a block that are tried on average, at least: a block with none cannot be written."""
ROW_BYTES = 60
JUDGE_BLOCKS = 20
"""One block of so many is not learnt from, but judges; the last one where there are fewer."""


@dataclass
class DaifugoPolicyJob(Job):
    """Fields of ``conf/job/daifugo_policy.yaml``."""

    weights: str | None = option(
        None,
        "File of the policy that plays, which all nodes must find there; null: every play is as likely.",
        least=None,
        none="every play as likely",
    )
    weights_sha256: str | None = None
    network: bool = option(
        True, "Whether the policy has a network that judges plays besides; a fresh one where it had none."
    )
    passes: bool = option(True, "Whether the policy may pass where a play is legal.")
    games: int = option(12_000, "How many games.", least=2 * BLOCK_GAMES, most=(1 << 40) - 1)
    seed: int = option(1, "Seed of the games; each generation takes another one.", most=SEED_MAX)
    every: int = option(
        3, "One turn in so many is tried.", least=1, most=BLOCK_GAMES * GAME_CHOICES // TRIED_MIN
    )
    playouts: int = option(4, "Playouts for each play that is tried.", least=1, most=1_000_000)
    temperature: float = option(
        0.03,
        "Points that the policy may give up for one nat of entropy, to be less predictable.",
        least=0,
        most=10,
    )

    def check(self) -> None:
        """UserError naming the field that is out of range, or whose file is none or has changed."""
        super().check()
        last = self.games % BLOCK_GAMES
        if 0 < last * GAME_CHOICES < TRIED_MIN * self.every:
            raise UserError(
                "job.every",
                f"one turn in {self.every} may be none of the last {count_of(last, 'game')}; less, or job.games: a "
                f"multiple of {BLOCK_GAMES}",
            )
        if self.weights is None:
            return
        self.weights = str(Path(self.weights).resolve())
        if policy.has_network(self.read()) and not self.network:
            raise UserError("job.network", f"cannot be false: {self.weights} has a network")
        found = hashlib.sha256(self.read().astype("<f4").tobytes()).hexdigest()
        if self.weights_sha256 not in (None, found):
            raise UserError("job.weights", f"{self.weights} is not the file that the run began with")
        self.weights_sha256 = found

    def read(self) -> policy.Weights:
        """Of the policy that plays."""
        if self.weights is None:
            return np.zeros(sum(size for _, size in _native.daifugo_policy_groups()), np.float32)
        return read_weights(self.weights)

    def pupil(self) -> policy.Weights:
        """What is improved: the policy that plays, with a fresh network where it shall have one."""
        return policy.with_network(self.read(), self.seed) if self.network else self.read()


class DaifugoPolicy(Sweep):
    """An item is a block of games; its rows are its choices whose plays were tried, in order."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = DaifugoPolicyJob
    worth_asking: ClassVar[str] = "count(*) AS choices, avg(list_max(plays_points)) AS best_points"
    job: DaifugoPolicyJob

    def columns(self) -> pa.Schema:
        """A row a choice."""
        return columns()

    def items_count(self) -> int:
        """Blocks."""
        return -(-self.job.games // BLOCK_GAMES)

    def _game_s(self) -> float:
        network = policy.has_network(self.job.read())
        game_s = NETWORK_GAME_TRIALS_S if network else GAME_TRIALS_S
        return game_s * self.job.playouts / self.job.every

    def item_s(self) -> float:
        """Of a block."""
        return BLOCK_GAMES * self._game_s()

    def item_bytes(self) -> float:
        """A row for each choice that is tried."""
        return BLOCK_GAMES * GAME_CHOICES * ROW_BYTES / self.job.every

    def work_s(self) -> float:
        """The last block may be a short one."""
        return self.job.games * self._game_s()

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the blocks ``indices``."""
        weights, played = self.job.read(), []
        for block in indices:
            played.append(self._block(block, weights))
            ctx.progress(1)
        return pa.Table.from_batches(played).combine_chunks().to_batches()[0]

    def _block(self, block: int, weights: policy.Weights) -> pa.RecordBatch:
        job, start_s = self.job, time.perf_counter()
        first = block * BLOCK_GAMES
        count = min(BLOCK_GAMES, job.games - first)
        trials = _native.daifugo_policy_trials(
            weights,
            job.passes,
            seed=job.seed,
            first=first,
            count=count,
            every=job.every,
            playouts=job.playouts,
        )
        rows_count = len(trials)
        elapsed_s = (time.perf_counter() - start_s) / max(rows_count, 1)
        shared = {
            "index": pa.array(np.full(rows_count, block, np.uint64)),
            "outcome": pa.nulls(rows_count, pa.string()),
            "elapsed_s": pa.array(np.full(rows_count, elapsed_s)),
        }
        return pa.record_batch(shared | rows_of(trials))

    def _trials(self, ctx: UnitContext) -> tuple[_native.DaifugoTrials, _native.DaifugoTrials]:
        """What is learnt from, and what judges."""
        from storage.dataset import read_rows

        rows = read_rows(ctx.run_dir, ["index", *columns().names])
        judges = rows["index"].to_numpy() % JUDGE_BLOCKS == min(JUDGE_BLOCKS, self.items_count()) - 1
        return trials_of(rows.filter(pa.array(~judges))), trials_of(rows.filter(pa.array(judges)))

    def _learn(self, ctx: UnitContext) -> tuple[policy.Weights, dict[str, Any]]:
        passes, before = self.job.passes, self.job.read()
        taught, others = self._trials(ctx)
        weights = improve(self.job.pupil(), passes, taught, self.job.temperature)
        judged = {
            "choices_count": len(taught),
            "judging_choices_count": len(others),
            "even_points": others.worth(np.zeros(policy.groups_size(), np.float32), passes),
            "points_before": others.worth(before, passes),
            "points": others.worth(weights, passes),
        }
        return weights, judged

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Choices, and what those of other games are worth: to one who plays anything, before, and after."""
        return self._learn(ctx)[1]

    def result(self, summary: Mapping[str, Any]) -> Result:
        """What choices are worth."""
        names = ("choices_count", "even_points", "points_before", "points")
        told = {name: summary[name] for name in names}
        text = (
            f"{count_of(told['choices_count'], 'choice')}; others are worth {told['points']:.4f} points, "
            f"{told['points_before']:.4f} before, {told['even_points']:.4f} if plays are as likely"
        )
        return Result(told, [text])

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        """The weights of the better policy."""
        weights, judged = self._learn(ctx)
        job = self.job
        source = {
            "job": job.name, "run": ctx.run_id, "version": self.version, "network": job.network,
            "passes": job.passes, "games": job.games,
            "seed": job.seed, "every": job.every, "playouts": job.playouts, "temperature": job.temperature,
            "weights_sha256": job.weights_sha256,
        }  # fmt: skip
        earlier = [] if job.weights is None else policy.sources(Path(job.weights))
        path = out_dir / "policy.json"
        policy.save(path, weights, [*earlier, source], judged)
        return [path]
