"""Compares the recorded cells that no paper has with the referee, layer by layer, as far as the time reaches.

    python tests/slow/check_new_cells.py [--seconds S]

The referee shares no code with the core: it keeps states as relations and finds its canonical form by trying all
orders of the cards. For each cell it counts the layers from the start on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from engines.stackgame import rules

RECORD = Path(__file__).parents[1] / "golden" / "stackgame_counts.json"
#: (stacks, boards, cards) that the paper left open. The start of a fourth, (3, 4, 5), has 24^5 orders: too many for it.
CELLS = [(3, 3, 6), (4, 3, 6)]


def layer_counts(stacks: int, boards: int, cards: int, seconds: float) -> list[int]:
    """Sizes of the layers from the start on; the last one that the time allows is complete."""
    until = time.monotonic() + seconds
    layer = {rules.canonical(rules.start(stacks, boards, cards))}
    counts = [1]
    while layer:
        after: set[rules.State] = set()
        for state in layer:
            for card in range(state.cards_count):
                for stack in range(stacks):
                    placed = rules.place(state, card, stack)
                    if placed is not None:
                        after.add(rules.canonical(placed))
            if time.monotonic() > until:
                return counts
        layer = after
        counts.append(len(layer))
    return counts


def main() -> None:
    """Compare every cell; exit status 1 when a count differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300, help="time for each cell (default 300)")
    seconds = parser.parse_args().seconds
    record = json.loads(RECORD.read_text())
    wrong = 0
    for cell in CELLS:
        name = "S={} m={} n={}".format(*cell)
        counts = layer_counts(*cell, seconds)
        expected = record[name]["states_count_by_layer"][: len(counts)]
        wrong += counts != expected
        print(f"{name}: {len(counts)} layers, {sum(counts):,} states: {counts}", flush=True)
        if counts != expected:
            print(f"{name}: the record has {expected}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
