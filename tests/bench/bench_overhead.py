"""What a run on Ray takes more than its core called in a loop, with units of ten seconds (``make bench``).

Deals of Klondike, cut into units by what a deal takes here. The loop asks the engine for the same items in this
process, checks of solutions included; the run adds the driver, Ray, files, records and the summary, but not the start
of Ray, which all jobs of a command share. Both are done in turns, since machines drift, and the quickest counts.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from pathlib import Path

from engines.contract.job import UnitContext
from engines.contract.sweep import Sweep
from pipeline.config import Config, LocalCluster, composing
from pipeline.plan import make_plan
from pipeline.run import plan_run, run_job
from pipeline.series import make_runner
from storage.layout import RunLayout
from storage.place import Place

UNIT_S = 10.0
TRIAL_ITEMS = 1000
"""Of a few deals the hard ones would be missing, which take most of the time."""


def in_a_loop(engine: Sweep, ctx: UnitContext, items_count: int, unit_items_count: int) -> float:
    """Seconds that the core takes for the items, unit by unit."""
    begin_s = time.perf_counter()
    for first in range(0, items_count, unit_items_count):
        engine.run(list(range(first, min(first + unit_items_count, items_count))), ctx)
    return time.perf_counter() - begin_s


def as_a_run(config: Config, unit_items_count: int) -> float:
    """Seconds that a new run takes on one processor of Ray, its end included."""
    planned = plan_run(config)
    folder: Place = planned.layout.run_dir
    assert isinstance(folder, Path)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    units_count = -(-planned.plan["items_count"] // unit_items_count)
    plan = make_plan(planned.engine) | {"unit_items_count": unit_items_count, "units_count": units_count}
    planned.layout.plan.write_text(json.dumps(plan))  # type: ignore[union-attr]
    runner = make_runner(LocalCluster(cpus=1))
    try:
        runner.start(planned.brief)
        begin_s = time.perf_counter()
        status, _ = run_job(config, runner)
    finally:
        runner.close()
    assert status == 0
    return time.perf_counter() - begin_s


def main() -> None:
    """Measure both in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:

        def configured(deals: int) -> Config:
            words = ["job=klondike_sweep", f"job.deals={deals}", f"paths.results={folder}"]
            with composing(None) as composer:
                return composer.compose([*words, f"paths.scratch={folder}/scratch"])

        trial = plan_run(configured(TRIAL_ITEMS))
        assert isinstance(trial.engine, Sweep)
        ctx = trial.brief.context()
        item_s = in_a_loop(trial.engine, ctx, TRIAL_ITEMS, TRIAL_ITEMS) / TRIAL_ITEMS
        unit_items_count = max(1, round(UNIT_S / item_s))
        config = configured(asked.units * unit_items_count)
        engine = plan_run(config).engine
        assert isinstance(engine, Sweep)
        loops, runs = [], []
        for _ in range(asked.rounds):
            loops.append(in_a_loop(engine, ctx, asked.units * unit_items_count, unit_items_count))
            runs.append(as_a_run(config, unit_items_count))
        print(
            f"{asked.units} units of {min(loops) / asked.units:.1f} s: loop {min(loops):.2f} s, run {min(runs):.2f} s, "
            f"overhead {min(runs) / min(loops) - 1:.1%} (all: {[round(each, 2) for each in loops + runs]})"
        )
        assert RunLayout(plan_run(config).layout.run_dir).summary.exists()


if __name__ == "__main__":
    main()
