"""Speed of Klondike: how long full deals take to decide, states a second, memory (``make bench``).

Deals 0, 1, ... of seed 1, not chosen, by four sets of rules; the first one's targets are printed below it. Times are
processor time of the search alone, measured in the core: from the position to the answer with its solution, without
Python's arrays before and the referee's replay after it, which would be most of a median of 0.03 ms. All deals of a row
are searched one right after another and replayed later, so that the referee does not cool the caches. A deal that hits
a limit counts with the time up to there and is not decided. Memory is what the search itself holds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from dataclasses import replace
from typing import Any

from engines.klondike.core import Mode, answer, checked, random_deal
from engines.klondike.rules import REPORT, RedealRule, Rules
from engines.solitaire.limits import Bounds

USUAL = Rules(redeal_rule=RedealRule.standard, foundation_back=True)
ROWS = [
    ("draw 3, standard, unlimited redeals, moves back", USUAL, 2000),
    ("draw 3, standard, unlimited redeals", replace(USUAL, foundation_back=False), 1000),
    ("draw 3, carry, 2 redeals", replace(REPORT, redeals=2), 300),
    (
        "draw 1, unlimited redeals, moves back",
        Rules(draw=1, redeal_rule=RedealRule.standard, foundation_back=True),
        500,
    ),
]
TARGETS = {"mean_ms": 30, "median_ms": 0.03, "p99_ms": 1000, "peak_bytes": 2 << 30, "undecided": 0}
"""Of the first row; every value at most this."""


def measured(name: str, rules: Rules, deals_count: int, bounds: Bounds) -> dict[str, Any]:
    """The first deals of seed 1, each searched once."""
    deals = [random_deal(1, index) for index in range(deals_count)]
    results = [answer(deal, rules, Mode.decide, bounds) for deal in deals]
    for deal, result in zip(deals, results, strict=True):
        checked(deal, rules, result)
    times_ms = sorted(1e3 * result.elapsed_s for result in results)
    outcomes = [result.outcome for result in results]
    return {
        "rules": name,
        "deals": deals_count,
        **{outcome: outcomes.count(outcome) for outcome in ("won", "lost", "undecided")},
        "mean_ms": round(statistics.fmean(times_ms), 2),
        "median_ms": round(statistics.median(times_ms), 4),
        "p99_ms": round(times_ms[deals_count * 99 // 100], 1),
        "max_ms": round(times_ms[-1], 1),
        "states_per_cpu_s": round(1e3 * sum(result.states_count for result in results) / sum(times_ms)),
        "peak_bytes": max(result.peak_bytes for result in results),
    }


def main() -> None:
    """Print a row for each set of rules, and after the first one its targets with whether they are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--share", type=float, default=1, help="of the deals of each row, from the first one on"
    )
    parser.add_argument("--seconds", type=float, default=300, help="processor time for each deal")
    parser.add_argument("--memory-bytes", type=int, default=2 << 30, help="limit for each deal")
    arguments = parser.parse_args()
    bounds = Bounds(memory_bytes=arguments.memory_bytes, time_s=arguments.seconds)
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}", flush=True)
    for name, rules, deals_count in ROWS:
        found = measured(name, rules, max(2, round(deals_count * arguments.share)), bounds)
        print(json.dumps(found), flush=True)
        if rules == USUAL:
            reached = {key: found[key] <= most for key, most in TARGETS.items()}
            print(json.dumps({"targets": TARGETS, "met": reached}), flush=True)
    print(f"load {os.getloadavg()[0]:.2f} at the end")


if __name__ == "__main__":
    main()
