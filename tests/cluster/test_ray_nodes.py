"""Nodes and processes of a Ray cluster go and come while a sweep runs; what comes out is the serial runner's.

Each test prints a line: what was done to the run, units that were begun twice, and the seconds that it took.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from ray_nodes import STORE_BYTES, started_nodes
from runs import wait_until
from sweeps import Sweep

pytestmark = pytest.mark.ray
JOIN_S = 10.0
"""A node that joins late has work by then."""
DRAIN_S = 30


def test_processes_and_nodes_come_and_go(tmp_path: Path) -> None:
    with started_nodes() as nodes:
        nodes.add(0)
        nodes.fill(2 * STORE_BYTES)
        with Sweep(nodes, tmp_path, "job.items=70", "job.limits.retries_count=1") as sweep:
            sweep.reach("none of the cluster's nodes (1) has a processor for units")
            first = nodes.add(1)
            joined_s = wait_until(first.units, "a unit on the first node", JOIN_S)
            sweep.reach(3)
            wait_until(lambda: kill(first.units(), signal.SIGKILL), "a worker process to kill")
            sweep.reach("killed from outside (SIGKILL, out of memory)")

            second, third = nodes.add(1), nodes.add(1)
            sweep.reach("processors for units: 3 (before: ")
            late_s = wait_until(lambda: second.units() and third.units(), "units on late nodes", JOIN_S)

            nodes.drain(second, DRAIN_S)
            wait_until(lambda: not second.is_up, "the end of a drained node that has nothing to do", DRAIN_S)
            sweep.reach("processors for units: 2 (before: 3)")
            assert "NodeDiedError" not in sweep.said

            wait_until(lambda: third.units() and kill([third.raylet], signal.SIGTERM), "a node to preempt")
            sweep.reach("NodeDiedError")
            nodes.add(4)
            elapsed_s, twice = sweep.end(), sweep.check()
            assert 1 <= twice <= 3  # the same unit can have met with both
            told = f"the object store overfull; a first node (work after {joined_s:.1f} s); a worker process killed; "
            told += (
                f"two nodes more (work after {late_s:.1f} s), one drained, one ended by SIGTERM; a node more"
            )
            print(f"| {told} | {twice} | {elapsed_s:.0f} |")


def kill(pids: list[int], number: int) -> bool:
    """Send a signal; whether there was anybody to send it to."""
    for pid in pids:
        os.kill(pid, number)
    return bool(pids)
