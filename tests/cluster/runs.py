"""Runs on hosts: begun, watched from outside, and held against what the serial runner makes of the same job."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hosts import RAY_PORT, REPOSITORY, Host, kill

from pipeline.memory import descendants

TOYS = REPOSITORY / "tests" / "pipeline"
PROGRAM = [sys.executable, str(TOYS / "toy_cli.py")]
UNIT = "ray::execute"
"""What Ray calls a process that is at work on a unit."""
END_S = 600.0


@dataclass(frozen=True)
class Job:
    """A job with units of about a second."""

    words: tuple[str, ...]
    units_count: int
    digest: str
    """The figure of summary.json that two runs must have in common."""

    @property
    def name(self) -> str:
        """Of its file, with its size."""
        return f"{self.words[0].removeprefix('job=')}-{self.units_count}"


SWEEP = Job(("job=toy_sweep", "job.items=60", "job.unit_items=2", "job.sleep_s=0.5"), 30, "content_digest")
LONG = Job(("job=toy_sweep", "job.items=200", "job.unit_items=1", "job.sleep_s=1.0"), 200, "content_digest")
TABLE = Job(("job=stackgame_table", "job.stacks=3", "job.cards=10"), 121, "files_digest")


class Driver:
    """A driver at work on a host."""

    def __init__(
        self, host: Host, head: Host, job: Job, *words: str, results: str, program: Sequence[str]
    ) -> None:
        cluster = ("cluster=address", f"cluster.address={head.address}:{RAY_PORT}")
        paths = (f"paths.results={results}", "paths.scratch=/tmp/scratch")
        given = ("run", *job.words, *cluster, *paths, *words, "--config-dir", str(TOYS / "conf"))
        self.log = host.log("driver")
        self._before = len(self.log.read_text()) if self.log.exists() else 0
        self.begin_s = time.monotonic()
        self._process = host.popen(*program, *given, log="driver")

    @property
    def is_at_work(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def kill(self) -> None:
        """SIGKILL, to it alone."""
        for pid in descendants(self._process.pid)[1:2]:
            kill(pid)
        self._process.wait(END_S)

    def end(self, patience_s: float = END_S) -> int:
        """Wait for its end; its exit status."""
        try:
            return self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"no end in {patience_s} s: {self.said()}") from None

    @property
    def elapsed_s(self) -> float:
        """Since it was begun."""
        return time.monotonic() - self.begin_s

    def said(self) -> str:
        """Its output so far."""
        return self.log.read_text()[self._before :]


def wait_until(happened: Callable[[], Any], what: str, patience_s: float = END_S) -> float:
    """Seconds that passed until it happened."""
    begin_s = time.monotonic()
    while not happened():
        assert time.monotonic() - begin_s < patience_s, f"not in {patience_s} s: {what}"
        time.sleep(0.05)
    return time.monotonic() - begin_s


def run_below(root: Path) -> Path:
    """The only run below a root."""
    (plan,) = root.rglob("plan.json")
    return plan.parent


def results_of(run: Path) -> set[str]:
    """Names of all files of a run that make its results."""
    kept = [*run.glob("*.json"), *(run / "data").rglob("*"), *(run / "shards").rglob("*")]
    return {str(path.relative_to(run)) for path in kept}


def leftovers_of(run: Path) -> list[str]:
    """Files that a finished run must not have."""
    found = [path for name in ("staging", "work", "failed") for path in (run / name).rglob("*")]
    found += [*run.rglob("*.tmp"), *run.rglob("*.progress"), *run.glob("progress.json"), *run.glob("cancel")]
    return [str(path.relative_to(run)) for path in found]


def summary_of(run: Path) -> dict[str, Any]:
    """summary.json."""
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found


def run_serially(job: Job, folder: Path) -> Path:
    """The run that a job makes in one process; its folder."""
    words = [*PROGRAM, "run", *job.words, f"paths.results={folder}", "--config-dir", str(TOYS / "conf")]
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    return run_below(folder)


def check_same(run: Path, serial: Path, digest: str) -> None:
    """A run has what the serial runner made, file by file, with nothing besides."""
    assert summary_of(run)[digest] == summary_of(serial)[digest]
    assert summary_of(run)["units_failed_count"] == 0
    assert results_of(run) == results_of(serial)
    left = leftovers_of(run)
    assert not left, left
