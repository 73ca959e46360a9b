"""Speed of Superpuzz: states a second and bytes a state of a census, full-size deals decided (``make bench``).

All rates are by processor time. A census is measured on figure 6 (a) in both orders, on random deals of 6 columns,
and on figure 7 beside the referee, which keeps whole positions in a set. Full-size deals are the first ones of seed
1, not chosen; each is decided and then searched plainly (the census in depth) with the same limits. The plain search
counts on after a win; its time up to there is taken from its share of the states. The limit of a deal is processor
time as well. Compare rows of one run, since machines drift.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from engines.solitaire.limits import Bounds
from engines.superpuzz import paper, rules
from engines.superpuzz.core import Mode, random_deal, search
from engines.superpuzz.deal import Deal
from engines.superpuzz.options import Order
from engines.superpuzz.text import read_deals

COLUMNS = 13
Result = TypeVar("Result")


def timed(call: Callable[[], Result]) -> tuple[Result, float]:
    """What a call returns, and its processor time."""
    begin_s = time.process_time()
    found = call()
    return found, time.process_time() - begin_s


def figure(name: str) -> Deal:
    """The deal of a figure of the paper."""
    (deal,) = read_deals(paper.example(f"figure-{name}.deal"))
    return deal


def census_row(name: str, deals: list[Deal], order: Order, repeats: int) -> dict[str, Any]:
    """A census of each deal; the median of the repeats."""
    rates = []
    for _ in range(repeats):
        timings = [timed(partial(search, deal, Mode.census, Bounds(), order)) for deal in deals]
        states = sum(found.effort_count for found, _ in timings)
        rates.append(states / sum(cpu_s for _, cpu_s in timings))
    return {
        "search": "census",
        "deals": name,
        "order": order.value,
        "states": states,
        "states_per_cpu_s": round(statistics.median(rates)),
        "peak_bytes_a_state": round(sum(found.peak_bytes for found, _ in timings) / states, 2),
    }


def referee_row() -> dict[str, Any]:
    """The referee's search of figure 7."""
    states, cpu_s = timed(lambda: sum(1 for _ in rules.reachable(figure("7").position)))
    assert states == paper.FIGURE_7_STATES_COUNT
    return {
        "search": "referee",
        "deals": "figure 7",
        "states": states,
        "states_per_cpu_s": round(states / cpu_s),
    }


class Decided:
    """What a search of full-size deals has decided so far, and the processor time that it took."""

    def __init__(self, name: str, mode: Mode, limit_s: float, memory_bytes: int) -> None:
        self.name, self.mode, self.limit_s, self.memory_bytes = name, mode, limit_s, memory_bytes
        self.outcomes = {"won": 0, "lost": 0, "undecided": 0}
        self.cpu_s = 0.0
        self.peak_bytes = 0

    def add(self, deal: Deal) -> None:
        """Search a deal. A census that has a win is done with it, though it went on to a limit."""
        bounds = Bounds(memory_bytes=self.memory_bytes, time_s=self.limit_s)
        found, cpu_s = timed(partial(search, deal, self.mode, bounds))
        before_count = found.counts["states_before_win_count"]
        if self.mode is Mode.census and before_count is not None:
            cpu_s *= before_count / found.effort_count
        self.outcomes["won" if found.moves is not None else found.outcome] += 1
        self.cpu_s += cpu_s
        self.peak_bytes = max(self.peak_bytes, found.peak_bytes)

    @property
    def per_core_hour(self) -> float:
        """Deals decided in an hour of processor time, the time for those left open included."""
        return (self.outcomes["won"] + self.outcomes["lost"]) / self.cpu_s * 3600

    def row(self) -> dict[str, Any]:
        """For the printed table."""
        return {
            "search": self.name,
            "columns": COLUMNS,
            "cpu_s_a_deal_at_most": self.limit_s,
            **self.outcomes,
            "cpu_s": round(self.cpu_s, 1),
            "decided_per_core_hour": round(self.per_core_hour, 1),
            "peak_bytes": self.peak_bytes,
        }


def main() -> None:
    """Print a row for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="of each census; medians are printed")
    parser.add_argument("--small-deals", type=int, default=20, help="deals of 6 columns")
    parser.add_argument("--deals", type=int, default=16, help="deals of 13 columns")
    parser.add_argument("--seconds", type=float, default=10, help="processor time for each of them")
    parser.add_argument("--memory-bytes", type=int, default=4 << 30, help="limit for each deal")
    arguments = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    print(json.dumps(referee_row()), flush=True)
    small = [random_deal(1, index, 6) for index in range(arguments.small_deals)]
    for name, deals in (("figure 7", [figure("7")]), ("figure 6 (a)", [figure("6a")]), ("6 columns", small)):
        for order in Order:
            print(json.dumps(census_row(name, deals, order, arguments.repeats)), flush=True)
    limits = (arguments.seconds, arguments.memory_bytes)
    decided, plain = Decided("decide", Mode.decide, *limits), Decided("plain", Mode.census, *limits)
    for index in range(arguments.deals):
        for each in (decided, plain):
            each.add(random_deal(1, index, COLUMNS))
    for each in (decided, plain):
        print(json.dumps(each.row()))
    if plain.per_core_hour:
        print(json.dumps({"decide_over_plain": round(decided.per_core_hour / plain.per_core_hour, 2)}))
    print(f"load {os.getloadavg()[0]:.2f} at the end")


if __name__ == "__main__":
    main()
