"""Makes ``jobs.json`` and ``commands.json``: what small instances of all jobs and the commands of games give.

    python tests/golden/make_jobs.py [--only TEXT]       # of what has TEXT in its name; the rest keeps its record
    python tests/golden/make_jobs.py --compare OLD.json  # what was renamed, changed, added, removed since; no more

A record that changes says that results changed. Keep the old one (git show REV:tests/golden/jobs.json > OLD.json), and
let --compare show that nothing but what was meant has changed.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from changes import changes
from instances import INSTANCES, LINES
from recording import Recorder

JOBS = Path(__file__).with_name("jobs.json")
COMMANDS = Path(__file__).with_name("commands.json")


def write(path: Path, makers: dict[str, Callable[[], dict[str, Any]]], only: str) -> None:
    """Write the records of ``makers`` by name, a line for each section; those not made keep theirs."""
    old = json.loads(path.read_text()) if path.exists() else {}
    begin_s = time.monotonic()
    records = {
        name: make() if only in name or name not in old else old[name] for name, make in makers.items()
    }
    print(f"{path.name}: {len(records)} records, {time.monotonic() - begin_s:.1f} s")
    entries = []
    for name, record in records.items():
        sections = ",\n".join(f"    {json.dumps(key)}: {_section(value)}" for key, value in record.items())
        entries.append(f"  {json.dumps(name)}: {{\n{sections}\n  }}")
    path.write_text("{\n" + ",\n".join(entries) + "\n}\n")


def _section(value: Any) -> str:
    """Of lists, such as lines of output, a line each."""
    if not isinstance(value, list) or not value:
        return json.dumps(value, ensure_ascii=False)
    return "[\n" + ",\n".join(f"      {json.dumps(each, ensure_ascii=False)}" for each in value) + "\n    ]"


def main() -> None:
    """Make the records, or compare them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="what has this in its name; by default all"
    )
    parser.add_argument(
        "--compare", type=Path, metavar="OLD.json", help="an older jobs.json or commands.json"
    )
    arguments = parser.parse_args()
    if arguments.compare:
        old = json.loads(arguments.compare.read_text())
        of_commands = any("stdout" in record for record in old.values())
        for change in changes(old, json.loads((COMMANDS if of_commands else JOBS).read_text())):
            print(change)
        return
    for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as root:
        recorder = Recorder(Path(root))
        write(
            JOBS, {each.name: lambda each=each: recorder.instance(each) for each in INSTANCES}, arguments.only
        )
        write(
            COMMANDS,
            {line: lambda game=game, line=line: recorder.command(game, line) for game, line in LINES},
            arguments.only,
        )


if __name__ == "__main__":
    main()
