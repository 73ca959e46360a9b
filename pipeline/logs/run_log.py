"""The log of a run, ``logs/NUMBER.jsonl``: what its driver says, and what units said that failed or warned.

A file is replaced as a whole when something new is said, and the next one begins when it is long, so that any
store can have it. When there are many files, the oldest are removed. The log is for people: nothing is decided
by it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from pipeline.logs.lines import LogLine, lines_of, shortened
from storage.errors import UserError
from storage.layout import RunLayout
from storage.publish import write_unsynced

FILE_BYTES = 1 << 18
FILES_COUNT = 64
"""At most so many files for a run: 16 MiB."""
WRITE_S = 3.0
"""Seconds between two versions of a file: the last words of a killed driver may be lost."""


class RunLog:
    """To be entered by a run's driver while it holds the run's lock. A driver that has nothing to do says
    nothing.

    ``opening`` comes before the first thing that is said.
    """

    def __init__(self, layout: RunLayout, opening: str) -> None:
        self._layout = layout
        self._opening = opening
        self._number = max(map(int, _numbers(layout)), default=0)
        self._lines: list[bytes] = []
        self._size_bytes = FILE_BYTES
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._write()
            self._lines = []

    def say(self, text: str, level: str = "INFO", unit: str = "", tried: int = 0) -> None:
        """The driver says something about a unit's try or about the run."""
        self.keep([self._line(text, level, unit, tried)])

    def end(self, status: int) -> None:
        """The driver ends with this exit status."""
        if not self._opening:
            self.say(f"the driver ends with status {status}")

    def _line(self, text: str, level: str = "INFO", unit: str = "", tried: int = 0) -> LogLine:
        return LogLine(self._layout.run_dir.name, shortened(text), unit=unit, tried=tried, level=level)

    def keep(self, lines: Iterable[LogLine]) -> None:
        """Lines of any process."""
        with self._lock:
            for line in lines:
                if self._opening:
                    self._add(self._line(self._opening))
                    self._opening = ""
                self._add(line)
            if self._lines and self._timer is None:
                self._timer = threading.Timer(WRITE_S, self._write_later)
                self._timer.daemon = True
                self._timer.start()

    def _add(self, said: LogLine) -> None:
        line = f"{said.as_json()}\n".encode()
        if self._size_bytes + len(line) > FILE_BYTES:
            self._write()
            self._number += 1
            self._lines, self._size_bytes = [], 0
        self._lines.append(line)
        self._size_bytes += len(line)

    def _write_later(self) -> None:
        with self._lock:
            self._timer = None
            self._write()

    def _write(self) -> None:
        if not self._lines:
            return
        # A disk that is full or gone is for the units' files to tell.
        with contextlib.suppress(OSError, UserError):
            self._layout.logs.mkdir(parents=True, exist_ok=True)
            write_unsynced(self._layout.logs / f"{self._number:06d}.jsonl", b"".join(self._lines))
            for old in _numbers(self._layout)[:-FILES_COUNT]:
                (self._layout.logs / f"{old}.jsonl").unlink(missing_ok=True)


def read_log(layout: RunLayout, unit: str | None = None) -> Iterator[LogLine]:
    """The lines that are kept of a run's log, the oldest first; only those of ``unit`` (in any attempt) if it
    is given."""
    for number in _numbers(layout):
        try:
            data = (layout.logs / f"{number}.jsonl").read_bytes()
        except FileNotFoundError:  # an old one that went meanwhile
            continue
        for line in lines_of(data):
            if unit is None or line.unit == unit or line.unit.startswith(f"{unit}-a"):
                yield line


def _numbers(layout: RunLayout) -> list[str]:
    names = [path.name for path in layout.logs.iterdir()] if layout.logs.is_dir() else []
    return sorted(name.removesuffix(".jsonl") for name in names if name.removesuffix(".jsonl").isdigit())
