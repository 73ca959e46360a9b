"""Speed of Calculation's player: games, evaluations and look-ups a second, cost by assignments kept (``make bench``).

The first decks of seed 1 with 3 stacks and 13 ranks, one core, processor time of the core alone. The table of the stack
game that it plays by is taken from ``YAMAFUDA_TABLES`` (or ``results``) and built there when it is missing. Decks are
played once before, so that the table is in the page cache; each row has a new player, which has looked up nothing yet.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from engines.calculation.core import open_player, random_deck
from engines.calculation.player import Options

ROWS = {50: 100, 200: 60, 800: 30}
"""Assignments kept -> games."""
TARGET_KEEP, TARGET_GAMES_PER_S = 200, 3.0


def measured(tables: Path, keep: int, games_count: int) -> dict[str, Any]:
    """The first games of seed 1."""
    played = open_player(Options(keep=keep), tables).play([random_deck(1, n, 13) for n in range(games_count)])
    seconds = sum(game.elapsed_s for game in played)
    row = {
        "keep": keep,
        "games": games_count,
        "won": sum(game.outcome == "won" for game in played),
        "games_per_cpu_s": round(games_count / seconds, 2),
        "evaluations_per_cpu_s": round(sum(game.evaluations_count for game in played) / seconds),
        "lookups_per_cpu_s": round(sum(game.lookups_count for game in played) / seconds),
        "game_ms": round(1000 * seconds / games_count, 1),
    }
    if keep == TARGET_KEEP:
        row |= {
            "target_games_per_s": TARGET_GAMES_PER_S,
            "reached": row["games_per_cpu_s"] >= TARGET_GAMES_PER_S,
        }
    return row


def main() -> None:
    """Print a row for each number of assignments, and how the cost of a game grows."""
    yamafuda = [sys.executable, "-c", "from pipeline.cli import main; main()"]
    words = ["run", "job=stackgame_table", "job.stacks=3", "job.cards=12", "cluster=serial"]
    subprocess.run([*yamafuda, *words], check=True, stdout=subprocess.DEVNULL)
    tables = Path(os.environ.get("YAMAFUDA_TABLES") or os.environ.get("YAMAFUDA_RESULTS") or "results")
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    measured(tables, *next(iter(ROWS.items())))
    rows = [measured(tables, keep, games) for keep, games in ROWS.items()]
    for row in rows:
        print(json.dumps({"game": "calculation", "stacks": 3, "look_ahead": 0} | row))
    for less, more in pairwise(rows):
        cost, kept = more["game_ms"] / less["game_ms"], more["keep"] / less["keep"]
        print(
            json.dumps(
                {
                    "keep": [less["keep"], more["keep"]],
                    "cost_times": round(cost, 2),
                    "at_most_linear": cost <= kept,
                }
            )
        )
    print(f"load {os.getloadavg()[0]:.2f} at the end")


if __name__ == "__main__":
    main()
