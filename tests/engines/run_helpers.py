"""Jobs in this process, through the serial runner, and what they leave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.base import Runner
from pipeline.runners.serial import SerialRunner
from storage.dataset import read_rows


def finished_run(*words: str, runner: Runner | None = None) -> Path:
    """The folder of the finished run of ``yamafuda run WORDS``."""
    with composing(None) as composer:
        config = composer.compose(words)
    status, folder = run_job(config, runner or SerialRunner())
    assert status == 0
    return folder


def run_of(name: str, *words: str) -> Path:
    """The folder of the finished run of ``job=NAME``, each word a field of the job."""
    return finished_run(f"job={name}", *(f"job.{word}" for word in words))


def rows_of(run: Path) -> list[dict[str, Any]]:
    """Current rows by index, without what differs from run to run."""
    rows: list[dict[str, Any]] = read_rows(run).to_pylist()
    return [{key: row[key] for key in row if key not in ("elapsed_s", "host")} for row in rows]


def summary(run: Path) -> dict[str, Any]:
    """What is in its summary.json."""
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found
