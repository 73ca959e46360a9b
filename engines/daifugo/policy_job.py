"""``job=daifugo_policy``: games by a learnt policy in which the plays of choices are tried; a better policy by that."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engines import _native
from engines.contract.job import SEED_MAX, Job, UnitContext
from engines.contract.options import option
from engines.contract.result import Result
from engines.contract.sweep import Sweep
from engines.daifugo import policy
from engines.daifugo.player_files import read_weights
from engines.daifugo.policy_trials import Trials, improve, worth
from engines.text.words import count_of
from storage.columns import column
from storage.errors import UserError

BLOCK_GAMES = 500
GAME_TRIALS_S = 0.0006
"""Processor time of a game in which all choices are tried once."""
GAME_ROWS = 75
"""Plays of all choices of a game."""
ROW_BYTES = 12
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
    passes: bool = option(True, "Whether the policy may pass where a play is legal.")
    games: int = option(12_000, "How many.", least=2 * BLOCK_GAMES, most=(1 << 40) - 1)
    seed: int = option(1, "Of the games; that of another generation is another one.", most=SEED_MAX)
    every: int = option(3, "One turn in so many is tried.", least=1, most=1_000_000)
    playouts: int = option(4, "For each play that is tried.", least=1, most=1_000_000)
    temperature: float = option(
        0.03, "Points that a policy gives up for being less predictable, a nat.", least=0, most=10
    )

    def check(self) -> None:
        """UserError naming the field that is out of range, or whose file is none or has changed."""
        super().check()
        if self.weights is None:
            return
        self.weights = str(Path(self.weights).resolve())
        found = hashlib.sha256(self.read().astype("<f4").tobytes()).hexdigest()
        if self.weights_sha256 not in (None, found):
            raise UserError("job.weights", f"{self.weights} is not the file that the run began with")
        self.weights_sha256 = found

    def read(self) -> policy.Weights:
        """Of the policy that plays."""
        if self.weights is None:
            return np.zeros(sum(size for _, size in _native.daifugo_policy_groups()), np.float32)
        return read_weights(self.weights)


class DaifugoPolicy(Sweep):
    """An item is a block of games; its rows are the plays of its choices that were tried, in order."""

    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = DaifugoPolicyJob
    worth_asking: ClassVar[str] = "count(DISTINCT (index, choice)) AS choices, avg(mean_points) AS points"
    job: DaifugoPolicyJob

    def columns(self) -> pa.Schema:
        """A row a play."""
        groups = [
            column(
                f"{name}_feature",
                "uint16",
                "",
                f"The play's place in the group {name} of the policy's weights.",
            )
            for name, _ in _native.daifugo_policy_groups()
        ]
        choice = column("choice", "uint32", "", "Number of the choice in its block, from 0.")
        points = column(
            "mean_points", "float32", "points", "Mean points of the playouts that begin with the play."
        )
        return pa.schema([choice, *groups, points])

    def items_count(self) -> int:
        """Blocks."""
        return -(-self.job.games // BLOCK_GAMES)

    def _game_s(self) -> float:
        return GAME_TRIALS_S * self.job.playouts / self.job.every

    def item_s(self) -> float:
        """Of a block."""
        return BLOCK_GAMES * self._game_s()

    def item_bytes(self) -> float:
        """A row for each play of the choices that are tried."""
        return BLOCK_GAMES * GAME_ROWS * ROW_BYTES / self.job.every

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
        features, points, ends = _native.daifugo_policy_trials(
            weights,
            job.passes,
            seed=job.seed,
            first=first,
            count=count,
            every=job.every,
            playouts=job.playouts,
        )
        rows_count = len(features)
        plays_counts = np.diff(ends.astype(np.int64), prepend=np.int64(0)).astype(np.int64)
        starts = group_starts()
        columns: dict[str, Any] = {
            "index": pa.array(np.full(rows_count, block, np.uint64)),
            "outcome": pa.nulls(rows_count, pa.string()),
            "elapsed_s": pa.array(np.full(rows_count, (time.perf_counter() - start_s) / max(rows_count, 1))),
            "choice": pa.array(np.repeat(np.arange(len(ends), dtype=np.uint32), plays_counts)),
        }
        for place, (name, _) in enumerate(_native.daifugo_policy_groups()):
            columns[f"{name}_feature"] = pa.array((features[:, place] - starts[place]).astype(np.uint16))
        return pa.record_batch(columns | {"mean_points": pa.array(points)})

    def _trials(self, ctx: UnitContext) -> tuple[Trials, Trials]:
        """What is learnt from, and what judges."""
        from storage.dataset import read_rows

        names = [f"{name}_feature" for name, _ in _native.daifugo_policy_groups()]
        rows = read_rows(ctx.run_dir, ["index", "choice", "mean_points", *names])
        blocks, choices = rows["index"].to_numpy(), rows["choice"].to_numpy()
        features = np.stack([rows[name].to_numpy() for name in names], axis=1) + group_starts()
        judges = blocks % JUDGE_BLOCKS == min(JUDGE_BLOCKS, self.items_count()) - 1
        parts = []
        for wanted in (~judges, judges):
            changes = np.flatnonzero(
                (np.diff(blocks[wanted]) != 0) | (np.diff(choices[wanted].astype(np.int64)) != 0)
            )
            ends = np.append(changes + 1, int(wanted.sum()))
            points = rows["mean_points"].to_numpy()[wanted].astype(np.float64)
            parts.append(Trials(features[wanted].astype(np.uint16), ends.astype(np.int64), points))
        return parts[0], parts[1]

    def _learn(self, ctx: UnitContext) -> tuple[policy.Weights, dict[str, Any]]:
        before = self.job.read()
        taught, others = self._trials(ctx)
        weights = improve(before, taught, self.job.temperature)
        judged = {
            "choices_count": len(taught.ends),
            "judging_choices_count": len(others.ends),
            "even_points": worth(np.zeros(len(weights)), others),
            "points_before": worth(before.astype(np.float64), others),
            "points": worth(weights.astype(np.float64), others),
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
            "job": job.name, "run": ctx.run_id, "version": self.version, "passes": job.passes, "games": job.games,
            "seed": job.seed, "every": job.every, "playouts": job.playouts, "temperature": job.temperature,
            "weights_sha256": job.weights_sha256,
        }  # fmt: skip
        earlier = [] if job.weights is None else policy.sources(Path(job.weights))
        path = out_dir / "policy.json"
        policy.save(path, weights, [*earlier, source], judged)
        return [path]


def group_starts() -> npt.NDArray[np.uint16]:
    """Where each group's weights begin."""
    return np.cumsum([0, *(size for _, size in _native.daifugo_policy_groups())])[:-1].astype(np.uint16)
