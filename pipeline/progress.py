"""How far a run is: a bar on a terminal, a line a minute elsewhere; always on stderr."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

LINE_PERIOD_S = 60.0


class Progress(Protocol):
    """Told by the driver; shows itself."""

    def __enter__(self) -> Progress: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def begin(self, total_count: int) -> None:
        """There are ``total_count`` items (a sweep) or units (a table) to do."""

    def phase(self, name: str) -> None:
        """Another phase starts."""

    def found(self, count: int) -> None:
        """So many are done from before; they count for what is left, and not for the rate."""

    def inside(self, count: int) -> None:
        """Items or states were done inside a unit that goes on."""

    def advance(self, count: int) -> None:
        """A unit with ``count`` items is finished."""

    def note(self, text: str) -> None:
        """Show a line that stays."""


def open_progress(title: str) -> Progress:
    """A bar when stderr is a terminal, lines otherwise."""
    return BarProgress(title) if sys.stderr.isatty() else LineProgress(title, sys.stderr)


class LineProgress:
    """One line a minute, with rate and time left."""

    def __init__(self, title: str, stream: TextIO) -> None:
        self._title = title
        self._stream = stream
        self._phase = ""
        self._total_count = 0
        self._done_count = 0
        self._found_count = 0
        self._inside_count = 0
        self._start_s = time.monotonic()
        self._last_line_s = time.monotonic()

    def __enter__(self) -> LineProgress:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def begin(self, total_count: int) -> None:
        """Count from zero."""
        self._total_count = total_count
        self._start_s = time.monotonic()

    def phase(self, name: str) -> None:
        """No line: a table has many short phases."""
        self._phase = name

    def found(self, count: int) -> None:
        """Remember."""
        self._done_count += count
        self._found_count += count

    def inside(self, count: int) -> None:
        """Remember and, if it is time, print."""
        self._inside_count += count
        self._line_if_due()

    def advance(self, count: int) -> None:
        """Remember and, if it is time, print."""
        self._done_count += count
        self._inside_count = 0
        self._line_if_due()

    def note(self, text: str) -> None:
        """Print a line."""
        print(f"{self._title}: {text}", file=self._stream, flush=True)

    def _line_if_due(self) -> None:
        now_s = time.monotonic()
        if now_s - self._last_line_s < LINE_PERIOD_S:
            return
        self._last_line_s = now_s
        rate = (self._done_count - self._found_count) / max(now_s - self._start_s, 1e-9)
        left = duration((self._total_count - self._done_count) / rate) if rate else "unknown time"
        inside = f" (+{self._inside_count} inside the unit)" if self._inside_count else ""
        self.note(
            f"{self._phase}: {self._done_count} of {self._total_count}{inside}, {rate:.3g}/s, {left} left"
        )


class BarProgress:
    """A bar of rich, with rate and time left."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> BarProgress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, total_count: int) -> None:
        """Start the bar."""
        if self._bar is not None:
            self._task = self._bar.add_task(self._title, total=total_count, rate="")

    def phase(self, name: str) -> None:
        """Name the phase before the bar."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=f"{self._title} {name}")

    def found(self, count: int) -> None:
        """Move the bar, and begin to measure its speed from there."""
        if count and self._bar is not None and self._task is not None:
            self._bar.reset(self._task, completed=int(self._bar.tasks[-1].completed) + count)

    def inside(self, count: int) -> None:
        """Bars show finished units only; rich redraws by itself."""

    def advance(self, count: int) -> None:
        """Move the bar."""
        if self._bar is not None and self._task is not None:
            speed = self._bar.tasks[-1].speed
            self._bar.update(self._task, advance=count, rate=f"{speed:.3g}/s" if speed else "")

    def note(self, text: str) -> None:
        """Print a line above the bar."""
        if self._bar is not None:
            self._bar.console.print(f"{self._title}: {text}", markup=False, highlight=False)


def duration(seconds: float) -> str:
    """Seconds in the largest units that fit: ``45 s``, ``12 min``, ``3.4 h``, ``2.1 d``."""
    for limit, unit_s, name in ((120, 1, "s"), (7200, 60, "min"), (172800, 3600, "h")):
        if seconds < limit:
            return (
                f"{seconds / unit_s:.2g} {name}"
                if seconds < 10 * unit_s
                else f"{seconds / unit_s:.0f} {name}"
            )
    return f"{seconds / 86400:.1f} d"
