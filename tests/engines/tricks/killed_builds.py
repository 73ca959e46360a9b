"""Kills (-9) the driver of a trick-taking table, goes on with the run, and prints one JSON line for each kill.

python killed_builds.py STRIDE: before and after every STRIDE-th step that touches the disk. Run as a program of its
own, for it forks.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "pipeline"))

import crash_points

from engines.tables import indexed

JOB = "tricks_table"

if __name__ == "__main__":
    # Few states, yet blocks and shards of several.
    indexed.BLOCK_BYTES, indexed.SHARD_BYTES = 32, 128
    crash_points.WORDS[JOB] = [f"job={JOB}", "job.cards=3"]
    crash_points.main(JOB, int(sys.argv[1]))
