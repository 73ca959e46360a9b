"""Speed of the stack-game tables: whole builds on one and two cores, look-ups, bytes a state (``make bench``).

Whole builds are ordinary runs in a temporary folder, storage and checks included. Rates are states a second of wall
time without the start of Ray, and of processor time in a serial build; compare rows of one run, since machines drift.
Look-ups are also measured in the tables of twelve cards that ``make tables`` and ``make tables-full`` have left.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from engines import _native
from engines.stackgame.table import StackgameTable, StackgameTableJob
from engines.tables.keyed_files import decode, open_layer
from pipeline.roots import all_runs
from storage.block import order_key
from storage.layout import RunLayout
from storage.shardfile import open_shard


def build(root: Path, job: StackgameTableJob, cluster: str) -> tuple[dict[str, Any], float]:
    """One build as a user starts it; its summary, and the processor time of the command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        str(Path(sys.executable).with_name("yamafuda")),
        "run",
        "job=stackgame_table",
        *(f"job.{name}={getattr(job, name)}" for name in ("stacks", "cards", "form")),
        *cluster.split(),
    ]
    environment = os.environ | {"YAMAFUDA_RESULTS": str(root)}
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = json.loads(Path(done.stdout.splitlines()[-1], "summary.json").read_text())
    return summary, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def core_seconds(job: StackgameTableJob) -> float:
    """Processor time of the native core alone for the same build, in memory."""
    table = StackgameTable(job)
    game = table.kernel
    begin_s = time.process_time()
    layers = [game.start()]
    for layer, below in itertools.pairwise(table.layers()):
        count = table.keys_count(below)
        if count is not None:
            layers.append(np.arange(count, dtype=np.uint64))
            continue
        successors = _native.Successors(game, layer.layer, 1 << 24)
        successors.push(layers[-1])
        layers.append(successors.take())
    reader = None
    for layer, keys in zip(reversed(table.layers()), reversed(layers), strict=True):
        values = game.evaluate(layer.layer, keys, reader)
        blocks = list(table.pack(keys, values, "float32", layer))
        for block in blocks:
            order_key(block)
        reader = _native.LayerReader(game, layer.layer, [np.frombuffer(block, np.uint8) for block in blocks])
    return time.process_time() - begin_s


def stored_states(table: StackgameTable, run: Path, count: int) -> tuple[Any, Any]:
    """Layers and places of about ``count`` stored states, uniformly random, in random order."""
    layout = RunLayout(run)
    random = np.random.default_rng(1)
    share = count / json.loads(layout.summary.read_text())["states_count"]
    layers, places = [], []
    for layer in table.layers():
        for shard in range(layer.shards_count):
            path = layout.shard(layer.layer, shard)
            with open_shard(path) as opened:
                for _, block in opened.blocks():
                    keys, _ = decode(path, block)
                    places.append(random.choice(keys, random.poisson(share * len(keys))))
                    layers.append(np.full(len(places[-1]), layer.layer, np.uint8))
    order = random.permutation(sum(map(len, places)))
    return np.concatenate(layers)[order], np.concatenate(places)[order]


def lookups(run: Path, job: StackgameTableJob) -> dict[str, float]:
    """Random look-ups a second of processor time in a whole table, in batches, page cache warm."""
    table = StackgameTable(job)
    files = [open_layer(table.kernel, RunLayout(run), layer) for layer in table.layers()]
    reader = _native.TableReader(table.kernel, [layer.native for layer in files])
    layers, places = stored_states(table, run, 1 << 21)
    _, codes = reader.lookup(layers, places)
    assert not codes.any()
    rates = {}
    for batch in (1024, 1 << 20):
        times = []
        ends = range(batch, len(places) + 1, batch)
        for _ in range(5):
            begin_s = time.process_time()
            for end in ends:
                reader.lookup(layers[end - batch : end], places[end - batch : end])
            times.append(time.process_time() - begin_s)
        rates[f"lookups_per_s_batch_{batch}"] = batch * len(ends) / statistics.median(times)
    return rates


def largest_tables() -> dict[tuple[int, int], Path]:
    """The finished tables of two boards of twelve cards below the usual roots, by stacks and cards."""
    found = {}
    for run in all_runs():
        layout = RunLayout(run)
        if layout.manifest.exists():
            job = json.loads(layout.plan.read_text())["job"]
            found_job = (job["name"], job.get("boards"), job.get("cards"), job.get("form"))
            if found_job == ("stackgame_table", 2, 12, "auto"):
                found[job["stacks"], 12] = run
    return found


def main() -> None:
    """Print a row for each table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", default="8,9,10", help="cards a board, comma separated")
    parser.add_argument("--stacks", default="3,4")
    parser.add_argument("--form", default="auto", choices=("auto", "indexed"))
    parser.add_argument("--repeats", type=int, default=3, help="builds of each kind; medians are printed")
    arguments = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    for (stacks, cards), run in largest_tables().items():
        job = StackgameTableJob(stacks=stacks, cards=cards)
        rates = {name: round(rate) for name, rate in lookups(run, job).items()}
        print(json.dumps({"stacks": stacks, "cards": cards, **rates}), flush=True)
    for stacks in map(int, arguments.stacks.split(",")):
        for cards in map(int, arguments.cards.split(",")):
            job = StackgameTableJob(stacks=stacks, cards=cards, form=arguments.form)
            rows: dict[str, list[float]] = {"1": [], "2": [], "cpu": []}
            for _ in range(arguments.repeats):
                for cluster in (
                    "cluster=serial",
                    "cluster=local cluster.cpus=1",
                    "cluster=local cluster.cpus=2",
                ):
                    with tempfile.TemporaryDirectory() as folder:
                        summary, cpu_s = build(Path(folder), job, cluster)
                        if cluster == "cluster=serial":
                            rows["cpu"].append(summary["states_count"] / cpu_s)
                            if not rows["1"]:
                                run = next(p.parent for p in Path(folder).rglob("summary.json"))
                                found = lookups(run, job)
                        else:
                            rows[cluster[-1]].append(summary["states_per_s"])
            states = summary["states_count"]
            one, two = statistics.median(rows["1"]), statistics.median(rows["2"])
            core_s = core_seconds(job)
            print(
                json.dumps(
                    {
                        "stacks": stacks,
                        "cards": cards,
                        "form": job.form,
                        "states": states,
                        "states_per_s_1_core": round(one),
                        "states_per_s_2_cores": round(two),
                        "two_over_one": round(two / one, 2),
                        "states_per_cpu_s_serial_command": round(statistics.median(rows["cpu"])),
                        "states_per_cpu_s_core_alone": round(states / core_s),
                        "share_outside_core": round(1 - core_s * one / states, 2),
                        "bytes_a_state": round(summary["size_bytes"] / states, 2),
                        "peak_bytes": summary["peak_bytes"],
                        **{name: round(rate) for name, rate in found.items()},
                    }
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
