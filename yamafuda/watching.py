"""Watches runs at little cost to them.

The time of each look is measured, and the next look waits a hundred times as long. Runs at work are looked at
separately, so that many others do not delay them. A run without a driver is not read again until one of the few files
changes that drivers write when they begin or end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yamafuda.runs import Run, Runs, run_of

if TYPE_CHECKING:
    from storage.place import Place

LOOK_S = 1.0
"""Seconds between two looks, at least."""
LOOKING_SHARE = 0.01
"""Share of one processor's time for looking at runs."""


@dataclass
class _Seen:
    run: Run | None
    """Its status; None for a damaged run."""
    signs: tuple[int, ...] | None
    """Of its files; None while it runs, and where there are none to be had."""
    due_s: float
    """It is not looked at before this time."""


class Watch:
    """The runs below the roots. Any thread may ask; one at a time looks."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}
        self._runs = Runs()
        self._due_s = self._running_due_s = 0.0
        self._lock = threading.Lock()

    def runs(self) -> Runs:
        """All runs as they were at the last look, the latest last; damaged ones are left out."""
        with self._lock:
            if time.monotonic() >= self._due_s:
                self._due_s = _next_after(self._look_at_all)
            elif time.monotonic() >= self._running_due_s:
                self._running_due_s = _next_after(self._look_at_running)
            return self._runs

    def run(self, name: str) -> Run | None:
        """The run of this name; None when there is none. A name is not a path: nothing else is looked at."""
        return next((run for run in self.runs() if run.name == name), None)

    def _look_at_all(self) -> None:
        from pipeline.roots import run_roots
        from storage.layout import run_folders

        before = self._seen
        folders = [folder.resolve() for folder in run_folders(run_roots())]
        self._seen = {str(folder): _look_at(folder, before.get(str(folder))) for folder in folders}
        self._sort()

    def _look_at_running(self) -> None:
        from storage.place import place_at

        running = [key for key, seen in self._seen.items() if seen.signs is None]
        if running:
            self._seen |= {key: _look_at(place_at(key), self._seen[key]) for key in running}
            self._sort()

    def _sort(self) -> None:
        found = [seen.run for seen in self._seen.values() if seen.run is not None]
        self._runs = Runs(sorted(found, key=lambda run: run.begun_s or 0))


def _next_after(look: Callable[[], None]) -> float:
    """Look, and when to look again."""
    begin_s = time.monotonic()
    look()
    end_s = time.monotonic()
    return end_s + max(LOOK_S, (end_s - begin_s) / LOOKING_SHARE)


def _look_at(folder: Place, seen: _Seen | None) -> _Seen:
    from pipeline.status import RUNNING, read_status
    from storage.errors import UserError

    begin_s = time.monotonic()
    signs = _signs(folder)
    if seen is not None and (begin_s < seen.due_s or (signs is not None and signs == seen.signs)):
        return seen
    try:
        run = run_of(read_status(folder))
    except (OSError, UserError):
        run = None
    end_s = time.monotonic()
    settled = signs if run is None or run.state != RUNNING else None
    return _Seen(run, settled, end_s + (end_s - begin_s) / LOOKING_SHARE)


def _signs(folder: Place) -> tuple[int, ...] | None:
    """Times of the files that drivers write when they begin and end; None on object stores."""
    from storage.layout import RunLayout
    from storage.place import ObjectPath

    if isinstance(folder, ObjectPath):
        return None
    layout = RunLayout(folder)
    files = (layout.plan, layout.lock, layout.manifest, layout.summary, layout.progress, layout.units)
    times = []
    for path in files:
        try:
            times.append(path.stat().st_mtime_ns)  # type: ignore[union-attr]
        except OSError:
            times.append(0)
    return tuple(times)
