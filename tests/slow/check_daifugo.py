"""Compares the core of Daihinmin with the referee: lists of legal plays, and whole games turn by turn.

    python tests/slow/check_daifugo.py [--seed N] [--positions N] [--games N]

The same numbers give the same positions and games.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engines" / "daifugo"))

from daifugo_helpers import random_case, random_position

from engines.daifugo import core, rules
from engines.daifugo.core import Player, Range
from engines.daifugo.numbers import play_numbers
from engines.daifugo.record import format_record
from engines.daifugo.replay import replay
from engines.daifugo.rules import Field, Hand


def compare_lists(count: int, seed: int) -> int:
    """Number of hands and fields whose legal plays differ; every other one is the turn of a random position."""
    chance = random.Random(seed)
    kinds: Counter[str] = Counter()
    wrong = plays_count = 0
    begin_s = time.monotonic()
    for number in range(count):
        hand, field = random_case(chance) if number % 2 else _turn(chance)
        found, expected = core.legal_plays(hand, field), rules.legal_plays(hand, field)
        plays_count += len(found)
        kinds[str(rules.kind(field.play))] += 1
        if sorted(map(play_numbers, found)) != sorted(map(play_numbers, expected)):
            wrong += 1
            print(f"legal plays differ: {hand}, {field}", flush=True)
    print(
        f"{count} lists, {plays_count} plays, fields {dict(kinds)}; {wrong} differ; "
        f"{time.monotonic() - begin_s:.0f} s",
        flush=True,
    )
    return wrong


def _turn(chance: random.Random) -> tuple[Hand, Field]:
    position = random_position(chance)
    return position.hands[position.turn], position.field


def compare_games(count: int, seed: int) -> int:
    """Number of games that the referee does not accept: random and rule-based players, and one with playouts."""
    playouts = Player("mc", playouts=20, exchange_playouts=2, endgame_positions=1000)
    players = [Player("random"), Player("rule"), Player("random"), Player("rule"), playouts]
    begin_s = time.monotonic()
    games = core.play_games(players, Range(seed, 0, count), records=True)
    wrong = turns_count = 0
    for record in core.records_of(games):
        turns_count += len(record.turns)
        problem = replay(record).problem
        if problem is not None:
            wrong += 1
            print(f"{problem}:\n{format_record(record)}", flush=True)
    print(
        f"{count} games, {turns_count} turns; {wrong} are against the rules; {time.monotonic() - begin_s:.0f} s",
        flush=True,
    )
    return wrong


def main() -> None:
    """Compare; exit status 1 when something differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=2000)
    arguments = parser.parse_args()
    wrong = compare_lists(arguments.positions, arguments.seed)
    wrong += compare_games(arguments.games, arguments.seed)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
