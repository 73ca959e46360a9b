"""How often what a driver knows is written down: at once while that costs little, else for a share of its time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

SHARE = 0.01
"""Of a driver's time, at most, in the long run."""
CREDIT_S = 0.5
"""So much more, so that small runs have everything written down at once."""


class Pace:
    """Says when it is time to write again. A put on an object store takes a hundred times as long as a file here."""

    def __init__(self) -> None:
        self._begun_s = time.monotonic()
        self._spent_s = 0.0

    def is_due(self) -> bool:
        """Whether what was spent so far allows another write."""
        return self._spent_s <= CREDIT_S + SHARE * (time.monotonic() - self._begun_s)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """To be entered for a write."""
        begin_s = time.monotonic()
        try:
            yield
        finally:
            self._spent_s += time.monotonic() - begin_s
