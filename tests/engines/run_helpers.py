"""Jobs in this process, through the serial runner."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.base import Runner
from pipeline.runners.serial import SerialRunner


def finished_run(*words: str, runner: Runner | None = None) -> Path:
    """The folder of the finished run of ``yamafuda run WORDS``."""
    with composing(None) as composer:
        config = composer.compose(words)
    status, folder = run_job(config, runner or SerialRunner())
    assert status == 0
    return folder


def summary(run: Path) -> dict[str, Any]:
    """What is in its summary.json."""
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found
