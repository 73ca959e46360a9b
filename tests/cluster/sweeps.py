"""A sweep in a Ray cluster of this machine, watched from outside, and the same sweep done by the serial runner."""

from __future__ import annotations

import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

from ray_nodes import Nodes
from runs import PROGRAM, TOYS, Job, check_same, run_below, run_serially, summary_of, wait_until

END_S = 120.0


class Sweep:
    """A driver at work on units of ``unit_s`` seconds. Both runs are begun at once."""

    def __init__(self, nodes: Nodes, folder: Path, *words: str, unit_s: float = 0.5) -> None:
        job = Job(
            ("job=toy_sweep", "job.unit_items=1", f"job.sleep_s={unit_s}", "job.seed=7", *words),
            0,
            "content_digest",
        )
        self._results, self._told, self._job = folder / "results", folder / "told", job
        cluster = ("cluster=address", f"cluster.address={nodes.address}")
        paths = (f"paths.results={self._results}", "--config-dir", str(TOYS / "conf"))
        with self._told.open("w") as told:
            self._process = subprocess.Popen(
                [*PROGRAM, "run", *job.words, *cluster, *paths],
                stdout=told,
                stderr=told,
                cwd=folder,
                env=os.environ | {"RAY_AUTH_MODE": "disabled"},
            )
        self._pool = ThreadPoolExecutor(1)
        self._serial = self._pool.submit(run_serially, job, folder / "serial")
        self._begin_s = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._pool.shutdown()
        if error is not None:
            print(self.said)

    @property
    def said(self) -> str:
        """What the driver has said so far."""
        return self._told.read_text()

    @property
    def elapsed_s(self) -> float:
        """Since the beginning."""
        return time.monotonic() - self._begin_s

    def reach(self, what: int | str) -> float:
        """Wait until so many units are done, or something was said; the seconds that it took."""

        def is_reached() -> bool:
            if isinstance(what, str) and what in self.said:
                return True
            assert self._process.poll() is None, self.said
            return isinstance(what, int) and sum(1 for _ in self._results.rglob("part-*.parquet")) >= what

        return wait_until(is_reached, str(what), END_S)

    def end(self) -> float:
        """Wait for the end of a run without failures; seconds since the beginning."""
        assert self._process.wait(END_S) == 0, self.said
        return self.elapsed_s

    def check(self) -> int:
        """Hold what came out against the serial runner's; the units that were begun twice."""
        run = run_below(self._results)
        check_same(run, self._serial.result(), self._job.digest)
        twice: int = summary_of(run)["units_computed_twice_count"]
        return twice
