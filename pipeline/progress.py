"""How far a run is: the driver reports it; people see it, and ``progress.json`` has it for ``status``.

A thread looks about twice a second, so that the display moves on while units take minutes.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from pipeline.display import Display
from pipeline.inside import forget, told
from pipeline.meter import Meter, Standing
from storage.errors import UserError
from storage.jsontext import parse_json
from storage.layout import RunLayout
from storage.publish import write_unsynced

LOOK_S = 0.5
READ_S = 1.0
"""Seconds between two looks at the files of units in other processes, at least: ten times what a look takes."""
WRITE_S = 3.0
"""Seconds between two versions of ``progress.json``."""
WAIT_S = 1.0
"""If the next step takes longer to begin, a line says so."""


class Progress:
    """To be entered by the driver of a run, which then calls it for all that happens."""

    def __init__(self, layout: RunLayout, display: Display) -> None:
        self._layout = layout
        self._display = display
        self._meter = Meter("items", 0, 0.0)
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, name="progress", daemon=True)
        self._waiting: tuple[str, float] | None = None
        self._earlier = _read(layout)
        self._is_finished = False
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(self._display)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._display.show(self.standing())  # the last one
        self._stack.close()
        if self._is_finished:
            self._layout.progress.unlink(missing_ok=True)
        else:
            self._write()

    def begin(self, unit: str, total_count: int, total_work: float) -> None:
        """Set how many items (a sweep) or units (a table) there are to do, and their work (``meter``)."""
        with self._lock:
            self._meter = Meter(unit, total_count, total_work)
        if self._earlier:
            self.note(f"{self._earlier:,} {unit} are done again: their units were not finished")

    def phase(self, name: str, found_count: int, found_work: float) -> None:
        """Another phase starts; some of it was done before."""
        with self._lock:
            self._meter.phase = name
            self._meter.found(found_count, found_work)

    def waiting(self, words: str) -> None:
        """The next step may take a while to begin; if it does, a line says what is waited for."""
        with self._lock:
            self._waiting = words, time.monotonic() + WAIT_S

    def began(self) -> None:
        """The wait is over."""
        with self._lock:
            self._waiting = None

    def started(self, name: str) -> None:
        """A unit was handed out."""
        with self._lock:
            self._meter.begin(name)

    def inside(self, name: str, count: int) -> None:
        """Add to the items or states that are done in a unit in this process."""
        with self._lock:
            self._meter.went_on(name, count)

    def ended(self, name: str, count: int, work: float) -> None:
        """A unit ended with this much done: nothing if it is to be tried again."""
        forget(self._layout, name)
        with self._lock:
            self._meter.end(name, count, work)

    def finished(self) -> None:
        """Nothing is left to do: when this is left, ``progress.json`` goes."""
        self._is_finished = True

    def note(self, text: str) -> None:
        """Show a line that stays."""
        self._display.note(text)

    def _look(self) -> None:
        read_s = write_s = time.monotonic()
        while not self._stop.wait(LOOK_S):
            now_s = time.monotonic()
            if now_s >= read_s:
                self._read_inside()
                read_s = time.monotonic() + max(READ_S, 10 * (time.monotonic() - now_s))
            self._say_what_is_waited_for(now_s)
            self._display.show(self.standing())
            if now_s >= write_s:
                write_s = now_s + WRITE_S
                self._write()

    def _read_inside(self) -> None:
        with self._lock:
            names = self._meter.in_flight
        counts = told(self._layout, names)
        with self._lock:
            for name, count in counts.items():
                self._meter.inside(name, count)

    def _say_what_is_waited_for(self, now_s: float) -> None:
        with self._lock:
            if self._waiting is None or now_s < self._waiting[1]:
                return
            words, self._waiting = self._waiting[0], None
        self.note(words)

    def standing(self) -> Standing:
        """Where the run stands now."""
        with self._lock:
            return self._meter.standing()

    def _write(self) -> None:
        """Not synced: it is of no use after a power cut."""
        now = self.standing()
        values = {
            "time": time.time(),
            "phase": now.phase,
            "unit": now.unit,
            "done_count": now.done_count,
            "inside_count": now.inside_count,
            "total_count": now.total_count,
            "rate_per_s": now.rate_per_s,
            "left_s": now.left_s,
        }
        path = self._layout.progress
        # A disk that is full, or a store that is away, is for the units' files to tell.
        with contextlib.suppress(OSError, UserError):
            write_unsynced(path, json.dumps(values).encode())


def _read(layout: RunLayout) -> int:
    """Items that an earlier driver had done inside unfinished units; 0 when there was none, or its file cannot
    be read."""
    try:
        count = parse_json(layout.progress.read_text())["inside_count"]
        return count if type(count) is int else 0
    except (OSError, ValueError, KeyError, TypeError):
        return 0
