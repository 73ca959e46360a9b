"""Learns Daihinmin's playout policy ``champion`` from self-play alone and writes its file (15 minutes of one core).

Each generation is a run of ``job=daifugo_policy`` by the policy of the generation before, the first by one to which
all plays are as likely. Whoever stops this and begins again goes on where it was: finished runs are not made anew.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from engines.daifugo.player_files import POLICIES

FIRST_SEED = 401
GENERATIONS = [4_000] * 6 + [12_000] * 4
"""Games of each without a network."""
NETWORK_GENERATIONS = [60_000, 100_000]
"""And of those with one."""
TEMPERATURE = 0.05


def yamafuda(*words: str) -> str:
    """The last line that a command prints; CalledProcessError if it fails."""
    command = [sys.executable, "-c", "from pipeline.cli import main; main()", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]


def generation(number: int, games: int, network: bool, weights: Path | None) -> Path:
    """The file of a generation, by that of the one before."""
    options = {
        "games": games,
        "seed": FIRST_SEED + number,
        "network": str(network).lower(),
        "temperature": TEMPERATURE,
        "weights": weights or "null",
    }
    run = yamafuda("run", "job=daifugo_policy", *(f"job.{name}={value}" for name, value in options.items()))
    file = Path(run) / "export" / "policy.json"
    if not file.exists():
        yamafuda("export", run)
    print(f"generation {number + 1} of {len(GENERATIONS) + len(NETWORK_GENERATIONS)}: {file}", flush=True)
    return file


def main() -> None:
    """Write the file."""
    weights: Path | None = None
    sizes = [(games, False) for games in GENERATIONS] + [(games, True) for games in NETWORK_GENERATIONS]
    for number, (games, network) in enumerate(sizes):
        weights = generation(number, games, network, weights)
    assert weights is not None
    shutil.copyfile(weights, POLICIES / "champion.json")


if __name__ == "__main__":
    main()
