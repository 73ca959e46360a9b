"""Whether the figures of docs/speed.md still hold: runs the parts of the bench that it names (``make check-speed``).

A figure holds when what is measured lies within a third of it, or of the range that it is. Exit status 1 when one does
not, or could not be measured. Arguments are the parts to run: ``klondike tricks``, also ``runs-ray`` for
``bench_runs.py --ray``. Parts with such an option are slow, or want the machine for themselves: they are run only when
they are named. Without arguments all others are run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "speed.md"
NOISE = 1 / 3
SCALES = {"million": 1e6, "MB": 1e6, "GB": 1e9, "minutes": 60.0}


@dataclass(frozen=True)
class Figure:
    """A row of the page's table."""

    what: str
    low: float
    high: float
    bench: str
    """A file of this folder, with an option perhaps."""
    row: dict[str, str]
    """What the bench's row has, as text."""
    key: str

    @property
    def part(self) -> str:
        """How arguments name its bench."""
        return self.bench.removeprefix("bench_").replace(".py --", "-").removesuffix(".py")

    def holds(self, value: float) -> bool:
        """Whether a measured value is near enough."""
        return self.low * (1 - NOISE) <= value <= self.high * (1 + NOISE)


def figures() -> list[Figure]:
    """Those of the page."""
    found = []
    for what, told, bench, row, key in re.findall(
        r"^\| (.*?) \| ([0-9].*?) \| `(bench_\w+\.py(?: --\w+)?)` \| `(.*?)` \| `(\w+)` \|$",
        PAGE.read_text(),
        re.MULTILINE,
    ):
        low, high = re.match(r"([0-9][0-9,.]*)(?: to ([0-9][0-9,.]*))?", told).groups()  # type: ignore[union-attr]
        scale = next((scale for word, scale in SCALES.items() if word in told.split()), 1.0)
        values = [scale * float(number.replace(",", "")) for number in (low, high or low)]
        names = dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", row))
        found.append(Figure(what, *values, bench, names, key))
    return found


def measured(bench: str) -> list[dict[str, Any]]:
    """The rows that a part of the bench prints, up to where it failed if it did."""
    file, *options = bench.split()
    done = subprocess.run(
        [sys.executable, HERE / file, *options], check=False, stdout=subprocess.PIPE, text=True
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main() -> int:
    """Compare, and print a line for each figure."""
    missed, named = 0, sys.argv[1:]
    benches = {figure.part: figure.bench for figure in figures()}
    if unknown := set(named) - set(benches):
        print(
            f"no part of the bench: {', '.join(sorted(unknown))}; there are {', '.join(sorted(benches))}",
            file=sys.stderr,
        )
        return 2
    for part in named or sorted(part for part, bench in benches.items() if " " not in bench):
        rows = measured(benches[part])
        print(f"{benches[part]}: load {os.getloadavg()[0]:.1f}", flush=True)
        for figure in figures():
            if figure.part != part:
                continue
            found = [
                row[figure.key]
                for row in rows
                if figure.key in row and all(str(row.get(name)) == text for name, text in figure.row.items())
            ]
            if len(found) != 1:
                missed += 1
                print(f"NOT MEASURED: {figure.what}: {part} printed {len(found)} such rows", flush=True)
                continue
            (value,) = found
            missed += not figure.holds(value)
            verdict = "holds" if figure.holds(value) else "DOES NOT HOLD"
            page = f"the page has {figure.low:g} to {figure.high:g}"
            print(f"{verdict}: {figure.what}: {value:g}, {page}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
