"""The command line in a process of its own, runs of jobs and their rows."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
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


def piped(text: str, *words: str, status: int = 0) -> str:
    """What a command prints that reads ``text`` from standard input; of the user's error what it says instead."""
    with process(*words, stdin=subprocess.PIPE) as running:
        out, err = running.communicate(text, timeout=60)
    assert running.returncode == status, err
    assert (err == "") == (status != 2)
    return err if status == 2 else out


def interrupted(*words: str, begin: str) -> None:
    """Ctrl-C, when the first deal's answer shows that the second one is being searched, ends a command in seconds."""
    running = process(*words)
    try:
        assert running.stdout is not None
        assert running.stdout.readline().startswith(begin)
        time.sleep(0.3)
        begin_s = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
        assert time.monotonic() - begin_s < 5
    finally:
        running.kill()
        running.communicate()
    assert (running.returncode, err) == (130, "yamafuda: interrupted\n")


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
