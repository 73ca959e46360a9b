"""Jobs through the serial runner."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner


def run_of(name: str, *words: str) -> Path:
    """The folder of the finished run of ``job=NAME WORDS``."""
    with composing(None) as composer:
        config = composer.compose([f"job={name}", *(f"job.{word}" for word in words)])
    status, folder = run_job(config, SerialRunner())
    assert status == 0
    return folder


def summary(run: Path) -> dict[str, Any]:
    """What is in its summary.json."""
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found
