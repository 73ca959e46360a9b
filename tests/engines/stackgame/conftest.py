"""Tables built through the pipeline, once for all tests that ask for the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from run_helpers import finished_run, summary

from engines.contract.registry import job_from_mapping
from engines.stackgame.table import StackgameTable
from engines.tables.keyed_files import Keys, Values, decode
from pipeline.runners.base import Runner
from storage.layout import RunLayout
from storage.shardfile import open_shard


@dataclass(frozen=True)
class Run:
    """A finished run."""

    folder: Path
    summary: dict[str, Any]

    @property
    def root(self) -> Path:
        """Where it was built; the tables folder of commands."""
        return self.folder.parent.parent

    @property
    def table(self) -> StackgameTable:
        """The engine of the run's job."""
        return StackgameTable(job_from_mapping("stackgame_table", self.summary["job"]))

    def layers(self) -> Iterator[tuple[int, Keys, Values]]:
        """Layer, keys and values (as stored, in float64) from the shard files, the start first."""
        for layer in self.table.layers():
            keys, values = [], []
            for shard in range(layer.shards_count):
                path = RunLayout(self.folder).shard(layer.layer, shard)
                with open_shard(path) as opened:
                    for _, block in opened.blocks():
                        some, theirs = decode(path, block)
                        assert theirs is not None
                        keys.append(some)
                        values.append(theirs)
            yield layer.layer, np.concatenate(keys), np.concatenate(values)


class Builder:
    """Runs jobs below a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._runs: dict[tuple[str, tuple[str, ...]], Run] = {}

    def __call__(self, *words: str, root: str = "shared", runner: Runner | None = None) -> Run:
        """The run of ``yamafuda run WORDS`` with its files in the folder ``root``."""
        known = self._runs.get((root, words))
        if known is None:
            folder = finished_run(*words, f"paths.results={self.root / root}", runner=runner)
            known = Run(folder, summary(folder))
            self._runs[root, words] = known
        return known

    def table(self, stacks: int, boards: int, cards: int, *words: str, **where: Any) -> Run:
        """The run of a table."""
        numbers = [f"job.stacks={stacks}", f"job.boards={boards}", f"job.cards={cards}"]
        return self("job=stackgame_table", *numbers, *words, **where)


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Builder]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
            patch.delenv(name, raising=False)
        yield Builder(tmp_path_factory.mktemp("tables"))
