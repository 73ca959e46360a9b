"""Whether the figures of docs/speed.md still hold: runs the parts of the bench that it names (``make check-speed``).

A figure holds when what is measured lies within a third of it, or of the range that it is. Exit status 1 when one does
not, or could not be measured. Arguments are the parts to run: ``klondike tricks``; all if not given.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "speed.md"
NOISE = 1 / 3
SCALES = {"million": 1e6, "MB": 1e6}


@dataclass(frozen=True)
class Figure:
    """A row of the page's first table."""

    what: str
    low: float
    high: float
    bench: str
    row: dict[str, str]
    """What the bench's row has, as text."""
    key: str

    def holds(self, value: float) -> bool:
        """Whether a measured value is near enough."""
        return self.low * (1 - NOISE) <= value <= self.high * (1 + NOISE)


def figures() -> list[Figure]:
    """Those of the page."""
    found = []
    for what, told, bench, row, key in re.findall(
        r"^\| (.*?) \| ([0-9].*?) \| `(bench_\w+\.py)` \| `(.*?)` \| `(\w+)` \|$",
        PAGE.read_text(),
        re.MULTILINE,
    ):
        values = [float(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,.]*", told)]
        scale = next((scale for word, scale in SCALES.items() if word in told), 1.0)
        names = dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", row))
        found.append(Figure(what, values[0] * scale, values[-1] * scale, bench, names, key))
    return found


def measured(bench: str) -> list[dict[str, Any]]:
    """The rows that a part of the bench prints, up to where it failed if it did."""
    done = subprocess.run([sys.executable, HERE / bench], check=False, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main() -> int:
    """Compare, and print a line for each figure."""
    missed = 0
    for bench in sorted({figure.bench for figure in figures()}):
        if sys.argv[1:] and bench.removeprefix("bench_").removesuffix(".py") not in sys.argv[1:]:
            continue
        rows = measured(bench)
        for figure in figures():
            if figure.bench == bench:
                found = [
                    row[figure.key]
                    for row in rows
                    if figure.key in row
                    and all(str(row.get(name)) == text for name, text in figure.row.items())
                ]
                if len(found) != 1:
                    missed += 1
                    print(f"NOT MEASURED: {figure.what}: {bench} printed {len(found)} such rows", flush=True)
                    continue
                (value,) = found
                missed += not figure.holds(value)
                verdict = "holds" if figure.holds(value) else "DOES NOT HOLD"
                page = f"the page has {figure.low:g} to {figure.high:g}"
                print(f"{verdict}: {figure.what}: {value:g}, {page}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
