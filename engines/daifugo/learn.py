"""``job=daifugo_learn``: games of given players, and how often their hands of each class held each item (section
3.2.1)."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from engines.contract.job import Job, UnitContext
from engines.contract.result import Result
from engines.contract.sweep import Sweep
from engines.daifugo import he_table
from engines.daifugo.columns import shared
from engines.daifugo.core import learn
from engines.daifugo.he_table import CLASSES_COUNT, COUNT_COLUMNS, ITEMS, SEEN_MIN
from engines.daifugo.playing import PlayingJob
from engines.text.words import count_of
from storage.columns import column

ROW_BYTES = 30
"""Bytes of a class and block, for estimates."""


@dataclass
class DaifugoLearnJob(PlayingJob):
    """Fields of ``conf/job/daifugo_learn.yaml``."""

    def names(self) -> list[str]:
        """Players whose hands are counted, each once."""
        return list(dict.fromkeys(self.players))


class DaifugoLearn(Sweep):
    """An item is a block of games; its rows are one for each player and class. All counts may be added up."""

    version: ClassVar[int] = 3
    job_type: ClassVar[type[Job]] = DaifugoLearnJob
    worth_asking: ClassVar[str] = "player_name, sum(seen_count) AS seen"
    job: DaifugoLearnJob

    def columns(self) -> pa.Schema:
        """A row for each player and class."""
        return pa.schema(
            [
                *shared("player_name"),
                column(
                    "first_game", "uint64", "", "Number of the block's first game under its seed, from 0."
                ),
                column("games_count", "uint64", "games", "Games of the block."),
                *shared("class"),
                *he_table.count_columns(),
            ]
        )

    def export_columns(self) -> pa.Schema:
        """A table of HE."""
        return he_table.file_columns()

    def items_count(self) -> int:
        """Blocks."""
        return self.job.blocks_count()

    def item_s(self) -> float:
        """Mean seconds of a block."""
        return self.job.block_games() * self.job.game_s()

    def _block_rows_count(self) -> int:
        return len(self.job.names()) * CLASSES_COUNT

    def item_bytes(self) -> float:
        """A row for each player and class."""
        return self._block_rows_count() * ROW_BYTES

    def work_s(self) -> float:
        """The last block may be a short one."""
        return self.job.games * self.job.game_s()

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Play the blocks ``indices``."""
        played = []
        for block in indices:
            played.append(self._block(block))
            ctx.progress(1)
        return pa.Table.from_batches(played).combine_chunks().to_batches()[0]

    def _block(self, block: int) -> pa.RecordBatch:
        """The rows of a block: the players by name, each with its classes in order."""
        job, games = self.job, self.job.block(block)
        start_s = time.perf_counter()
        counts = learn(job.made_players(), games)
        rows_count = self._block_rows_count()
        elapsed_s = (time.perf_counter() - start_s) / rows_count
        seen, held = [], []
        for name in job.names():
            copies = [place for place, each in enumerate(job.players) if each == name]
            seen.append(counts.seen[copies].sum(axis=0))
            held.append(counts.held[copies].sum(axis=0))
        all_held = np.concatenate(held)
        columns: dict[str, Any] = {
            "index": pa.array(np.full(rows_count, block, np.uint64)),
            "outcome": pa.nulls(rows_count, pa.string()),
            "elapsed_s": pa.array(np.full(rows_count, elapsed_s)),
            "player_name": pa.array(np.repeat(job.names(), CLASSES_COUNT).tolist(), pa.string()),
            "first_game": pa.array(np.full(rows_count, games.first, np.uint64)),
            "games_count": pa.array(np.full(rows_count, games.count, np.uint64)),
            "class": pa.array(np.tile(np.arange(CLASSES_COUNT, dtype=np.uint16), len(job.names()))),
            "seen_count": pa.array(np.concatenate(seen)),
        }
        columns |= {f"{item}_count": pa.array(all_held[:, place]) for place, item in enumerate(ITEMS)}
        return pa.record_batch(columns)

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Games, hands, classes, and the mean probabilities of a group and of a sequence."""
        from storage.dataset import read_rows

        games = read_rows(ctx.run_dir, ["first_game", "games_count"]).group_by("first_game")
        table = he_table.sum_rows(str(ctx.run_dir), read_rows(ctx.run_dir, ["class", *COUNT_COLUMNS]))
        hands_count = int(table.seen.sum())
        return {
            "games_count": sum(games.aggregate([("games_count", "max")])["games_count_max"].to_pylist()),
            "hands_count": hands_count,
            "classes_count": int((table.seen > 0).sum()),
            "often_seen_classes_count": int((table.seen >= SEEN_MIN).sum()),
            "group_share": int(table.held[:, ITEMS.index("group")].sum()) / hands_count,
            "sequence_share": int(table.held[:, ITEMS.index("sequence")].sum()) / hands_count,
        }

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Games, hands and classes that were seen."""
        names = ("games_count", "hands_count", "classes_count", "often_seen_classes_count")
        told = {name: summary[name] for name in names}
        return Result(
            told,
            [
                f"{count_of(told['games_count'], 'game')}, {told['hands_count']:,} hands of {told['classes_count']} "
                f"classes, {told['often_seen_classes_count']} of them seen {SEEN_MIN} times or more"
            ],
        )

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        """A table of HE for each different name among the players."""
        written = []
        for name in self.job.names():
            written.append(out_dir / (re.sub(r"[^\w@.-]", "_", name) + ".parquet"))
            he_table.save(written[-1], he_table.load(ctx.run_dir, name))
        return written
