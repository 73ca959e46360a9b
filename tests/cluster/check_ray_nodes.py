"""What takes longer of ``test_ray_nodes``: ends that Ray notices late, and a node that runs out of memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from ray_nodes import started_nodes
from runs import PROGRAM, TOYS, Job, check_same, run_below, run_serially, summary_of, wait_until
from sweeps import Sweep

from pipeline.memory import available_bytes

pytestmark = pytest.mark.ray
ROOM_BYTES = 3_000_000_000
"""Memory that may be taken on the node before Ray ends somebody."""


@pytest.mark.parametrize("part", ["nothing", "a raylet", "a node"])
def test_one_node_is_lost(part: str, tmp_path: Path) -> None:
    """Nothing else is known to go wrong: what is lost counts for no try of a unit."""
    with started_nodes() as nodes:
        nodes.add(0)
        with Sweep(nodes, tmp_path, "job.items=20", "job.limits.retries_count=0", unit_s=3.0) as sweep:
            # A driver ends with the node that it joined by, so that has to be the head.
            sweep.reach("none of the cluster's nodes (1) has a processor for units")
            first, second = nodes.add(1), nodes.add(1)
            begin_s = sweep.elapsed_s
            sweep.reach(4)
            wait_until(lambda: first.units() and second.units(), "units on both nodes")
            if part == "a raylet":
                os.kill(second.raylet, signal.SIGKILL)
            elif part == "a node":
                nodes.remove(second)
            elapsed_s = sweep.end() - begin_s
            print(f"| {part} of two nodes killed | {sweep.check()} | {elapsed_s:.0f} |")


def test_a_node_out_of_memory(tmp_path: Path) -> None:
    """Tries of the unit that takes all are counted, it is recorded with the reason, and the others are done."""
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    used = total - available_bytes()
    faults, results = tmp_path / "faults", tmp_path / "results"
    faults.mkdir()
    eater = faults / "eat-7"
    eater.write_text("100")
    job = Job(
        ("job=toy_sweep", "job.items=12", "job.unit_items=1", f"job.faults={faults}"), 12, "content_digest"
    )
    with started_nodes(RAY_memory_usage_threshold=str((used + ROOM_BYTES) / total)) as nodes:
        nodes.add(1)
        words = [*PROGRAM, "run", *job.words, "cluster=address", f"cluster.address={nodes.address}"]
        words += [
            f"paths.results={results}",
            "--config-dir",
            str(TOYS / "conf"),
            "job.limits.retries_count=1",
        ]
        begin_s = time.monotonic()
        ended = []
        for left in (None, "0"):
            if left is not None:
                eater.write_text(left)
            ended.append(
                subprocess.run(
                    words,
                    cwd=tmp_path,
                    capture_output=True,
                    text=True,
                    env=os.environ | {"RAY_AUTH_MODE": "disabled"},
                )
            )
            if left is None:
                elapsed_s = time.monotonic() - begin_s
                run = run_below(results)
                (failure,) = (run / "failed").iterdir()
                found = json.loads(failure.read_text())
                assert summary_of(run)["units_computed_count"] == 11
    assert [done.returncode for done in ended] == [1, 0], ended
    assert (found["unit"], found["tries"]) == ("000007", 2)
    assert found["reason"].startswith("OutOfMemoryError: its process was ended, with ")
    assert "ran low on memory" in found["reason"]
    check_same(run, run_serially(job, tmp_path / "serial"), job.digest)
    print(f"| a unit that takes all memory: {found['reason']} | 1 | {elapsed_s:.0f} |")
