"""Says what units wait for when none has begun for a while: full nodes, or nodes that went away."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from pipeline.runners.faults import has_begun, tells_of_all
from pipeline.runners.nodes import Nodes
from pipeline.tasks import Brief, Task

PATIENCE_S = 10.0
REPEAT_S = 60.0

Resources = Mapping[str, float]
"""Free resources of a whole cluster: ``CPU`` in processors, ``memory`` in bytes."""


@dataclass
class Waiting:
    """Looks at the units in flight, and reports once a minute while all of them wait."""

    resources: Callable[[], tuple[Nodes, Resources]]
    """The nodes of the cluster, and what is free on them."""
    _idle_since_s: float = field(default_factory=time.monotonic)
    _looked_s: float = 0.0
    _told_s: float = float("-inf")

    def moved(self) -> None:
        """A unit has ended, or the first ones were handed out."""
        self._idle_since_s = time.monotonic()

    def look(self, in_flight: Iterable[tuple[Brief, Task]], tell: Callable[[str], None]) -> None:
        """To be called often. Looks at files and asks the cluster only when nothing has moved for ``PATIENCE_S``."""
        now_s = time.monotonic()
        if now_s - max(self._idle_since_s, self._looked_s) < PATIENCE_S:
            return
        self._looked_s = now_s
        units = list(in_flight)
        if any(has_begun(brief, task) for brief, task in units):
            self.moved()
        elif units and now_s - self._told_s >= REPEAT_S:
            nodes, free = self.resources()
            if free.get("CPU", 0) < nodes.cores and not tells_of_all(units[0][0]):
                # Something is being computed, and it may be one of these units.
                self.moved()
                return
            self._told_s = now_s
            tell(waiting_for(max(brief.memory_bytes for brief, _ in units), nodes, free))


def waiting_for(memory_bytes: int, nodes: Nodes, free: Resources) -> str:
    """In words, what units that need so much memory wait for."""
    begun = f"no unit has begun for {PATIENCE_S:.0f} s; "
    if not nodes.cores:
        return (
            f"{begun}none of the cluster's nodes ({len(nodes.alive)}) has a processor for units: they wait for one "
            "that has (ray start --address=HOST:PORT --num-cpus=N)"
        )
    wanted = f"a node with a free processor and {memory_bytes / 1e9:.1f} GB of memory"
    if nodes.largest_bytes < memory_bytes:
        return f"{begun}each waits for {wanted}; the largest node has {nodes.largest_bytes / 1e9:.1f} GB"
    return (
        f"{begun}each waits for {wanted}; free in the whole cluster: {free.get('CPU', 0):.0f} of {nodes.cores} "
        f"processors, {free.get('memory', 0) / 1e9:.1f} of {nodes.memory_bytes / 1e9:.1f} GB"
    )
