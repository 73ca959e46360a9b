"""Holds the rules for any size against every deal of small hands, and against the first tricks of random large ones.

    python tests/slow/check_tricks.py [--cards N] [--avoid-cards N] [--deals N] [--seed N]

Small hands of Whist are played by a program that shares nothing with the core (engines/tricks/whist.py). Where points
are to be avoided, the core's tables are the truth, which try all cards. A large deal agrees when its value, either
player leading, is what comes out of its first trick, where each pair of cards is worth what the rule says.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time

import numpy as np

from engines import _native
from engines.tricks import large, whist
from engines.tricks.table import TricksTable, TricksTableJob
from engines.tricks.text import WrittenDeal
from storage.block import encode_block

CHUNK = 1 << 20


def every_deal(cards: int) -> int:
    """Number of values that differ, of all deals of so many cards each."""
    wrong = 0
    deals_count = math.comb(2 * cards, cards)
    bits = np.arange(2 * cards - 1, -1, -1, dtype=np.uint32)
    for first in range(0, deals_count, CHUNK):
        patterns = _native.tricks_patterns(cards, first, min(CHUNK, deals_count - first))
        owners = (patterns[:, None] >> bits) & 1 == 1
        for left_leads in (True, False):
            told = _native.tricks_whist(owners, left_leads)
            wrong += int((told != whist.tricks(cards, patterns, left_leads)).sum())
    return wrong


def avoided(cards_max: int) -> int:
    """Number of values that differ where points are to be avoided, of all deals of up to so many cards each."""
    wrong, below = 0, None
    table = TricksTable(TricksTableJob("tricks_table", cards=cards_max, aim="fewest"))
    for cards in range(1, cards_max + 1):
        hands, log2 = table.groups_count(cards), table.block_groups_log2(cards)
        parts = [(first, min(1 << log2, hands - first)) for first in range(0, hands, 1 << log2)]
        layer = [table.evaluate(cards, first, count, below) for first, count in parts]
        size = table.group_values(cards)
        blocks = [
            np.frombuffer(encode_block(None, values, 64, first * size), np.uint8)
            for (first, _), values in zip(parts, layer, strict=True)
        ]
        below = table.open_below(cards, log2, blocks)
        bits = np.arange(2 * cards - 1, -1, -1, dtype=np.uint32)
        owners = (_native.tricks_patterns(cards, 0, hands)[:, None] >> bits) & 1 == 1
        # Values are those of Left in the lead; the exchanged hands are the same deals with Right there.
        for count in sorted({0, 1, 2 * cards - 1, 2 * cards}):
            told = _native.tricks_avoid(owners, count, True)
            exchanged = count - _native.tricks_avoid(~owners, count, False)
            played = np.concatenate(layer).reshape(hands, size)[:, count]
            wrong += int((told != played).sum() + (exchanged != played).sum())
    return wrong


def random_deals(count: int, seed: int) -> int:
    """Number of deals of Whist of 14 to 100 cards each that their first tricks contradict."""
    chance = random.Random(seed)
    wrong = 0
    for _ in range(count):
        cards = chance.randint(14, 100)
        order = chance.sample(range(1, 2 * cards + 1), 2 * cards)
        left, right = (tuple(sorted(hand, reverse=True)) for hand in (order[:cards], order[cards:]))
        try:
            large.first_trick(WrittenDeal(left, right, 2 * cards), 0, "most")
        except RuntimeError as error:
            print(error)
            wrong += 1
    return wrong


def main() -> int:
    """Print what was compared; 1 when something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=large.WHIST_CHECKED, help="of the largest deals played")
    parser.add_argument(
        "--avoid-cards", type=int, default=large.AVOID_CHECKED, help="where points are to be avoided"
    )
    parser.add_argument("--deals", type=int, default=2000, help="large ones")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wrong = 0
    for cards in range(1, arguments.cards + 1):
        begin_s, found = time.process_time(), every_deal(cards)
        wrong += found
        spent_s = time.process_time() - begin_s
        print(
            f"{math.comb(2 * cards, cards):,} deals of {cards} cards each: {found} differ, {spent_s:.0f} s",
            flush=True,
        )
    found = avoided(arguments.avoid_cards)
    wrong += found
    print(
        f"points to be avoided, all deals of up to {arguments.avoid_cards} cards each: {found} differ",
        flush=True,
    )
    found = random_deals(arguments.deals, arguments.seed)
    print(
        f"{arguments.deals:,} deals of 14 to 100 cards each (seed {arguments.seed}): {found} contradict themselves"
    )
    return int(wrong + found > 0)


if __name__ == "__main__":
    sys.exit(main())
