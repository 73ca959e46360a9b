"""Runs units as Ray tasks, on this machine or on a cluster."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import time
from collections.abc import Mapping
from typing import Any

# First, because it sets what Ray reads when it is imported.
from pipeline.runners.ray_session import LOOK_UP_S, RaySession  # isort: skip
from pipeline.runners.ray_reaching import one_line

import ray  # isort: skip
import ray._private.state  # isort: skip
import ray.exceptions  # isort: skip

from pipeline.runners.base import Hooks, Runner
from pipeline.runners.faults import execute_leaving_a_trace, fault_of, memory_reason
from pipeline.runners.nodes import Nodes, NodeWatch, nodes_of
from pipeline.runners.ray_homes import home_of, preferring
from pipeline.runners.ray_metrics import RayMetrics
from pipeline.runners.ray_places import REST_S, Places, execute_in_place
from pipeline.runners.waiting import Waiting
from pipeline.signals import was_asked_to_stop
from pipeline.tasks import Brief, Outcome, Task
from pipeline.worker import execute, load
from storage.errors import UserError

WINDOW_PER_CORE = 3
"""Units in flight for each processor: enough that none waits for the driver, few enough to stop quickly."""
LOST = (ray.exceptions.NodeDiedError, ray.exceptions.ObjectLostError)
"""Exceptions of units whose node was lost."""
WARM_UP_S = 10.0
"""Seconds to wait for workers that do not start; after that the first units wait for them."""


class RayRunner(Runner):
    """Runs units as stateless tasks: on a Ray that it starts, with ``cpus`` (None: all), or on the cluster at
    ``address``."""

    def __init__(self, cpus: int | None = None, address: str | None = None) -> None:
        self._session = RaySession(cpus, address)
        self.starting = "starting Ray…" if address is None else f"reaching Ray at {address}…"
        self._in_flight: dict[Any, tuple[Brief, Task]] = {}
        self._done_here: list[tuple[Task, Outcome]] = []
        self._nodes = NodeWatch(_nodes)
        self._places = Places()
        self._waiting = Waiting(lambda: (self._nodes.nodes, ray.available_resources()))  # type: ignore[no-untyped-call]
        self._tell = Hooks().noted
        self._remote: dict[int, Any] = {}
        self._metrics = RayMetrics()
        self.cores = cpus or os.cpu_count() or 1
        self.window = WINDOW_PER_CORE * self.cores

    def start(self, brief: Brief) -> None:
        """Start or reach Ray, once; UserError when that fails or no node has the memory that a unit reserves."""
        is_new = self._session.open()
        self._tell = Hooks().noted
        self._look_at_nodes()
        largest_bytes = self._nodes.nodes.largest_bytes
        if 0 < largest_bytes < brief.memory_bytes:
            raise UserError(
                "job.limits.memory_bytes",
                f"a unit reserves {brief.memory_bytes} bytes; the largest node offers {largest_bytes}: lower the limit",
            )
        if is_new and self._session.is_own:
            self._warm_up(brief)

    def _warm_up(self, brief: Brief) -> None:
        """Let all workers of a Ray that we started import the engine: that takes each longer than many units do."""
        remote = ray.remote(num_cpus=1, memory=brief.memory_bytes, max_retries=0)(load)
        count = min(self.cores, self._nodes.nodes.largest_bytes // brief.memory_bytes)
        ready: set[int] = set()
        deadline_s = time.monotonic() + WARM_UP_S
        while len(ready) < count and time.monotonic() < deadline_s:
            # The first workers may be done before the last have started.
            starting: list[Any] = [remote.remote(brief) for _ in range(count)]
            while starting and time.monotonic() < deadline_s:
                done, starting = ray.wait(starting, num_returns=len(starting), timeout=LOOK_UP_S)
                self._session.watch.check()
                for reference in done:
                    # A failure here will show when a unit meets it.
                    with contextlib.suppress(ray.exceptions.RayError):
                        ready.add(ray.get(reference))

    def _submit(self, brief: Brief, task: Task, attempt: int, hooks: Hooks) -> None:
        if task.is_small:
            progress = functools.partial(hooks.progressed, task)
            self._done_here.append((task, execute(brief, task, attempt, progress)))
            return
        remote = self._remote.get(brief.memory_bytes)
        if remote is None:
            decorate = ray.remote(num_cpus=1, memory=brief.memory_bytes, max_retries=0)
            remote = self._remote[brief.memory_bytes] = decorate(
                execute_leaving_a_trace if self._session.is_own else execute_in_place
            )
        if not self._in_flight:
            self._waiting.moved()
        self._tell = hooks.noted
        nodes = self._nodes.nodes.able
        options = self._places.options() or preferring(home_of(brief, task, nodes))
        handed_out = (remote.options(**options) if options else remote).remote(brief, task, attempt)
        self._in_flight[handed_out] = brief, task

    def _completed(self) -> list[tuple[Task, Outcome]]:
        if self._done_here:
            done, self._done_here = self._done_here, []
            return done
        in_flight = list(self._in_flight)
        while True:
            ready, _ = ray.wait(in_flight, num_returns=1, timeout=LOOK_UP_S)
            self._session.watch.check()
            has_grown = self._look_at_nodes()
            if lost := self._places.lost(in_flight, self._nodes.nodes.alive):
                return [self._given_up(reference) for reference in lost]
            if ready:
                break
            self._waiting.look(self._in_flight.values(), self._tell)
            if has_grown:
                return []
        self._waiting.moved()
        # All that are ready: to ask for one takes longer the more are in flight.
        ready, _ = ray.wait(in_flight, num_returns=len(in_flight), timeout=0)
        return [self._outcome(reference) for reference in ready]

    def _look_at_nodes(self) -> bool:
        """Look now and then which nodes came and went; returns whether more units can be in flight now."""
        told, window = self._nodes.look(), self.window
        self.cores = self._nodes.nodes.cores
        # Units are handed out even when there is no node: a cluster that adds nodes on demand must see the demand.
        self.window = WINDOW_PER_CORE * max(self.cores, 1)
        if told:
            self._tell(told)
        return self.window > window

    def _outcome(self, reference: Any) -> tuple[Task, Outcome]:
        """A task with its outcome, or with the reason why it returned none."""
        brief, task = self._in_flight.pop(reference)
        try:
            outcome: Outcome = ray.get(reference)
            if outcome.full_node:
                outcome = self._elsewhere(outcome)
        except ray.exceptions.RayError as error:
            # When the cluster is gone, units do not count as failed.
            self._session.watch.settle()
            reason = fault_of(brief, task)
            if isinstance(error, ray.exceptions.OutOfMemoryError):
                reason = memory_reason(str(error), brief.memory_bytes)
            elif not isinstance(error, ray.exceptions.WorkerCrashedError):
                reason = one_line(error)
            outcome = Outcome(reason=f"{type(error).__name__}: {reason}", is_lost=isinstance(error, LOST))
        return task, outcome

    def _elsewhere(self, outcome: Outcome) -> Outcome:
        """Handle a unit that met a full disk: other nodes shall do it, while there are any."""
        is_new = outcome.full_node not in self._places.full()
        self._places.rest(outcome.full_node)
        if self._nodes.nodes.able <= self._places.full():
            return outcome
        if is_new:
            self._tell(f"{outcome.error}; its node gets no units for {REST_S / 60:.0f} minutes")
        return dataclasses.replace(outcome, error=None, reason=str(outcome.error), is_lost=True)

    def _given_up(self, reference: Any) -> tuple[Task, Outcome]:
        """The outcome of a task whose node is lost. If the node comes back, the task publishes the same file."""
        _, task = self._in_flight.pop(reference)
        return task, Outcome(reason="its node was lost", is_lost=True)

    def give_up(self) -> None:
        """Kill the workers of units in flight, without waiting for them.

        When the command itself ends, Ray kills what runs for its driver. Then nothing is cancelled here, because
        Ray's core aborts the driver when a task's answer comes after its cancellation ("not pending", status 1).
        """
        if not was_asked_to_stop() and not self._session.watch.is_lost:
            for reference in self._in_flight:
                with contextlib.suppress(ray.exceptions.RayError, ValueError):
                    ray.cancel(reference, force=True)
        self._in_flight.clear()
        self._done_here.clear()

    def tell(self, figures: Mapping[str, float], labels: Mapping[str, str]) -> None:
        """Pass them on as Ray's own metrics, once Ray is there."""
        if ray.is_initialized():
            self._metrics.tell(figures, labels)

    def close(self) -> None:
        """Leave the session."""
        self._session.close()


def _nodes() -> Nodes:
    told: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    return nodes_of(told, ray._private.state.state.get_draining_nodes())
