"""Whole commands as people give them: processor time, time by the clock, memory (``make bench``).

Each is given in an empty folder of results. Processor time is that of the command and all its processes, from its start
to its end. Ray's workers leave none behind when they end, so what processes have used is also looked at as they go on.
Memory is the most that the processes of a run had at once, as its summary has it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil

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

LOOK_S = 0.5


def measured(name: str, command: str) -> dict[str, Any]:
    """A command and what it took; its own message when it fails."""
    before_s, begin_s = ended_s(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Looking() as looking:
        environment = os.environ | {"YAMAFUDA_RESULTS": folder, "YAMAFUDA_TABLES": folder}
        environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
        done = subprocess.run(
            shlex.split(command), cwd=ROOT, env=environment, check=False, capture_output=True, text=True
        )
        elapsed_s = time.monotonic() - begin_s
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        peaks = [json.loads(path.read_text())["peak_bytes"] for path in Path(folder).rglob("summary.json")]
    return {
        "run": name,
        "cpu_s": round(max(ended_s() - before_s, looking.seen_s), 1),
        "elapsed_s": round(elapsed_s, 1),
        "peak_bytes": max(peaks, default=None),
        "load": round(os.getloadavg()[0], 1),
    }


def ended_s() -> float:
    """Processor time of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Looking:
    """Looks at the processor time of all processes below this one, as long as it is open."""

    def __init__(self) -> None:
        self._last_s: dict[psutil.Process, float] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Looking:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    @property
    def seen_s(self) -> float:
        """What all of them had used when they were last seen."""
        return sum(self._last_s.values())

    def _look(self) -> None:
        while not self._is_over.wait(LOOK_S):
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    used = process.cpu_times()
                    self._last_s[process] = used.user + used.system


def main() -> None:
    """Print a line of JSON for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    which = parser.add_mutually_exclusive_group()
    for part, commands in PARTS.items():
        which.add_argument(f"--{part}", action="store_true", help=", ".join(commands))
    given = parser.parse_args()
    chosen = [commands for part, commands in PARTS.items() if getattr(given, part)] or [QUICK]
    for name, command in chosen[0].items():
        print(json.dumps(measured(name, command)), flush=True)


if __name__ == "__main__":
    main()
