"""Tasks of all kinds, for the workshop."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yamafuda import UserError


def squares(count: int) -> Iterator[int]:
    """So many squares."""
    yield from (number * number for number in range(count))


def sleeps(folder: str, time_s: float = 3600.0) -> Iterator[Any]:
    """Say who it is in a file of its own, and sleep."""
    (Path(folder) / str(os.getpid())).touch()
    yield "begun"
    time.sleep(time_s)
    yield "done"


def eats() -> Iterator[Any]:
    """Take memory without end."""
    held = []
    while True:
        held.append(bytearray(1 << 24))
        yield len(held)


def refuses() -> Iterator[Any]:
    """Find a mistake."""
    raise UserError("deal", "there is no card S14")
    yield


def breaks() -> Iterator[Any]:
    """Have a mistake."""
    yield 1 // 0


def dies() -> Iterator[Any]:
    """End without a word."""
    yield 1
    os._exit(7)


def talks() -> Iterator[Any]:
    """Say more than is taken."""
    yield "x" * (17 << 20)


def tells() -> Iterator[dict[str, str]]:
    """Its settings."""
    yield {name: value for name, value in os.environ.items() if name == "YAMAFUDA_RESULTS"}
