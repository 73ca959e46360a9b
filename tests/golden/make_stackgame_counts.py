"""Makes ``stackgame_counts.json``: the recorded truth about the stack game's tables, cell by cell.

    python tests/golden/make_stackgame_counts.py [--only S,M,N ...]

builds what is missing below the usual results folder, as ``yamafuda run`` would, and writes for every cell its count
by layer, start first, the start's probability, the sum of all stored probabilities, the content digest, and how the
figures were made. Cells that are recorded and not built here keep their record. Times are of the run as it was, on a
busy machine or not; ``units_skipped_count`` above 0 says that it had been interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

RECORD = Path(__file__).with_name("stackgame_counts.json")
KEPT = ("states_count", "states_count_by_layer", "p_start", "p_sum", "content_digest")
#: Most cards a board, by (stacks, boards).
CELLS = {(3, 1): 12, (4, 1): 12, (3, 2): 12, (4, 2): 12, (3, 3): 6, (4, 3): 6, (3, 4): 5, (4, 4): 4}


def machine() -> str:
    """The processor and what of it can be used, without a name."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    return f"{len(models)} x {models[0] if models else platform.machine()}, {memory} GiB"


def build(stacks: int, boards: int, cards: int) -> dict[str, Any]:
    """Build a cell, or find it built; its record."""
    options = [f"job.stacks={stacks}", f"job.boards={boards}", f"job.cards={cards}"]
    command = ["yamafuda", "run", "job=stackgame_table", *options, "cluster=local"]
    program = [str(Path(sys.executable).with_name("yamafuda")), *command[1:]]
    done = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True)
    folder = Path(done.stdout.splitlines()[-1])
    summary = json.loads((folder / "summary.json").read_text())
    return {name: summary[name] for name in KEPT} | {
        "command": " ".join(command),
        "date": time.strftime("%Y-%m-%d", time.gmtime((folder / "summary.json").stat().st_mtime)),
        "machine": machine(),
        "elapsed_s": round(summary["elapsed_s"], 1),
        "units_skipped_count": summary["units_skipped_count"],
        "peak_bytes": summary["peak_bytes"],
        "size_bytes": summary["size_bytes"],
    }


def main() -> None:
    """Build cells and write the record after each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", metavar="S,M,N", help="these cells; by default all")
    arguments = parser.parse_args()
    cells = [
        (stacks, boards, cards) for (stacks, boards), most in CELLS.items() for cards in range(1, most + 1)
    ]
    if arguments.only:
        cells = [tuple(map(int, cell.split(","))) for cell in arguments.only]  # type: ignore[misc]
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    for cell in cells:
        record["S={} m={} n={}".format(*cell)] = build(*cell)
        lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in sorted(record.items())]
        RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
