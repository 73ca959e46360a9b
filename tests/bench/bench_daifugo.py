"""Speed of Daihinmin beside its targets, in processor time of one thread (``make bench``).

Playouts are those of a Monte-Carlo player (UCB1 among all plays) at the first turn of a game, to the end of its own
game, the hidden cards dealt anew for each. Legal plays are listed by the core's own example, which cargo builds: they
are too quick to be asked for one by one from Python. Compare rows of one run, since machines drift.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engines.daifugo import core
from engines.daifugo.core import Generator, Knowledge, Player, Range
from engines.daifugo.player_files import POLICIES, read_weights

CRATE = Path(__file__).parents[2] / "engines/native/Cargo.toml"
TARGETS = {"playouts_per_s": 250_000, "legal_plays_per_s": 20_000_000, "games_per_s": 5_000}
PLAYOUTS, GAMES = 200_000, 10_000


def rate(count: int, call: Callable[[], Any]) -> float:
    """Of ``count`` things that a call does."""
    begin_s = time.thread_time()
    call()
    return count / (time.thread_time() - begin_s)


def row(what: str, unit: str, rates: list[float], target: float | None) -> dict[str, Any]:
    """For printing; the median counts."""
    median = statistics.median(rates)
    found: dict[str, Any] = {"measured": what, unit: round(median)}
    return found if target is None else found | {"target": target, "reached": median >= target}


def first_turn() -> Knowledge:
    """What the player knows that leads in the first game of seed 1."""
    games = core.play_games([Player("rule")] * 5, Range(1, 0, 1), records=True)
    (record,) = core.records_of(games)
    return core.known_at(record, 0)


def playout_rates(generator: str, repeats: int, weights: str | None = None) -> list[float]:
    """Playouts a second, uniform ones or by the package's policy of a name."""
    known = first_turn()
    options: dict[str, Any] = {"generator": Generator(generator), "exchange_playouts": 1}
    if weights is not None:
        options |= {"policy": "learnt", "policy_weights": read_weights(weights), "policy_passes": True}
    player = Player("mc", playouts=PLAYOUTS, **options)
    return [rate(PLAYOUTS, partial(core.evaluate, known, player, seed)) for seed in range(repeats)]


def game_rates(kind: str, repeats: int) -> list[float]:
    """Games of five players of a kind a second."""
    players = [Player(kind)] * 5
    ranges = (Range(seed, 0, GAMES) for seed in range(repeats))
    return [rate(GAMES, partial(core.play_games, players, games)) for games in ranges]


def legal_rate() -> float | None:
    """Legal plays listed a second, at the positions of random games; None without cargo."""
    cargo = shutil.which("cargo")
    if cargo is None:
        return None
    words = ["run", "--release", "--locked", "--quiet", "--features", "pyo3/extension-module"]
    command = [cargo, *words, "--manifest-path", str(CRATE), "--example", "daifugo"]
    # It goes on with measurements that are made here otherwise.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = process.stdout.readline()
        process.terminate()
    match = re.search(r"([\d.]+) M plays/s", printed)
    assert match is not None, printed
    return 1e6 * float(match[1])


def main() -> None:
    """Print a row for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="medians are printed")
    repeats = parser.parse_args().repeats
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    for generator in ("rand", "rand_d", "exchange"):
        target = TARGETS["playouts_per_s"] if generator == "rand" else None
        rates = playout_rates(generator, repeats)
        print(json.dumps(row(f"playouts, {generator}", "playouts_per_s", rates, target)), flush=True)
    for policy in sorted(path.stem for path in POLICIES.glob("*.json")):
        # By turns, so that a machine that drifts does so for both.
        pairs = [(playout_rates("rand", 1), playout_rates("rand", 1, policy)) for _ in range(repeats)]
        print(
            json.dumps(
                row(f"playouts, rand, policy {policy}", "playouts_per_s", [own for _, [own] in pairs], None)
            )
        )
        ratio = statistics.median(uniform / own for [uniform], [own] in pairs)
        print(json.dumps({"measured": f"a playout by {policy}, in uniform ones", "ratio": round(ratio, 2)}))
    for kind in ("rule", "random"):
        target = TARGETS["games_per_s"] if kind == "rule" else None
        rates = game_rates(kind, repeats)
        print(json.dumps(row(f"five {kind} players", "games_per_s", rates, target)), flush=True)
    listed = legal_rate()
    if listed is None:
        print("legal plays: cargo was not found")
    else:
        print(json.dumps(row("legal plays", "legal_plays_per_s", [listed], TARGETS["legal_plays_per_s"])))
    print(f"load {os.getloadavg()[0]:.2f} at the end")


if __name__ == "__main__":
    main()
