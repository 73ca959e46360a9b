"""A line on the terminal while a command computes: what it works on, for how long, and within which limits."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from engines.text.words import duration

QUIET_S = 1.0
"""Seconds before the line appears."""
PERIOD_S = 0.5
_CLEAR = "\r\x1b[K"


class Waiting:
    """Appears on ``stream`` if that is a terminal, and disappears when nothing is waited for."""

    def __init__(self, noun: str, count: int, bounds: str = "", stream: TextIO | None = None) -> None:
        self._noun, self._count, self._bounds = noun, count, bounds
        self._stream = stream or sys.stderr
        self._start_s = time.monotonic()

    @contextmanager
    def at(self, number: int) -> Iterator[None]:
        """To be entered while item ``number``, from 1, is computed. Nothing else may print to the terminal
        meanwhile."""
        if not self._stream.isatty():
            yield
            return
        stop = threading.Event()
        thread = threading.Thread(target=self._show, args=(number, stop), name="waiting", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def _show(self, number: int, stop: threading.Event) -> None:
        begin_s = time.monotonic()
        if stop.wait(max(0.0, self._start_s + QUIET_S - begin_s)):
            return
        while True:
            self._stream.write(_CLEAR + self._line(number, time.monotonic() - begin_s))
            self._stream.flush()
            if stop.wait(PERIOD_S):
                break
        self._stream.write(_CLEAR)
        self._stream.flush()

    def _line(self, number: int, elapsed_s: float) -> str:
        words = f"{self._noun} {number} of {self._count:,}: {duration(elapsed_s)}"
        if number > 1:
            words += f", {duration(time.monotonic() - self._start_s)} in all"
        return words + (f"; at most {self._bounds}" if self._bounds else "")
