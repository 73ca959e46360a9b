"""What drivers did to a run, one JSON line for each event; a long journal is written again in short form.

It is history, not the ledger: the files in place say what is done. From it come the number of interrupted
drivers, the units that were begun more than once, and the attempts with their limits.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pipeline.lines import Lines
from pipeline.names import Names
from storage.errors import DiskFullError
from storage.jsontext import parse_json
from storage.place import Place
from storage.publish import free_bytes

JOURNAL_NAME = "journal.jsonl"
FREE_NEEDED_BYTES = 1 << 16
"""Below this much free space no driver starts."""
GROWN_BYTES = 1 << 18
"""Bytes that may be added before all is written again."""
FAILURES_COUNT = 1000
"""How many failed tries are kept; older ones go."""


@dataclass
class History:
    """What a journal says."""

    drivers_count: int = 0
    """How often a driver worked on the run."""
    interrupted_count: int = 0
    """Drivers that were killed or interrupted before they had finished."""
    begun: Names = field(default_factory=Names)
    """Units that some driver handed out."""
    again: Names = field(default_factory=Names)
    """Those of them that were handed out more than once."""
    attempts: list[dict[str, Any]] = field(default_factory=list)
    """The limits of each attempt, first attempt first."""
    last_status: int | None = None
    """Exit status of the last driver; None when it was killed or is still at work."""
    job_file: str = ""
    """The job file of the last command; empty in journals of earlier versions."""
    label: str = ""
    """The last label that was given."""
    begun_s: float | None = None
    """When the first driver began, in seconds since 1970."""
    finished_s: float | None = None
    """When a driver had done all that was left. Later drivers that find nothing to do leave it unchanged."""

    @property
    def computed_twice_count(self) -> int:
        """Units that were begun more than once."""
        return len(self.again)

    def started(self, name: str) -> None:
        """A try of a unit was handed out."""
        if name in self.begun:
            self.again.add(name)
        else:
            self.begun.add(name)


class Journal:
    """Writes events down; one per driver, while its lock is held."""

    def __init__(self, run_dir: Place) -> None:
        path = run_dir / JOURNAL_NAME
        content = _read(path)
        lines = content.splitlines()
        self._run_dir = run_dir
        self._file = Lines(path, content)
        self._drivers: list[bytes] = []
        self._failures: deque[bytes] = deque(maxlen=FAILURES_COUNT)
        self.history = _history(lines)
        for line in lines:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                self._keep(parse_json(line)["event"], line)
        self._most_bytes = GROWN_BYTES
        self._shrink_if_large()

    def begin(self, attempt: int, limits: dict[str, Any], job_file: str = "", label: str = "") -> None:
        """A driver starts to work on ``attempt``; DiskFullError when there is no room for a line."""
        if free_bytes(self._run_dir) < FREE_NEEDED_BYTES:
            raise DiskFullError(str(self._run_dir), "no room left; make room and run the same command again")
        named = {name: text for name, text in (("job", job_file), ("label", label)) if text}
        host, pid = socket.gethostname(), os.getpid()
        self._add("begin", attempt=attempt, limits=limits, **named, host=host, pid=pid)

    def started(self, name: str) -> None:
        """A try of a unit was handed out."""
        self.history.started(name)
        self._add("started", unit=name)

    def failed(self, name: str, reason: str) -> None:
        """A try of a unit failed."""
        self._add("failed", unit=name, reason=reason)

    def end(self, status: int) -> None:
        """The driver ends by itself, with this exit status."""
        self._add("end", status=status)

    def abandon(self) -> None:
        """Stop writing: another driver has the run now."""
        self._file.abandon()

    def close(self) -> None:
        """Write what is still in memory."""
        self._file.close()

    def _add(self, event: str, **values: Any) -> None:
        line = _line({"event": event, "time": round(time.time(), 3), **values})
        self._keep(event, line)
        self._file.add(line)
        self._shrink_if_large()

    def _keep(self, event: str, line: bytes) -> None:
        if event == "failed":
            self._failures.append(line)
        elif event in ("begin", "end"):
            self._drivers.append(line)

    def _shrink_if_large(self) -> None:
        """Write all again once it has grown: units that were begun become ranges, and only the last failures
        are kept."""
        if self._file.size_bytes < self._most_bytes:
            return
        told = {
            "event": "units",
            "begun": self.history.begun.values(),
            "again": self.history.again.values(),
        }
        self._file.replace(b"\n".join([*self._drivers, *self._failures, _line(told), b""]))
        self._most_bytes = 2 * self._file.size_bytes + GROWN_BYTES


def read_history(run_dir: Place) -> History:
    """Read a run's journal; empty when there is none. Damaged lines are passed over."""
    return _history(_read(run_dir / JOURNAL_NAME).splitlines())


def read_label(run_dir: Place) -> str:
    """The last label that was given to a run; empty if none was, or its journal cannot be read."""
    try:
        lines = _read(run_dir / JOURNAL_NAME).splitlines()
    except OSError:
        return ""
    # Lines about units are most of a journal.
    return _history(line for line in lines if line.startswith(b'{"event":"begin"')).label


def _history(lines: Iterable[bytes]) -> History:
    history = History()
    open_driver = False
    for line in lines:
        try:
            event = parse_json(line)
            if event["event"] == "begin":
                history.interrupted_count += open_driver
                open_driver = True
                if history.last_status != 0 or event["attempt"] > len(history.attempts):
                    history.finished_s = None
                history.last_status = None
                history.drivers_count += 1
                if event["attempt"] > len(history.attempts):
                    history.attempts.append(event["limits"])
                history.job_file = str(event.get("job", history.job_file))
                history.label = str(event.get("label", history.label))
                if history.begun_s is None:
                    history.begun_s = float(event["time"])
            elif event["event"] == "units":
                history.begun = Names.from_values(event["begun"])
                history.again = Names.from_values(event["again"])
            elif event["event"] == "started":
                history.started(event["unit"])
                history.finished_s = None
            elif event["event"] == "end":
                open_driver = False
                history.last_status = event["status"]
                if event["status"] in (0, 1) and history.finished_s is None:
                    history.finished_s = float(event["time"])
                history.interrupted_count += event["status"] == 130
        except (ValueError, KeyError, TypeError):
            continue
    history.interrupted_count += open_driver
    return history


def _line(event: dict[str, Any]) -> bytes:
    return json.dumps(event, separators=(",", ":")).encode()


def _read(path: Place) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
