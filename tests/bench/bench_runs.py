"""Whole runs as people start them, on one processor: processor time and memory (``make bench``).

Each is made in an empty folder. Processor time is that of the command and all its processes, from its start to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

RUNS = ("job=tricks_table", "job=stackgame_table job.stacks=3 job.cards=12")
LONG = ("job=tricks_table_14", "job=stackgame_table job.stacks=4 job.cards=12")


def measured(words: str) -> dict[str, Any]:
    """A run and what it took; the command's own message when it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("yamafuda")), "run", *words.split(), "cluster=serial"]
        environment = os.environ | {"YAMAFUDA_RESULTS": folder, "YAMAFUDA_TABLES": folder}
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        summary = json.loads(Path(done.stdout.splitlines()[-1], "summary.json").read_text())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "run": words,
        "cpu_s": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        "elapsed_s": round(summary["elapsed_s"], 1),
        "peak_bytes": summary["peak_bytes"],
    }


def main() -> None:
    """Print a line of JSON for each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="the longer ones, half an hour")
    for words in LONG if parser.parse_args().long else RUNS:
        print(json.dumps(measured(words)), flush=True)


if __name__ == "__main__":
    main()
