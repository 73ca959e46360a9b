"""Speed of the tables of trick taking: values a second, layer by layer, and how fast layers grow (``make bench``).

Layers are worked out in memory by the core alone, in processor time: the highest cards to be won up to 12 cards each,
point cards anywhere up to 9. What a hand takes, divided by the square of its cards, hardly changes from layer to layer;
with the count of hands that gives the time of larger tables. The rows of ``predicted`` are made from the largest
layer measured, those of ``built`` from finished tables below the usual folder. Random deals of Whist of 100 cards each
are told by the rule: values, and every pair of cards of the first trick.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from engines import _native
from engines.tricks.table import TricksTable, TricksTableJob
from pipeline.roots import all_runs
from storage.block import encode_block
from storage.layout import RunLayout
from storage.manifest import read_summary


def layers(points: str, cards_max: int) -> Iterator[dict[str, Any]]:
    """A row for each layer of a table."""
    table = TricksTable(TricksTableJob("tricks_table", cards=cards_max, points=points))
    below, before_s = None, 0.0
    for cards in table.layer_numbers():
        hands, group = table.groups_count(cards), table.group_values(cards)
        log2 = table.block_groups_log2(cards)
        begin_s, blocks = time.process_time(), []
        for first in range(0, hands, 1 << log2):
            values = table.evaluate(cards, first, min(1 << log2, hands - first), below)
            blocks.append(np.frombuffer(encode_block(None, values, 64, first * group), np.uint8))
        spent_s = time.process_time() - begin_s
        below = table.open_below(cards, log2, blocks)
        if hands > 1000:
            yield {
                "points": points,
                "cards": cards,
                "values": hands * group,
                "cpu_s": round(spent_s, 3),
                "values_per_cpu_s": round(hands * group / spent_s),
                "hand_and_pair_ns": round(1e9 * spent_s / hands / cards**2 / table.rows_count(cards), 2),
                "values_over_layer_below": round(hands * group / _values(table, cards - 1), 2),
                "cpu_s_over_layer_below": round(spent_s / before_s, 2),
            }
        before_s = spent_s


def _values(table: TricksTable, cards: int) -> int:
    return table.groups_count(cards) * table.group_values(cards)


def predicted(cards: int, pair_ns: float) -> dict[str, Any]:
    """Time and memory of a whole table of the highest cards on one core."""
    table = TricksTable(TricksTableJob("tricks_table", cards=cards))
    spent_s = sum(math.comb(2 * n, n) * n * n * pair_ns * 1e-9 for n in table.layer_numbers())
    disk_bytes = sum(_values(table, n) for n in table.layer_numbers())
    below = table.groups_count(cards - 1) * table.group_values(cards - 1)
    # A unit has its shard's blocks twice, and maps the layer below.
    memory_bytes = below + 2 * table.shard_groups(cards) * table.group_values(cards) + (100 << 20)
    return {
        "predicted_cards": cards,
        "cpu_s": round(spent_s),
        "disk_bytes": disk_bytes,
        "memory_bytes": memory_bytes,
    }


def built() -> Iterator[dict[str, Any]]:
    """Finished tables, as they were measured when they were built."""
    for run in all_runs():
        if RunLayout(run).manifest.exists():
            summary = read_summary(run)
            if summary["job"]["name"] == "tricks_table":
                names = ("cards", "points", "aim", "elapsed_s", "cores", "size_bytes", "states_per_s")
                yield {"built": run.name} | {name: summary[name] for name in names}


def large_deals(cards: int, deals_count: int) -> dict[str, Any]:
    """Time that the rule for Whist takes with random deals."""
    order = np.random.default_rng(1).permuted(np.tile(np.arange(2 * cards) < cards, (deals_count, 1)), axis=1)
    begin_s = time.process_time()
    for left_leads in (True, False):
        _native.tricks_whist(order, left_leads)
    values_s = time.process_time() - begin_s
    for owners in order:
        _native.tricks_whist_first_trick(owners)
    return {
        "whist_cards": cards,
        "deals": deals_count,
        "value_us": round(1e6 * values_s / deals_count / 2, 2),
        "first_trick_ms": round(1e3 * (time.process_time() - begin_s - values_s) / deals_count, 3),
    }


def main() -> None:
    """Print a row for each layer, then what larger tables take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--cards", type=int, default=12, help="of the largest layer, the highest cards to be won"
    )
    parser.add_argument("--anywhere-cards", type=int, default=9, help="the same with point cards anywhere")
    arguments = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}", flush=True)
    pair_ns = 0.0
    for points, cards_max in (("anywhere", arguments.anywhere_cards), ("highest", arguments.cards)):
        for row in layers(points, cards_max):
            pair_ns = row["hand_and_pair_ns"]
            print(json.dumps(row), flush=True)
    largest = min(arguments.cards + 4, _native.TRICKS_CARDS_MAX)
    for cards in range(arguments.cards + 1, largest + 1):
        print(json.dumps(predicted(cards, pair_ns)))
    print(json.dumps(large_deals(100, 1000)))
    for row in built():
        print(json.dumps(row))
    print(f"load {os.getloadavg()[0]:.2f} at the end")


if __name__ == "__main__":
    main()
