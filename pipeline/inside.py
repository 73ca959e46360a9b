"""What units in other processes have done so far: each has a small file that its worker replaces and the driver
reads.

A file ``staging/NAME.progress`` holds a count and lives as long as its unit; no file means that nothing is
done.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from engines.contract.job import no_progress
from storage.layout import RunLayout
from storage.place import ObjectPath
from storage.stores.temporary import temporary_name

TELL_S = 1.0
"""Seconds between two counts of a worker."""
ENDING = ".progress"


class Teller:
    """Adds up what a unit has done, and writes it down at most once a second; nothing before the first count."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = 0
        self._told_s = time.monotonic()

    def __call__(self, count: int) -> None:
        """Count ``count`` more items or states as done."""
        self._count += count
        now_s = time.monotonic()
        if now_s - self._told_s < TELL_S:
            return
        self._told_s = now_s
        # A disk that is full or gone is for the unit's own files to tell.
        with contextlib.suppress(OSError):
            new = self._path.with_name(temporary_name(self._path.name))
            new.write_text(str(self._count))
            new.replace(self._path)


@contextlib.contextmanager
def telling(layout: RunLayout, name: str) -> Iterator[Callable[[int], None]]:
    """The function that a worker calls while it does the unit ``name``.

    On an object store, where each count would be a request, it does nothing.
    """
    path = layout.staging / f"{name}{ENDING}"
    try:
        yield no_progress if isinstance(path, ObjectPath) else Teller(path)
    finally:
        forget(layout, name)


def forget(layout: RunLayout, name: str) -> None:
    """Remove the count of a unit that has ended."""
    if isinstance(layout.staging, ObjectPath):
        return
    with contextlib.suppress(OSError):
        (layout.staging / f"{name}{ENDING}").unlink(missing_ok=True)


def told(layout: RunLayout, names: Iterable[str]) -> dict[str, int]:
    """The counts of those among the units ``names`` that have written one."""
    found: dict[str, int] = {}
    if isinstance(layout.staging, ObjectPath):
        return found
    for name in names:
        with contextlib.suppress(OSError, ValueError):
            found[name] = int((layout.staging / f"{name}{ENDING}").read_text())
    return found
