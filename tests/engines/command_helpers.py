"""The command line in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from patience import PATIENCE_S, assert_soon

Run = Callable[..., tuple[int, str, str]]
"""Runs a command of these words: exit status, standard output, standard error."""

LIMITS = {
    "states": ["--states", "500"],
    "memory": ["--memory-bytes", "1048576"],
    "time": ["--time-s", "0.002"],
}
"""How a search is told to end early, by the name that its answer has for it."""


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
        out, err = running.communicate(text, timeout=PATIENCE_S)
    assert running.returncode == status, err
    assert (err == "") == (status != 2)
    return err if status == 2 else out


def answers(out: str) -> list[str]:
    """The lines of an output that are no remarks."""
    return [line for line in out.splitlines() if not line.startswith("#")]


def assert_undecided(yamafuda: Run, game: str, deal: str, *mode: str, limit: str) -> None:
    """The search of a hard deal ends at this limit; both forms of the answer say so, and there is nothing to check."""
    words = [*mode, *LIMITS[limit]]
    status, out, _ = yamafuda("solve", game, deal, "--json", *words)
    answer = json.loads(out)
    assert (status, answer["outcome"], answer["limit"], answer["moves"]) == (0, "undecided", limit, None)
    status, out, _ = yamafuda("solve", game, deal, *words)
    assert answers(out)[0].startswith(f"deal 1: undecided (limit: {limit})")
    Path("answers").write_text(out)
    assert answers(yamafuda("check", game, deal, "answers")[1]) == ["deal 1: no solution is given"]


def interrupted(*words: str, begin: str) -> None:
    """Ctrl-C, when the first deal's answer shows that the second one is being searched, ends a command in seconds."""
    running = process(*words)
    try:
        assert running.stdout is not None
        assert any(line.startswith(begin) for line in running.stdout)
        time.sleep(0.3)
        begin_s = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=PATIENCE_S)
        assert_soon(begin_s, 5)
    finally:
        running.kill()
        running.communicate()
    assert (running.returncode, err) == (130, "yamafuda: interrupted\n")
