"""What a unit says by Python's ``logging``: its last lines are kept for the driver.

In a process that runs this unit alone, what is printed counts as well, and every line also goes to the process's
stderr, with run, unit and try before it: on a cluster that is Ray's log of the worker.
"""

from __future__ import annotations

import io
import logging
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO

from pipeline.logs.lines import LogLine, shortened

KEPT_CHARACTERS = 1 << 16
"""Characters that are kept of what a try says; older lines go."""


class UnitLog(logging.Handler):
    """The last lines of one try."""

    def __init__(self, run: str, unit: str, tried: int, echo: TextIO | None) -> None:
        super().__init__()
        self._origin = {"run": run, "unit": unit, "tried": tried}
        self._echo = echo
        self._lines: deque[LogLine] = deque()
        self._characters = 0
        self._has_warnings = False

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what a logger says."""
        try:
            text = shortened(self.format(record))
        except Exception:  # arguments that do not fit their message
            text = f"{record.msg} {record.args}"
        line = LogLine(**self._origin, text=text, level=record.levelname, time_s=record.created)  # type: ignore[arg-type]
        self._has_warnings |= line.is_warning
        self._lines.append(line)
        self._characters += len(text)
        while self._characters > KEPT_CHARACTERS:
            self._characters -= len(self._lines.popleft().text)
        if self._echo is not None:
            print(line.as_text(), file=self._echo, flush=True)

    def lines(self, failed: bool) -> list[LogLine]:
        """What the driver is to keep: all lines of a try that failed or warned, none of one that went well."""
        return list(self._lines) if failed or self._has_warnings else []


@contextmanager
def keeping_log(run: str, unit: str, tried: int, is_apart: bool) -> Iterator[UnitLog]:
    """Keep what is said inside. ``is_apart``: this process does nothing else, so its prints belong to the unit."""
    log = UnitLog(run, unit, tried, sys.stderr if is_apart else None)
    root = logging.getLogger()
    level = root.level
    with ExitStack() as stack:
        if is_apart:
            stack.enter_context(redirect_stdout(_Printed("stdout")))
            stack.enter_context(redirect_stderr(_Printed("stderr")))
        root.addHandler(log)
        root.setLevel(min(level, logging.INFO))
        try:
            yield log
        finally:
            root.setLevel(level)
            root.removeHandler(log)


class _Printed(io.TextIOBase):
    """A stream whose lines are said by a logger of its name."""

    def __init__(self, name: str) -> None:
        self._say = logging.getLogger(name).info
        self._begun = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._say("%s", line)
        return len(text)

    def __exit__(self, *_: object) -> None:
        self.write("\n" if self._begun else "")
