"""Games a second of five random clients in processes of their own, over loopback (``make bench``).

With ``--reference PATH`` the contest's own server (the console form of its development kit, built elsewhere) is
measured in turn with ours, with the same clients. It does not set TCP_NODELAY; what does can be loaded into it
(LD_PRELOAD). Compare rows of one run, since machines drift.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import resource
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from engines import _native
from engines.daifugo.rules import PLAYERS

TARGET = 500
SEED = 1
CONFIG = """WINDOW_TYPE console
CONSOLE_TYPE console
GRAPH_WINDOW none
RULE_SEKIGAE yes
RULE_SEKIGAE_NUM 3
FLASH_MIBUN_NUMBER 100
RAND_TYPE MT
GAME_NUMBER {games}
PORT_NUMBER {port}
"""


def client(port: int) -> None:
    """Plays until all is over."""
    guest = _native.DaifugoUecdaGuest(
        "127.0.0.1", port, "random", _native.DaifugoPlayer("random"), seed=SEED, first=0, patience_s=60.0
    )
    while not guest.is_over:
        guest.play()


@contextlib.contextmanager
def clients(port: int) -> Iterator[list[multiprocessing.Process]]:
    """A list of processes, to which clients are added by whoever seats them."""
    started: list[multiprocessing.Process] = []
    yield started
    for each in started:
        each.join()
        assert each.exitcode == 0


def start(port: int) -> multiprocessing.Process:
    """A client in a process of its own."""
    made = multiprocessing.Process(target=client, args=(port,))
    made.start()
    return made


def processor_s() -> float:
    """Of this process and those that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def ours(games: int) -> tuple[float, int]:
    """Seconds of a match at our server, and its turns."""
    listener = _native.DaifugoUecdaListener("127.0.0.1", 0)
    links: list[_native.DaifugoPlayer | _native.DaifugoUecdaLink] = []
    with clients(listener.port) as started:
        for number in range(PLAYERS):
            started.append(start(listener.port))
            link = listener.accept(number, limit_s=60.0, write_limit_s=60.0)
            assert link is not None
            links.append(link)
        match = _native.DaifugoUecdaMatch(links, last=games - 1, limit_s=60.0, takes_chair=False)
        begin_s = time.monotonic()
        played, _, _ = match.play(
            seed=SEED, first=0, count=games, seat_period=3, rank_period=100, records=False
        )
        elapsed_s = time.monotonic() - begin_s
        match.close()
    return elapsed_s, int(played.turns_count.sum())


def reference(path: Path, games: int) -> float:
    """Seconds of a match at the contest's server, from when all are there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "reference.cfg")
        config.write_text(CONFIG.format(games=games, port=port))
        with (
            subprocess.Popen([path, "-c", config], cwd=folder, stdout=subprocess.DEVNULL) as process,
            clients(port) as started,
        ):
            time.sleep(1.0)
            for _ in range(PLAYERS):
                started.append(start(port))
                # Numbers are given in order of connection; none matters here.
                time.sleep(0.5)
            begin_s = time.monotonic()
            process.wait()
            return time.monotonic() - begin_s


def main() -> None:
    """Print a row for each server."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3, help="medians are printed")
    parser.add_argument("--reference", type=Path, metavar="PATH", help="the contest's server")
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    rates, turn_us, other_rates = [], [], []
    for _ in range(options.repeats):
        before_s = processor_s()
        elapsed_s, turns = ours(options.games)
        rates.append(options.games / elapsed_s)
        turn_us.append(1e6 * (processor_s() - before_s) / turns)
        if options.reference is not None:
            few = max(1, options.games // 10)
            other_rates.append(few / reference(options.reference.resolve(), few))
    median = statistics.median(rates)
    row = {
        "measured": "five random clients at our server",
        "games_per_s": round(median),
        "processor_us_a_turn": round(statistics.median(turn_us), 1),
        "target": TARGET,
        "reached": median >= TARGET,
    }
    print(json.dumps(row), flush=True)
    if other_rates:
        other = round(statistics.median(other_rates), 1)
        print(json.dumps({"measured": "the same at the contest's server", "games_per_s": other}))
    print(f"load {os.getloadavg()[0]:.2f} at the end")


if __name__ == "__main__":
    main()
