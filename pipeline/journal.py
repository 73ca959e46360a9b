"""What drivers did to a run, one JSON line an event, only ever appended to.

It is history, not the ledger: what is done is told by the files in place. From it come the number of
interrupted drivers, the units that were begun more than once, and the attempts with their limits.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from storage.errors import DiskFullError
from storage.jsontext import parse_json
from storage.place import ObjectPath, Place
from storage.publish import free_bytes

JOURNAL_NAME = "journal.jsonl"
FREE_NEEDED_BYTES = 1 << 16
"""Below this much free space no driver starts."""


@dataclass
class History:
    """What a journal says."""

    drivers_count: int = 0
    """Times that a driver worked on the run."""
    interrupted_count: int = 0
    """Drivers that were killed or interrupted before they had finished."""
    starts: Counter[str] = field(default_factory=Counter)
    """Tries of each unit, over all drivers."""
    attempts: list[dict[str, Any]] = field(default_factory=list)
    """The limits of each attempt, first attempt first."""
    last_status: int | None = None
    """Exit status of the last driver; None when it was killed or is still at work."""
    job_file: str = ""
    """The job's file that the last command named; empty in journals of earlier versions."""
    label: str = ""
    """The last one that was given."""
    begun_s: float | None = None
    """When the first driver began, in seconds since 1970."""

    @property
    def computed_twice_count(self) -> int:
        """Units that were begun more than once."""
        return sum(1 for count in self.starts.values() if count > 1)


class Journal:
    """Appends events; one per driver, to be entered while its lock is held."""

    def __init__(self, run_dir: Place) -> None:
        self._path = run_dir / JOURNAL_NAME
        self.history = read_history(run_dir)

    def __enter__(self) -> Journal:
        if isinstance(self._path, ObjectPath):
            self._lines = self._path.read_bytes() if self._path.is_file() else b""
            return self
        self._stream = self._path.open("a+b", buffering=0)
        if self._stream.tell() and not self._ends_in_newline():
            self._stream.write(b"\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(self._path, ObjectPath):
            self._stream.close()

    def begin(self, attempt: int, limits: dict[str, Any], job_file: str = "", label: str = "") -> None:
        """A driver starts to work on ``attempt``; DiskFullError when there is no room for a line."""
        if free_bytes(self._path.parent) < FREE_NEEDED_BYTES:
            raise DiskFullError(
                str(self._path.parent), "no room left; make room and run the same command again"
            )
        named = {name: text for name, text in (("job", job_file), ("label", label)) if text}
        host, pid = socket.gethostname(), os.getpid()
        self._append("begin", attempt=attempt, limits=limits, **named, host=host, pid=pid)

    def started(self, name: str) -> None:
        """A try of a unit was handed out."""
        self.history.starts[name] += 1
        self._append("started", unit=name)

    def failed(self, name: str, reason: str) -> None:
        """A try of a unit failed."""
        self._append("failed", unit=name, reason=reason)

    def end(self, status: int) -> None:
        """The driver ends by itself, with this exit status."""
        self._append("end", status=status)

    def _append(self, event: str, **values: Any) -> None:
        line = json.dumps({"event": event, "time": round(time.time(), 3), **values}, separators=(",", ":"))
        if isinstance(self._path, ObjectPath):
            self._lines += line.encode() + b"\n"
            if event != "started":
                self._path.store.replace(self._path.key, self._lines)
            return
        # On a full disk history has a gap; what matters are the files of the units.
        with contextlib.suppress(OSError):
            self._stream.write(line.encode() + b"\n")

    def _ends_in_newline(self) -> bool:
        self._stream.seek(-1, os.SEEK_END)
        return self._stream.read(1) == b"\n"


def read_history(run_dir: Place) -> History:
    """Read a run's journal; empty when there is none. Lines cut short or damaged are passed over."""
    history = History()
    try:
        lines = (run_dir / JOURNAL_NAME).read_bytes().splitlines()
    except FileNotFoundError:
        return history
    open_driver = False
    for line in lines:
        try:
            event = parse_json(line)
            if event["event"] == "begin":
                history.interrupted_count += open_driver
                open_driver = True
                history.last_status = None
                history.drivers_count += 1
                if event["attempt"] > len(history.attempts):
                    history.attempts.append(event["limits"])
                history.job_file = str(event.get("job", history.job_file))
                history.label = str(event.get("label", history.label))
                if history.begun_s is None:
                    history.begun_s = float(event["time"])
            elif event["event"] == "started":
                history.starts[event["unit"]] += 1
            elif event["event"] == "end":
                open_driver = False
                history.last_status = event["status"]
                history.interrupted_count += event["status"] == 130
        except (ValueError, KeyError, TypeError):
            continue
    history.interrupted_count += open_driver
    return history
