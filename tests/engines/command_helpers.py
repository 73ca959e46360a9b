"""The command line in a process of its own, runs of jobs and their rows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.dataset import read_rows
from storage.errors import UserError

Result = TypeVar("Result")

Run = Callable[..., tuple[int, str, str]]
"""Runs a command of these words: exit status, standard output, standard error."""


def process(*words: str, **options: Any) -> subprocess.Popen[str]:
    """A process that runs a command of these words."""
    # A shell's background job has SIGINT ignored, and so have its children: here Ctrl-C shall count.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    return subprocess.Popen(
        [sys.executable, "-c", f"{heard}; from pipeline.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def attempt(call: Callable[[], Result]) -> Result | None:
    """What a call returns; None when it ends in a user's error, which must be one line that names a place."""
    try:
        return call()
    except UserError as error:
        field, text = error.field, str(error)
    assert field
    assert "\n" not in text
    return None


def run_of(name: str, *words: str) -> Path:
    """The folder of the finished run of ``job=NAME WORDS``."""
    with composing(None) as composer:
        config = composer.compose([f"job={name}", *(f"job.{word}" for word in words)])
    status, folder = run_job(config, SerialRunner())
    assert status == 0
    return folder


def rows_of(run: Path) -> list[dict[str, Any]]:
    """Current rows by index, without what differs from run to run."""
    rows: list[dict[str, Any]] = read_rows(run).to_pylist()
    return [{key: row[key] for key in row if key not in ("elapsed_s", "host")} for row in rows]


def summary(run: Path) -> dict[str, Any]:
    """The figures of a finished run."""
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found
