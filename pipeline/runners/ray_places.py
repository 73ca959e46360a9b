"""Where units run: units on lost nodes are found by marks, and nodes with a full disk get no units.

Each unit has a mark in the cluster's key-value store while it runs. A machine that loses power or network closes no
connection. Ray notices after a minute, and fails what it has not yet sent there; but the call that waits for a
running unit goes on for five minutes (gRPC's keepalive). Marks of killed workers stay, some hundred bytes each, as
long as the head does.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.experimental import internal_kv as kv

from pipeline.runners.faults import execute_leaving_a_trace
from pipeline.tasks import Brief, Outcome, Task
from storage.errors import DiskFullError
from storage.place import ObjectPath

GRACE_S = 6.0
"""How long Ray may take to fail the units of a node that it knows to be lost."""
LOOK_S = 2.0
REST_S = 300.0
"""How long a node gets no units after its disk was found full."""
MARK_S = 5.0
"""How long a unit waits for its mark. After a network that was cut for seconds a call may wait for seven minutes."""
HEED_S = 600.0
"""After this time Ray itself has failed all that ran on a lost node."""
_NAMESPACE = b"yamafuda-places"


def execute_in_place(brief: Brief, task: Task, try_number: int) -> Outcome:
    """``execute_leaving_a_trace`` on a node of a cluster; the unit's mark lasts as long."""
    context = ray.get_runtime_context()
    node = context.get_node_id()
    with _marked(_below(context.get_job_id(), node) + (context.get_task_id() or "").encode()):
        outcome = execute_leaving_a_trace(brief, task, try_number)
    # Files for an object store are written to the node's disk first; a folder is shared by all nodes.
    if isinstance(outcome.error, DiskFullError) and isinstance(brief.layout.run_dir, ObjectPath):
        outcome.full_node = node
        place = f"{socket.gethostname()}:{brief.scratch_dir}"
        outcome.error = DiskFullError(
            place,
            "no room left on the disk where files for the object store are written first; make room there",
        )
    return outcome


@contextlib.contextmanager
def _marked(key: bytes) -> Iterator[None]:
    # A unit runs even if its mark cannot be set.
    head = kv.internal_kv_get_gcs_client()  # type: ignore[no-untyped-call]
    with contextlib.suppress(Exception):
        head.internal_kv_put(key, b"", True, _NAMESPACE, timeout=MARK_S)
    yield
    with contextlib.suppress(Exception):
        head.internal_kv_del(key, False, _NAMESPACE, timeout=MARK_S)


@dataclass
class Places:
    """Knows which nodes were lost, and which have a full disk."""

    _alive: frozenset[str] = frozenset()
    _gone_s: dict[str, float] = field(default_factory=dict)
    """For each lost node, when it was first missed."""
    _next_s: float = 0.0
    _full_s: dict[str, float] = field(default_factory=dict)
    """For each full node, until when it gets no units."""

    def rest(self, node: str) -> None:
        """Give a node whose disk is full no units for ``REST_S``."""
        self._full_s[node] = time.monotonic() + REST_S

    def full(self) -> frozenset[str]:
        """The nodes that get no units now."""
        now_s = time.monotonic()
        return frozenset(node for node, until_s in self._full_s.items() if now_s < until_s)

    def options(self) -> dict[str, Any]:
        """Options with which Ray gives a task to no full node."""
        full = self.full()
        return {"label_selector": {"ray.io/node-id": f"!in({','.join(sorted(full))})"}} if full else {}

    def lost(self, in_flight: Iterable[Any], alive: frozenset[str]) -> list[Any]:
        """Those of the references ``in_flight`` whose units began on a node that has been gone for ``GRACE_S``.

        ``alive``: the nodes of now. To be called often; asks the cluster only after a loss.
        """
        now_s = time.monotonic()
        for node in self._alive - alive:
            self._gone_s[node] = now_s
        self._alive = alive
        if not self._gone_s or now_s < self._next_s:
            return []
        self._next_s = now_s + LOOK_S
        job = ray.get_runtime_context().get_job_id()
        begun: set[bytes] = set()
        for node, gone_s in list(self._gone_s.items()):
            if now_s - gone_s > HEED_S:
                del self._gone_s[node]
            elif now_s - gone_s >= GRACE_S:
                begun.update(kv._internal_kv_list(_below(job, node), namespace=_NAMESPACE))
        tasks = {key.rpartition(b"/")[2].decode() for key in begun}
        return [reference for reference in in_flight if reference.task_id().hex() in tasks]


def _below(job: str, node: str) -> bytes:
    """The beginning of the keys of a job's units on a node."""
    return f"{job}/{node}/".encode()
