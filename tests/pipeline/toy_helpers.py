"""Helpers of the pipeline's tests."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from patience import PATIENCE_S

from pipeline.config import Config, composing
from pipeline.records import read_records, record_name
from storage.layout import RunLayout

HERE = Path(__file__).parent
CONF = HERE / "conf"
Yamafuda = Callable[..., "subprocess.CompletedProcess[str]"]
_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def compose(*words: str) -> Config:
    """A configuration with the toys' jobs."""
    with composing(CONF) as composer:
        return composer.compose(list(words))


def command(*words: str) -> list[str]:
    """The command line of ``yamafuda`` with the toy engines."""
    extra = ["--config-dir", str(CONF)] if words and words[0] in ("run", "jobs", "submit") else []
    return [sys.executable, str(HERE / "toy_cli.py"), *words, *extra]


def in_terminal(width: int, *words: str) -> list[str]:
    """The lines of a command whose standard output is a terminal, without what makes them bold."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(width), "TERM": "xterm"}
    running = subprocess.Popen(command(*words), stdout=follower, stderr=subprocess.PIPE, env=environment)
    os.close(follower)
    found = b""
    try:
        while data := os.read(leader, 1 << 16):
            found += data
    except OSError:  # how a terminal ends whose last user is gone
        pass
    os.close(leader)
    assert running.wait(PATIENCE_S) == 0
    return _STYLE.sub("", found.decode()).replace("\r\n", "\n").splitlines()


def summary(run: Path) -> dict[str, Any]:
    """summary.json of a run."""
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found


def records(run: Path) -> dict[str, dict[str, Any]]:
    """The records of a run's units, by name."""
    found = read_records(RunLayout(run))
    return {record_name(record["unit"]["name"], record["attempt"]): record for record in found}


def change_records(run: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """Write a run's records anew as ``change`` makes them; None drops one."""
    for path in (run / "units").iterdir():
        lines = path.read_text().splitlines()
        changed = [change(json.loads(line)) for line in lines]
        path.write_text("".join(f"{json.dumps(record)}\n" for record in changed if record is not None))


def errors(text: str) -> list[str]:
    """The lines of stderr besides how far a sweep is and what came out."""
    told = ("toy_sweep: ", "20 items: ", "took ", "next: ")
    return [line for line in text.splitlines() if not line.startswith(told)]


def wait_until_it_hangs(process: subprocess.Popen[Any], folder: Path) -> None:
    """Wait until a driver is in the unit of item 7, which was asked to hang (``faults(hold_7=1)``)."""
    deadline_s = time.monotonic() + PATIENCE_S
    while (folder / "faults" / "hold-7").read_text() == "1":
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline_s
        time.sleep(0.05)
