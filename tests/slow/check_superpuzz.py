"""Decides random deals of Superpuzz, and positions some random moves into them, and compares with the census.

    python tests/slow/check_superpuzz.py [--seed N] [--deals 3=5000,4=4500,5=500]

The census counts every state, so that it knows whether one of them is won; decide leaves out and puts together what it
can. The referee replays the solutions of both. The same numbers give the same positions.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from engines.solitaire.limits import Bounds
from engines.superpuzz import rules
from engines.superpuzz.core import Mode, random_deal, search
from engines.superpuzz.deal import Deal
from engines.superpuzz.rows import format_deal

UNBOUNDED = Bounds()


def positions(columns: int, count: int, seed: int) -> Iterator[Deal]:
    """Each deal, and where some random moves from it lead."""
    for index in range(count):
        deal = random_deal(seed, index, columns)
        yield deal
        chance = random.Random(f"{seed} {columns} {index}")
        position = deal.position
        for _ in range(chance.randrange(1, 10 * columns)):
            moves = rules.legal_moves(position)
            if not moves:
                break
            position = rules.play(position, chance.choice(moves))
        yield Deal(position, deal.kings)


def compare(columns: int, count: int, seed: int) -> int:
    """Number of positions that are decided otherwise; tells how far it is."""
    outcomes: Counter[str] = Counter()
    wrong = states_count = 0
    begin_s = told_s = time.monotonic()
    for done, deal in enumerate(positions(columns, count, seed), start=1):
        census, found = (search(deal, mode, UNBOUNDED) for mode in (Mode.census, Mode.decide))
        states_count += census.effort_count
        outcomes[census.outcome] += 1
        if found.outcome != census.outcome:
            wrong += 1
            print(f"{found.outcome}, the census has {census.outcome}:\n{format_deal(deal)}", flush=True)
        now_s = time.monotonic()
        if now_s - told_s > 10 or done == 2 * count:
            told_s, elapsed_s = now_s, now_s - begin_s
            rate = done / elapsed_s
            print(
                f"{columns} columns: {done} of {2 * count} positions of {count} deals, {dict(outcomes)}, "
                f"{states_count} states; {rate:.0f}/s, {(2 * count - done) / rate:.0f} s left",
                flush=True,
            )
    return wrong


def counts(text: str) -> dict[int, int]:
    """Deals by columns from ``COLUMNS=DEALS,...``."""
    pairs = [pair.split("=") for pair in text.split(",")]
    return {int(columns): int(count) for columns, count in pairs}


def main() -> None:
    """Compare; exit status 1 when an outcome differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--deals", type=counts, default=counts("3=5000,4=4500,5=500"))
    arguments = parser.parse_args()
    wrong = sum(compare(columns, count, arguments.seed) for columns, count in arguments.deals.items())
    print(f"{wrong} positions are decided otherwise", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
