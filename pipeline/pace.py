"""How often a driver writes down what it knows: at once while that costs little, later for a share of its time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

SHARE = 0.01
"""Largest share of a driver's time, in the long run."""
CREDIT_S = 0.5
"""Seconds on top of that, so that in small runs everything is written down at once."""


class Pace:
    """Says when it is time to write again. A put on an object store takes a hundred times as long as a file here."""

    def __init__(self) -> None:
        self._begun_s = time.monotonic()
        self._spent_s = 0.0

    def is_due(self) -> bool:
        """Whether the time spent so far allows another write."""
        return self._spent_s <= CREDIT_S + SHARE * (time.monotonic() - self._begun_s)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """To be entered for a write."""
        begin_s = time.monotonic()
        try:
            yield
        finally:
            self._spent_s += time.monotonic() - begin_s
