"""Notices that one of Ray's processes ends while Ray starts; Ray itself may wait too long for it."""

from __future__ import annotations

import os
import time

from pipeline.memory import descendants
from pipeline.runners.watch import processes_called

LOOK_PERIOD_S = 1.0
SILENCE_S = 44.0
"""If a process ends early, Ray says so within 40 s. If it ends later, Ray ends our process after a minute."""


class Starting:
    """Watches Ray's processes below this one while ``ray.init`` is at work."""

    def __init__(self) -> None:
        self._seen: dict[int, str] = {}
        self._looked_s = time.monotonic()
        self._ended_s: float | None = None

    def check(self) -> None:
        """TimeoutError when one of them has ended and Ray has not said so for ``SILENCE_S``."""
        now_s = time.monotonic()
        if now_s - self._looked_s < LOOK_PERIOD_S:
            return
        self._looked_s = now_s
        found = processes_called(("gcs_server", "raylet"), descendants(os.getpid()))
        self._seen |= found
        ended = [f"{name} ({pid})" for pid, name in self._seen.items() if pid not in found]
        if ended and self._ended_s is None:
            self._ended_s = now_s
        if self._ended_s is not None and now_s - self._ended_s >= SILENCE_S:
            raise TimeoutError(f"its process {ended[0]} has ended")
