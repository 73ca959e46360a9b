"""Which nodes of a cluster take units. Nodes come and go while a phase runs, so the cluster is asked again and
again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LOOK_S = 2.0
"""Seconds between two looks at the nodes, at least: fifty times what a look takes."""


@dataclass(frozen=True)
class Nodes:
    """The nodes of a cluster at one time."""

    alive: frozenset[str]
    """Their ids."""
    able: frozenset[str]
    """The nodes that take units."""
    cores: int
    """Processors of the nodes that take units."""
    memory_bytes: int
    """Their memory in all."""
    largest_bytes: int
    """Memory of the largest of them."""
    leaving: frozenset[str]
    """Addresses of nodes that will leave: Ray gives them no more units."""


def nodes_of(told: Sequence[Mapping[str, Any]], draining: Mapping[str, int]) -> Nodes:
    """From Ray's list of its nodes, and those of them (by ``NodeID``) that are being drained."""
    alive = [node for node in told if node["Alive"]]
    able = [node for node in alive if node["NodeID"] not in draining and node["Resources"].get("CPU", 0) >= 1]
    memory = [node["Resources"].get("memory", 0) for node in able]
    return Nodes(
        alive=frozenset(node["NodeID"] for node in alive),
        able=frozenset(node["NodeID"] for node in able),
        cores=int(sum(node["Resources"]["CPU"] for node in able)),
        memory_bytes=int(sum(memory)),
        largest_bytes=int(max(memory, default=0)),
        leaving=frozenset(node["NodeManagerAddress"] for node in alive if node["NodeID"] in draining),
    )


@dataclass
class NodeWatch:
    """Remembers the nodes as they were at the last look."""

    ask: Callable[[], Nodes]
    nodes: Nodes = field(default_factory=lambda: Nodes(frozenset(), frozenset(), 0, 0, 0, frozenset()))
    _next_s: float = 0.0

    def look(self) -> str:
        """Ask the cluster, if it is time to; returns what has changed, in words, or nothing."""
        begin_s = time.monotonic()
        if begin_s < self._next_s:
            return ""
        before, self.nodes = self.nodes, self.ask()
        took_s = time.monotonic() - begin_s
        self._next_s = begin_s + max(LOOK_S, 50 * took_s)
        return changed(before, self.nodes)


def changed(before: Nodes, now: Nodes) -> str:
    """In one line, the nodes that came or went."""
    parts = []
    if told := sorted(now.leaving - before.leaving):
        parts.append(f"will leave, and get no more units: {', '.join(told)}")
    if now.cores != before.cores:
        parts.append(f"processors for units: {now.cores} (before: {before.cores})")
    return f"nodes: {'; '.join(parts)}" if parts else ""
