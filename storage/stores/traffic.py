"""Traffic of this process with object stores, in requests and bytes."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass


@dataclass
class Traffic:
    """Counts since the process began."""

    requests_count: int = 0
    read_bytes: int = 0
    written_bytes: int = 0

    def since(self, earlier: Traffic) -> Traffic:
        """The traffic after ``earlier`` was copied."""
        return Traffic(*(now - then for now, then in zip(self.values(), earlier.values(), strict=True)))

    def __add__(self, other: Traffic) -> Traffic:
        """Both together."""
        return Traffic(*(one + two for one, two in zip(self.values(), other.values(), strict=True)))

    def values(self) -> list[int]:
        """The counts in the order of the fields."""
        return list(asdict(self).values())


_total = Traffic()
_lock = threading.Lock()


def count(read_bytes: int = 0, written_bytes: int = 0) -> None:
    """Count one request and its bytes."""
    with _lock:
        _total.requests_count += 1
        _total.read_bytes += read_bytes
        _total.written_bytes += written_bytes


def so_far() -> Traffic:
    """A copy of the counts as they are now."""
    with _lock:
        return Traffic(*_total.values())
