"""How people see how far a run is: a bar on a terminal, lines elsewhere; always on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, Self, TextIO, TypeAlias

from engines.text.words import duration, rate
from pipeline.meter import Standing

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

FIRST_LINE_S, LINE_PERIOD_S = 10.0, 60.0


class Display(Protocol):
    """Gets the standing of a run at least once a second, and shows it."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def show(self, standing: Standing) -> None:
        """Show where the run stands now."""

    def note(self, text: str) -> None:
        """Show a line that stays on the screen."""


Opener: TypeAlias = Callable[[str], Display]
"""Makes the display of a run by its title."""


def open_display(title: str) -> Display:
    """A bar when stderr is a terminal, lines otherwise."""
    return BarDisplay(title) if sys.stderr.isatty() else LineDisplay(title, sys.stderr)


class LineDisplay:
    """A line after ten seconds of work, then one a minute."""

    def __init__(self, title: str, stream: TextIO) -> None:
        self._title = title
        self._stream = stream
        self._next_s = FIRST_LINE_S

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def show(self, standing: Standing) -> None:
        """Print a line if enough time has passed."""
        if standing.elapsed_s < self._next_s:
            return
        self._next_s = standing.elapsed_s + LINE_PERIOD_S
        count = f"{counted(standing)} {standing.unit} ({100 * standing.share:.3g} %)"
        self.note(", ".join([*filter(None, [_phase(standing)]), count, *speed_words(standing)]))

    def note(self, text: str) -> None:
        """Print a line."""
        print(f"{self._title}: {text}", file=self._stream, flush=True)


class NoDisplay:
    """Shows nothing but the lines that stay."""

    def __init__(self, title: str) -> None:
        self._title = title

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def show(self, standing: Standing) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Print a line."""
        print(f"{self._title}: {text}", file=sys.stderr, flush=True)


class BarDisplay:
    """A bar of rich, with rate and time left."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[speed]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(self._title, total=None, count="", speed="")
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, standing: Standing) -> None:
        """Move the bar, and name the phase before it."""
        if self._bar is not None and self._task is not None:
            self._bar.update(
                self._task,
                description=f"{self._title} {_phase(standing)}".rstrip(),
                total=standing.total_count,
                completed=standing.done_count + standing.inside_count,
                count=f"{counted(standing)} {standing.unit}",
                speed=", ".join(speed_words(standing)),
            )

    def note(self, text: str) -> None:
        """Print a line above the bar."""
        if self._bar is not None:
            self._bar.console.print(f"{self._title}: {text}", markup=False, highlight=False)


def counted(standing: Standing) -> str:
    """``1,234 of 20,000``."""
    return f"{standing.done_count + standing.inside_count:,} of {standing.total_count:,}"


def _phase(standing: Standing) -> str:
    """Where in a table the run is; a sweep has only one phase."""
    return standing.phase if standing.unit == "units" else ""


def speed_words(standing: Standing) -> list[str]:
    """What is done inside a table's units, the rate, and the time left."""
    words = [f"{standing.states_count:,} states inside"] if standing.states_count else []
    words += [rate(standing.rate_per_s)] if standing.rate_per_s is not None else []
    return [*words, "time left unknown" if standing.left_s is None else f"{duration(standing.left_s)} left"]
