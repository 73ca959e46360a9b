"""Notices when the processes that a Ray session needs are gone.

Ray itself notices after up to a minute, or never. On this machine these are processes (``raylet``, and ``gcs_server``
if we started Ray); in a cluster elsewhere it is the head, which is asked for a connection now and then.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from storage.errors import UserError

LOOK_PERIOD_S = 0.5
PROBE_PERIOD_S = 2.0
PROBE_PATIENCE_S = 6.0
"""How long a head may refuse or leave connections unanswered before it counts as lost."""
GRACE_S = 4.0
"""How long the driver may take to notice; then the command is ended without it."""


class ClusterLostError(UserError):
    """The Ray session cannot be used any more, nor be closed properly: the command has to end."""


class Watch:
    """Watches processes and a head until ``close``; ``lost`` says what is gone."""

    def __init__(
        self, pids: Mapping[int, str], head: tuple[str, int] | None, end: Callable[[ClusterLostError], None]
    ) -> None:
        """``pids``: processes by number, with their names. ``end`` is called when nobody calls ``check`` in time."""
        self._pids = dict(pids)
        self._head = head
        self._end = end
        self._lost = ""
        self._silent_since_s: float | None = None
        self._leave = threading.Event()
        self._heeded = threading.Event()
        threading.Thread(target=self._look, name="cluster-watch", daemon=True).start()

    @property
    def is_lost(self) -> bool:
        """Whether something is known to be gone."""
        return bool(self._lost)

    def check(self) -> None:
        """ClusterLostError when something is gone."""
        if self._lost or self._look_at_processes():
            self._heeded.set()
            raise ClusterLostError("cluster", self._lost)

    def settle(self) -> None:
        """As ``check``, but waits until a silent head answers again or counts as lost.

        For a unit that failed as units do when their cluster is gone.
        """
        self.check()
        while self._head is not None and not self._probe():
            time.sleep(LOOK_PERIOD_S)
            self.check()

    def close(self) -> None:
        """Look no more."""
        self._leave.set()

    def _look(self) -> None:
        probed_s = time.monotonic()
        while not self._leave.wait(LOOK_PERIOD_S):
            if self._head is not None and time.monotonic() - probed_s >= PROBE_PERIOD_S:
                self._probe()
                probed_s = time.monotonic()
            if self._lost or self._look_at_processes():
                if not self._heeded.wait(GRACE_S) and not self._leave.is_set():
                    self._end(ClusterLostError("cluster", self._lost))
                return

    def _look_at_processes(self) -> bool:
        for pid, name in self._pids.items():
            if not is_alive(pid):
                self._lost = f"Ray's process {name} ({pid}) has ended"
        return bool(self._lost)

    def _probe(self) -> bool:
        """Whether the head takes connections."""
        assert self._head is not None
        host, port = self._head
        try:
            socket.create_connection(self._head, PROBE_PERIOD_S).close()
        except OSError as error:
            now_s = time.monotonic()
            self._silent_since_s = self._silent_since_s or now_s
            if now_s - self._silent_since_s >= PROBE_PATIENCE_S:
                self._lost = f"the head at {host}:{port} does not answer any more ({error.strerror or error})"
            return False
        self._silent_since_s = None
        return True


def is_alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (OSError, IndexError):
        return False


def processes_called(names: Iterable[str], pids: Iterable[int]) -> dict[int, str]:
    """Those of ``pids`` whose program has one of these names."""
    programs = {pid: command_line(pid).split("\0")[0].rpartition("/")[2] for pid in pids}
    return {pid: program for pid, program in programs.items() if program in names}


def all_processes() -> list[int]:
    """The numbers of all processes that can be seen."""
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def command_line(pid: int) -> str:
    """Program and arguments of a process, with a null character after each; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""
