"""A Ray cluster of several nodes on this machine, in a process of its own: Ray keeps to one way to log in in each.

Run as a program it obeys lines of JSON: ``["add", {...}]`` (arguments of ``Cluster.add_node``), ``["remove", ID]``,
``["fill", BYTES]`` (objects that stay in the store), and answers each with a line.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.memory import descendants
from pipeline.runners.watch import command_line, is_alive

UNIT = "ray::execute"
"""What Ray calls a process that is at work on a unit."""
STORE_BYTES = 80 << 20


@dataclass(frozen=True)
class Node:
    """A node that was added."""

    id: str
    raylet: int
    """Its process, above those that do units."""

    @property
    def is_up(self) -> bool:
        """Whether its raylet is there."""
        return is_alive(self.raylet)

    def units(self) -> list[int]:
        """Its processes that are at work on a unit."""
        return [pid for pid in descendants(self.raylet)[1:] if command_line(pid).startswith(UNIT)]


class Nodes:
    """The cluster, from outside."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.address = ""

    def add(self, cpus: int, **arguments: Any) -> Node:
        """A further node, which is up; the first one is the head."""
        told = self._ask("add", {"num_cpus": cpus, "object_store_memory": STORE_BYTES} | arguments)
        self.address = told["address"]
        return Node(told["id"], told["raylet"])

    def remove(self, node: Node) -> None:
        """Kill all processes of a node, as if it was switched off."""
        self._ask("remove", node.id)

    def fill(self, count_bytes: int) -> None:
        """Put so many bytes of objects in the store of the head, and keep them."""
        self._ask("fill", count_bytes)

    def drain(self, node: Node, seconds: int) -> None:
        """Give a notice of preemption, as an operator or a cloud's handler does."""
        words = ["--reason", "DRAIN_NODE_REASON_PREEMPTION", "--reason-message", "spot"]
        words += [
            "--deadline-remaining-seconds",
            str(seconds),
            "--node-id",
            node.id,
            "--address",
            self.address,
        ]
        subprocess.run([str(Path(sys.executable).parent / "ray"), "drain-node", *words], check=True)

    def _ask(self, what: str, value: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([what, value]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@contextmanager
def started_nodes(**environment: str) -> Iterator[Nodes]:
    """A cluster without a node yet. ``environment`` is that of its processes."""
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:
        variables = {"RAY_AUTH_MODE": "disabled", "RAY_TMPDIR": folder, "RAY_USAGE_STATS_ENABLED": "0"}
        process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | variables | environment,
        )
        try:
            yield Nodes(process)
        finally:
            for pid in [*descendants(process.pid)[1:], process.pid]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            process.communicate()


def _obey() -> None:
    import ray
    from ray.cluster_utils import Cluster

    answers, sys.stdout = sys.stdout, sys.stderr
    cluster, nodes, kept = Cluster(), {}, []
    for line in sys.stdin:
        what, value = json.loads(line)
        told: Any = None
        if what == "add":
            if cluster.head_node is None:
                value["include_dashboard"] = False
            node = cluster.add_node(**value)
            nodes[node.node_id] = node
            (raylet,) = (each.process.pid for each in node.all_processes["raylet"])
            told = {"id": node.node_id, "raylet": raylet, "address": cluster.address}
        elif what == "remove":
            cluster.remove_node(nodes.pop(value), allow_graceful=False)
        elif what == "fill":
            ray.init(address=cluster.address)
            piece = STORE_BYTES // 8
            kept += [ray.put(os.urandom(piece)) for _ in range(value // piece)]
        print(json.dumps(told), file=answers, flush=True)


if __name__ == "__main__":
    _obey()
