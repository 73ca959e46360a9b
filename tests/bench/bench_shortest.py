"""Shortest solutions: full deals of Klondike whose fewest moves are known, random deals of Superpuzz (``make bench``).

Times are processor time of the search alone, measured in the core; a deal that hits a limit counts with the time up to
there and is not proven. Memory is what the search itself holds.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engines.klondike.core import Mode as KlondikeMode
from engines.klondike.core import search as search_klondike
from engines.solitaire.found import Found
from engines.solitaire.limits import Bounds
from engines.superpuzz.core import Mode as SuperpuzzMode
from engines.superpuzz.core import random_deal
from engines.superpuzz.core import search as search_superpuzz

sys.path.append(str(Path(__file__).parents[1] / "slow"))
from klondike_minima import minima

DEALS_COUNT = 20
"""Of Superpuzz, for each number of columns."""


def measured(name: str, results: Iterable[Found[Any]]) -> dict[str, Any]:
    """A row of the bench."""
    found = list(results)
    cpu_s = [each.cpu_s for each in found]
    states_count = sum(each.effort_count for each in found)
    return {
        "deals": f"{len(found)} of {name}",
        "proven": sum(each.limit is None for each in found),
        "in a minute": sum(each.limit is None and each.cpu_s < 60 for each in found),
        "mean_s": round(sum(cpu_s) / len(found), 2),
        "max_s": round(max(cpu_s), 2),
        "states_per_cpu_s": round(states_count / max(sum(cpu_s), 1e-9)),
        "peak_bytes": max(each.peak_bytes for each in found),
    }


def main() -> None:
    """Print a row for Klondike and for each number of columns of Superpuzz."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="processor time for each deal")
    arguments = parser.parse_args()
    bounds = Bounds(memory_bytes=8 << 30, time_s=arguments.seconds)
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}", flush=True)
    klondike = (search_klondike(each.deal, each.rules, KlondikeMode.shortest, bounds) for each in minima())
    print(json.dumps(measured("Klondike", klondike)), flush=True)
    for columns in (5, 6, 7):
        deals = (random_deal(1, index, columns) for index in range(DEALS_COUNT))
        superpuzz = (search_superpuzz(deal, SuperpuzzMode.shortest, bounds) for deal in deals)
        print(json.dumps(measured(f"Superpuzz, {columns} columns", superpuzz)), flush=True)
    print(f"load {os.getloadavg()[0]:.2f} at the end")


if __name__ == "__main__":
    main()
