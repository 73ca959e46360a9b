"""Proves the fewest moves of full deals of Klondike that others have proven, each within ten minutes and 8 GiB.

    python tests/slow/check_klondike_shortest.py [NAME ...]     # by default all of tests/cases/klondike_minima.txt

The referee replays each solution. Times are processor time of the search, memory is what the search itself holds.
Of 29 November 2026, n = 11, a build with checks on, two cores with a load of 5 to 7: all right, 123 s in all, the
longest 51.3 s and 586 MiB.
"""

from __future__ import annotations

import os
import sys
import time

from klondike_minima import minima

from engines.klondike.core import Mode, search
from engines.solitaire.limits import Bounds

BOUNDS = Bounds(memory_bytes=8 << 30, time_s=600)


def main() -> int:
    """Print a line for each deal; 1 if one is wrong or open."""
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}", flush=True)
    wrong = []
    for each in minima():
        if sys.argv[1:] and each.name not in sys.argv[1:]:
            continue
        found = search(each.deal, each.rules, Mode.shortest, BOUNDS)
        is_right = found.limit is None and found.moves_count == each.fewest_count
        told = found.outcome if found.moves is None else f"{found.fewest_count}..{found.moves_count} moves"
        print(
            f"{each.name}: {told}, {'right' if is_right else f'not {each.fewest_count}'}; {found.cpu_s:.1f} s, "
            f"{found.effort_count:,} states, {found.peak_bytes >> 20:,} MiB",
            flush=True,
        )
        wrong += [] if is_right else [each.name]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
