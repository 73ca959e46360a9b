"""Kills (-9) the driver of a stack-game table, goes on with the run, and prints one JSON line for each kill.

python killed_builds.py steps STRIDE [URL/]: before and after every STRIDE-th step that touches the disk.
python killed_builds.py moments COUNT: at random moments over the time that the build takes.

Run as a program of its own, for it forks.
"""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "pipeline"))

import crash_points
from toy_helpers import compose, summary

from engines.stackgame import table
from pipeline.config import Config, Paths
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.manifest import verify_manifest
from storage.rowdigest import content_digest

JOB = "stackgame_table"
# Few states, yet layers of two shards with keys to exchange, which come in rounds.
STEPS_WORDS = [f"job={JOB}", "job.cards=3", "job.limits.memory_bytes=1024"]
MOMENTS_WORDS = [f"job={JOB}", "job.cards=5", "job.limits.memory_bytes=4096"]
FIGURES = ("states_count_by_layer", "p_start", "p_sum", "content_digest", "files_digest")


def kill_at_moments(count: int) -> None:
    """Kill ``count`` builds, one in each of as many parts of the time that a build takes."""
    table.SMALL_LAYER_STATES, table.LEAST_SHARDS = 100, 2
    base = compose(*MOMENTS_WORDS)

    def below(root: str) -> Config:
        return dataclasses.replace(base, paths=Paths(root, root, f"{root}/scratch"))

    durations_s = []
    for root in ("warm", "undisturbed"):
        begin_s = time.monotonic()
        status, _ = crash_points.in_child(below(root))
        durations_s.append(time.monotonic() - begin_s)
        assert status == 0
    expected = crash_points.the_run("undisturbed")
    chance = random.Random(20)
    for number in range(count):
        moment_s = (number + chance.random()) / count * min(durations_s)
        root = f"run-{number}"
        child = os.fork()
        if child == 0:
            os._exit(run_job(below(root), SerialRunner())[0])
        time.sleep(moment_s)
        os.kill(child, signal.SIGKILL)
        killed = os.WIFSIGNALED(os.waitpid(child, 0)[1])
        status, _ = crash_points.in_child(below(root))
        run = crash_points.the_run(root)
        report = {
            "moment_s": moment_s,
            "killed": killed,
            "status": status,
            "same": crash_points.content(run) == crash_points.content(expected),
            "figures": all(summary(run)[name] == summary(expected)[name] for name in FIGURES),
            "rows": content_digest(run) == content_digest(expected),
            "problems": list(verify_manifest(run)),
            "computed_twice": summary(run)["units_computed_twice_count"],
            "leftovers": [str(path) for name in ("work", "staging") for path in (run / name).rglob("*")],
        }
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "steps":
        table.SMALL_LAYER_STATES, table.LEAST_SHARDS = 20, 2
        crash_points.WORDS[JOB] = STEPS_WORDS
        crash_points.main(JOB, int(sys.argv[2]), "".join(sys.argv[3:]))
    else:
        kill_at_moments(int(sys.argv[2]))
