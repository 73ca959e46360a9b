"""Memory of this process and all its descendants, without page cache; read from /proc."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path

PERIOD_S = 1.0


def descendants(root: int) -> list[int]:
    """``root`` and all processes below it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                # The name in brackets may hold blanks and brackets; the parent is the second field after it.
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                children.setdefault(int(parent), []).append(int(entry.name))
    found, queue = [], [root]
    while queue:
        found.append(queue.pop())
        queue += children.get(found[-1], [])
    return found


def private_bytes(pid: int) -> int:
    """Proportional set size of a process in bytes without mapped files; 0 when it is gone."""
    total = 0
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith(("Pss_Anon:", "Pss_Shmem:")):
                total += int(line.split()[1]) << 10
    return total


class PeakSampler:
    """Samples ``private_bytes`` over all descendants about once a second, in a thread, while entered."""

    def __init__(self) -> None:
        self.peak_bytes = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="peak-sampler", daemon=True)

    def __enter__(self) -> PeakSampler:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._look()

    def _sample(self) -> None:
        while not self._stop.wait(PERIOD_S):
            self._look()

    def _look(self) -> None:
        self.peak_bytes = max(self.peak_bytes, sum(private_bytes(pid) for pid in descendants(os.getpid())))


def available_bytes() -> int:
    """Memory that new work can have on this machine, in bytes."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def reset_peak() -> None:
    """Forget the largest resident size of this process so far (see ``peak_resident_bytes``)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_resident_bytes() -> int:
    """Largest resident size of this process since ``reset_peak``, in bytes, mapped files included."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return 0
