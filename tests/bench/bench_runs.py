"""Whole commands as people give them: processor time, time by the clock, memory (``make bench``).

Each is given in an empty folder of results. Processor time is that of the command and all its processes, those of Ray
too, from its start to its end. Memory is the most that the processes of a run had at once, as its summary has it.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
QUICK = {
    "tricks_table": "yamafuda run job=tricks_table cluster=serial",
    "stackgame_table, 3 stacks": "yamafuda run job=stackgame_table job.stacks=3 job.cards=12 cluster=serial",
}
RAY = {
    "make run": "make run",
    "tricks_table on Ray": "yamafuda run job=tricks_table cluster=local",
    "make tables": "make tables",
}
"""Some minutes, on all processors."""
LONG = {"tricks_table_14": "yamafuda run job=tricks_table_14 cluster=serial"}
"""Three minutes of one core."""
FULL = {"make tables-full": "make tables-full"}
"""Ten minutes on two cores."""
TESTS = {"make test": "make test"}
"""A quarter of an hour on two cores."""
PARTS = {"ray": RAY, "long": LONG, "full": FULL, "tests": TESTS}

PR_SET_CHILD_SUBREAPER = 36
LEFT_OVER_S = 60.0
"""For processes that outlive their command, as some of Ray's do by a moment."""


def measured(name: str, command: str) -> dict[str, Any]:
    """A command and what it took; its own message when it fails."""
    before, begin_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"YAMAFUDA_RESULTS": folder, "YAMAFUDA_TABLES": folder}
        environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
        done = subprocess.run(
            shlex.split(command), cwd=ROOT, env=environment, check=False, capture_output=True, text=True
        )
        elapsed_s = time.monotonic() - begin_s
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        reap(time.monotonic() + LEFT_OVER_S)
        peaks = [json.loads(path.read_text())["peak_bytes"] for path in Path(folder).rglob("summary.json")]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "run": name,
        "cpu_s": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        "elapsed_s": round(elapsed_s, 1),
        "peak_bytes": max(peaks, default=None),
        "load": round(os.getloadavg()[0], 1),
    }


def reap(until_s: float) -> None:
    """Wait for processes whose parents have ended, which are children of this one then, so that their time counts."""
    while time.monotonic() < until_s:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            time.sleep(0.1)


def main() -> None:
    """Print a line of JSON for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    which = parser.add_mutually_exclusive_group()
    for part, commands in PARTS.items():
        which.add_argument(f"--{part}", action="store_true", help=", ".join(commands))
    given = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    chosen = [commands for part, commands in PARTS.items() if getattr(given, part)] or [QUICK]
    for name, command in chosen[0].items():
        print(json.dumps(measured(name, command)), flush=True)


if __name__ == "__main__":
    main()
