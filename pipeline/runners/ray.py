"""Runs units as Ray tasks, on this machine or on a cluster. The only module that imports Ray."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import signal
import socket
import threading
import time
from pathlib import Path
from typing import Any

# Ray reads these when it is imported or started: no usage report, no notices, no retries besides ours.
_RAY_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_task_oom_retries": "0",
    "RAY_DEDUP_LOGS": "0",
}
for _name, _value in _RAY_ENVIRONMENT.items():
    os.environ.setdefault(_name, _value)

import ray  # noqa: E402
import ray._private.worker  # noqa: E402
import ray.exceptions  # noqa: E402

from pipeline.memory import descendants  # noqa: E402
from pipeline.runners.base import Hooks, Runner  # noqa: E402
from pipeline.runners.faults import execute_leaving_a_trace, fault_of  # noqa: E402
from pipeline.signals import was_asked_to_stop  # noqa: E402
from pipeline.tasks import Brief, Outcome, Task  # noqa: E402
from pipeline.worker import execute, load  # noqa: E402
from storage.errors import UserError  # noqa: E402

# Ray's threads print notices of dead workers to stdout, whatever is said of logs; they are in our outcomes.
ray._private.worker._worker_logs_enabled = False

WINDOW_PER_CORE = 3
"""In flight for each processor: enough that none waits for the driver, few enough to stop quickly."""
OBJECT_STORE_BYTES = 128 << 20
"""Only records of a kilobyte travel through Ray; files do not."""
WARM_UP_S = 10.0
"""Patience with workers that do not start; the first units wait for them then."""
REACH_S = 10.0
"""Patience with the head of a cluster that does not answer."""
LOOK_UP_S = 0.1
"""How long the driver waits before it looks at signals again."""


class RayRunner(Runner):
    """Units as stateless tasks: on a Ray of our own with ``cpus`` (None: all), or on that at ``address``."""

    def __init__(self, cpus: int | None = None, address: str | None = None) -> None:
        self._cpus = cpus
        self._address = address
        self.starting = "starting Ray…" if address is None else f"reaching Ray at {address}…"
        self._abandoned = False
        self._ended = threading.Event()
        self._in_flight: dict[Any, tuple[Brief, Task]] = {}
        self._done_here: list[tuple[Task, Outcome]] = []
        self._largest_bytes = 0
        self._remote: dict[int, Any] = {}
        self.cores = cpus or os.cpu_count() or 1
        self.window = WINDOW_PER_CORE * self.cores

    def start(self, brief: Brief) -> None:
        """Start or reach Ray once; UserError when that fails or no node has the memory that a unit reserves."""
        is_new = not ray.is_initialized()
        if is_new:
            self._connect()
        # Each phase comes here, and a cluster takes a millisecond to answer.
        if is_new or not self._largest_bytes:
            nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
            alive = [node["Resources"] for node in nodes if node["Alive"]]
            self.cores = int(sum(resources.get("CPU", 0) for resources in alive)) or 1
            self.window = WINDOW_PER_CORE * self.cores
            self._largest_bytes = int(max((resources.get("memory", 0) for resources in alive), default=0))
        if brief.memory_bytes > self._largest_bytes:
            raise UserError(
                "job.limits.memory_bytes",
                f"a unit reserves {brief.memory_bytes} bytes; "
                f"the largest node offers {self._largest_bytes}: lower the limit",
            )
        if is_new and self._address is None:
            self._warm_up(brief)

    def _warm_up(self, brief: Brief) -> None:
        """Have all our own workers import the engine, which takes each of them longer than many a unit."""
        remote = ray.remote(num_cpus=1, memory=brief.memory_bytes, max_retries=0)(load)
        count = min(self.cores, self._largest_bytes // brief.memory_bytes)
        ready: set[int] = set()
        deadline_s = time.monotonic() + WARM_UP_S
        while len(ready) < count and time.monotonic() < deadline_s:
            # The first workers may be done before the last have started.
            starting: list[Any] = [remote.remote(brief) for _ in range(count)]
            while starting:
                done, starting = ray.wait(starting, num_returns=len(starting), timeout=LOOK_UP_S)
                for reference in done:
                    # A failure will show, and be told, when a unit meets it.
                    with contextlib.suppress(ray.exceptions.RayError):
                        ready.add(ray.get(reference))

    def _connect(self) -> None:
        options: dict[str, Any] = {
            "include_dashboard": False,
            "logging_level": logging.CRITICAL,
            "log_to_driver": False,
            "configure_logging": False,
        }
        if self._address is None:
            options |= {"num_cpus": self._cpus, "object_store_memory": OBJECT_STORE_BYTES, "address": "local"}
        else:
            _check_address(self._address)
            options |= {"address": self._address}
            del options["include_dashboard"]
        logging.getLogger("ray").setLevel(logging.CRITICAL)
        try:
            self._init(options)
        except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
            if self._address is None:
                raise UserError("cluster", f"Ray cannot be started: {_one_line(error)}") from error
            hint = "is its token, or RAY_AUTH_MODE, set here as it is there?"
            raise UserError("cluster.address", f"{_one_line(error)}; {hint}") from error
        if self._address is None:
            _end_autoscaler()

    def _init(self, options: dict[str, Any]) -> None:
        """``ray.init`` in a thread: it takes seconds in which this one must heed Ctrl-C."""
        begun, failures = threading.Event(), []

        def hold() -> None:
            try:
                ray.init(**options)
            except BaseException as error:
                failures.append(error)
            begun.set()
            # Ray's processes end with the thread that started them.
            self._ended.wait()

        threading.Thread(target=hold, name="ray-start", daemon=True).start()
        try:
            while not begun.wait(LOOK_UP_S):
                pass
        except KeyboardInterrupt:
            self._abandoned = True
            raise
        if failures:
            raise failures[0]

    def _submit(self, brief: Brief, task: Task, attempt: int, hooks: Hooks) -> None:
        if task.is_small:
            progress = functools.partial(hooks.progressed, task)
            self._done_here.append((task, execute(brief, task, attempt, progress)))
            return
        remote = self._remote.get(brief.memory_bytes)
        if remote is None:
            decorate = ray.remote(num_cpus=1, memory=brief.memory_bytes, max_retries=0)
            remote = self._remote[brief.memory_bytes] = decorate(execute_leaving_a_trace)
        self._in_flight[remote.remote(brief, task, attempt)] = brief, task

    def _completed(self) -> list[tuple[Task, Outcome]]:
        if self._done_here:
            done, self._done_here = self._done_here, []
            return done
        ready: list[Any] = []
        while not ready:
            ready, _ = ray.wait(list(self._in_flight), num_returns=1, timeout=LOOK_UP_S)
        return [_ended(reference, *self._in_flight.pop(reference)) for reference in ready]

    def give_up(self) -> None:
        """Kill the workers of what is in flight, without waiting for them.

        When the command ends, they end with it: Ray kills what runs for a driver that leaves. It is not asked then, for
        its core aborts the driver when a task's answer comes after its cancellation ("not pending", status 1).
        """
        if not was_asked_to_stop():
            for reference in self._in_flight:
                with contextlib.suppress(ray.exceptions.RayError, ValueError):
                    ray.cancel(reference, force=True)
        self._in_flight.clear()
        self._done_here.clear()

    def close(self) -> None:
        """Leave the cluster; a Ray of our own ends. One whose start was cut short ends with this process."""
        if ray.is_initialized() and not self._abandoned:
            ray.shutdown()
            self._ended.set()


def _check_address(address: str) -> None:
    """UserError at once where Ray would try for minutes to reach HOST:PORT."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), REACH_S).close()
    except ValueError:
        raise UserError("cluster.address", f"{address!r} is neither HOST:PORT nor auto") from None
    except OSError as error:
        raise UserError(
            "cluster.address", f"{address} cannot be reached: {error.strerror or error}"
        ) from error


def _end_autoscaler() -> None:
    # One machine needs none, and it does not heed SIGTERM, which would hold Ray's shutdown for a second.
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if b"autoscaler/_private/monitor.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)


def _ended(reference: Any, brief: Brief, task: Task) -> tuple[Task, Outcome]:
    """A task with the outcome that it returned, or with the reason why it could not return any."""
    try:
        outcome: Outcome = ray.get(reference)
    except ray.exceptions.WorkerCrashedError as error:
        outcome = Outcome(reason=f"{type(error).__name__}: {fault_of(brief, task)}")
    except ray.exceptions.RayError as error:
        outcome = Outcome(reason=f"{type(error).__name__}: {_one_line(error)}")
    return task, outcome


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:500]
