"""A Ray that we start, or a connection to a cluster that runs already: started, watched, left."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from pipeline.runners.token import MODE, token

# Ray reads these when it is imported or started: no usage report, no notices, no retries besides ours.
_RAY_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_task_oom_retries": "0",
    "RAY_DEDUP_LOGS": "0",
}
for _name, _value in _RAY_ENVIRONMENT.items():
    os.environ.setdefault(_name, _value)
# As ``ray start`` does where there is a token; a cluster that wants none ignores it.
if token():
    os.environ.setdefault(MODE, "token")

import ray  # noqa: E402
import ray._private.worker  # noqa: E402
import ray.exceptions  # noqa: E402
import ray.job_config  # noqa: E402

from pipeline.memory import descendants  # noqa: E402
from pipeline.runners.machine import check_open_files, object_store_folder, session_folder  # noqa: E402
from pipeline.runners.ray_asking import fingerprints  # noqa: E402
from pipeline.runners.ray_reaching import check_address, check_token, one_line, refused  # noqa: E402
from pipeline.runners.starting import Starting  # noqa: E402
from pipeline.runners.watch import (  # noqa: E402
    ClusterLostError,
    Watch,
    all_processes,
    command_line,
    processes_called,
)
from pipeline.shipping.fingerprint import fingerprint  # noqa: E402
from pipeline.shipping.lacking import Found, check_usable, nodes_to_send_to, sending  # noqa: E402
from pipeline.shipping.package import PACKAGES, lay_out, shipped_packages  # noqa: E402
from pipeline.signals import end_lost  # noqa: E402
from storage.errors import UserError  # noqa: E402

# Ray's threads print notices of dead workers to stdout, whatever the log settings are; our outcomes have them.
ray._private.worker._worker_logs_enabled = False

OBJECT_STORE_BYTES = 128 << 20
"""Only records of a kilobyte travel through Ray; files do not."""
START_S = 60.0
"""Seconds to wait for a Ray that starts on a busy machine, and for a head that took the connection."""
STARTS = 2
"""Tries to start one."""
END_S = 10.0
"""Seconds to wait for a start that was given up."""
LOOK_UP_S = 0.1
"""How long the driver waits before it looks at signals again."""


class RaySession:
    """One session: with a Ray that it starts with ``cpus`` (None: all), or in the cluster at ``address``."""

    def __init__(self, cpus: int | None, address: str | None) -> None:
        self._cpus = cpus
        self._address = address
        self._watch: Watch | None = None
        self._abandoned = False
        self._ended = threading.Event()
        self._begun = threading.Event()

    @property
    def is_own(self) -> bool:
        """Whether it started Ray itself."""
        return self._address is None

    @property
    def watch(self) -> Watch:
        """The watch over the processes that it needs, once it is open."""
        assert self._watch is not None
        return self._watch

    def open(self) -> bool:
        """Start or reach Ray, unless that was done before; returns whether it was done now. UserError when it
        fails."""
        if ray.is_initialized():
            return False
        self._watch = self._start() if self._address is None else self._reach(self._address)
        return True

    def close(self) -> None:
        """Leave the cluster; a Ray that we started ends. One that is broken ends with this process."""
        if self._watch is not None:
            self._watch.close()
            self._abandoned |= self._watch.is_lost
        if ray.is_initialized() and not self._abandoned:
            ray.shutdown()
            self._ended.set()

    def _start(self) -> Watch:
        """Tries a second time when Ray did not come up, as on a very busy machine."""
        check_open_files(self._cpus or os.cpu_count() or 1)
        options = {
            "num_cpus": self._cpus,
            "object_store_memory": OBJECT_STORE_BYTES,
            "address": "local",
            "include_dashboard": False,
            "_temp_dir": session_folder(),
            "_plasma_directory": object_store_folder(OBJECT_STORE_BYTES),
        }
        before = set(descendants(os.getpid()))
        for number in range(1, STARTS + 1):
            try:
                self._init(options)
                break
            except ValueError as error:
                raise UserError("cluster", f"Ray cannot be started: {one_line(error)}") from error
            except Exception as error:
                for pid in set(descendants(os.getpid())) - before:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                if number == STARTS or not self._begun.wait(END_S):
                    self._abandoned = True
                    raise ClusterLostError(
                        "cluster",
                        f"Ray did not start, tried {number} times ({one_line(error)}); try again when the machine "
                        "is less busy, or run with cluster=serial",
                    ) from error
        _end_autoscaler()
        own = set(descendants(os.getpid())) - before
        return Watch(processes_called(("gcs_server", "raylet"), own), None, end_lost)

    def _reach(self, address: str) -> Watch:
        check_address(address)
        check_token(address)
        self._join(address)
        self._send_what_lacks(address)
        node: Any = ray._private.worker.global_worker.node
        host, _, port = node.gcs_address.rpartition(":")
        raylets = {
            pid: name
            for pid, name in processes_called(("raylet",), all_processes()).items()
            if node.raylet_socket_name in command_line(pid)
        }
        return Watch(raylets, (host.strip("[]"), int(port)), end_lost)

    def _join(self, address: str, options: dict[str, Any] | None = None) -> None:
        try:
            self._init({"address": address} | (options or {}))
        except TimeoutError as error:
            self._abandoned = True
            raise ClusterLostError(
                "cluster.address", f"{address} takes connections, but does not answer as a Ray head does"
            ) from error
        except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
            raise UserError("cluster.address", refused(error)) from error

    def _send_what_lacks(self, address: str) -> None:
        """Send the package with this job to nodes that lack it or have another version; for that the cluster is
        joined again."""
        packages = shipped_packages()
        nodes = fingerprints(packages)
        lacking = nodes_to_send_to(Found(**fingerprint(packages)), nodes)
        if not lacking:
            return
        print(sending(lacking, len(nodes)), file=sys.stderr, flush=True)
        ray.shutdown()
        with tempfile.TemporaryDirectory() as folder:
            lay_out(Path(folder))
            self._join(address, {"runtime_env": {"working_dir": folder}})
        check_usable(fingerprints(packages))

    def _init(self, options: dict[str, Any]) -> None:
        """``ray.init`` in a thread of its own, because it takes seconds and Ctrl-C must work meanwhile.

        TimeoutError when it takes more than ``START_S``, or waits for a process that has ended.
        """
        begun, failures = threading.Event(), []
        self._begun = begun
        logging.getLogger("ray").setLevel(logging.CRITICAL)

        def hold() -> None:
            try:
                ray.init(
                    **options,
                    logging_level=logging.CRITICAL,
                    log_to_driver=False,
                    configure_logging=False,
                    # Workers find the package that is sent first, without this.
                    job_config=ray.job_config.JobConfig() if "runtime_env" in options else _job_config(),
                )
            except BaseException as error:
                failures.append(error)
            begun.set()
            # Ray's processes end with the thread that started them.
            if not failures:
                self._ended.wait()

        threading.Thread(target=hold, name="ray-start", daemon=True).start()
        starting, deadline_s = Starting(), time.monotonic() + START_S
        try:
            while not begun.wait(LOOK_UP_S):
                starting.check()
                if time.monotonic() > deadline_s:
                    raise TimeoutError(f"no answer in {START_S:.0f} s")
        except KeyboardInterrupt:
            self._abandoned = True
            raise
        if failures:
            raise failures[0]


def _job_config() -> ray.job_config.JobConfig:
    """Settings with the folders in which this process found our packages, so that workers look there first.

    ``_client_job`` keeps Ray from putting the working folder before them, in which packages may have the same names.
    """
    files = (importlib.import_module(name).__file__ for name in PACKAGES)
    folders = dict.fromkeys(str(Path(file).resolve().parents[1]) for file in files if file is not None)
    return ray.job_config.JobConfig(_client_job=True, _py_driver_sys_path=list(folders))


def _end_autoscaler() -> None:
    # One machine needs none, and it ignores SIGTERM, which would delay Ray's shutdown by a second.
    for pid in descendants(os.getpid()):
        if "autoscaler/_private/monitor.py" in command_line(pid):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
