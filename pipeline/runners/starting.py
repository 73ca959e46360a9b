"""Notices while Ray starts that one of its processes has ended, which Ray itself may wait for too long."""

from __future__ import annotations

import os
import time

from pipeline.memory import descendants
from pipeline.runners.watch import processes_called

LOOK_PERIOD_S = 1.0
SILENCE_S = 44.0
"""Ray says itself within 40 s that a process ended early. If it was later, Ray ends this process after a minute."""


class Starting:
    """Looks at Ray's processes below this one while ``ray.init`` is at work."""

    def __init__(self) -> None:
        self._seen: dict[int, str] = {}
        self._looked_s = time.monotonic()
        self._ended_s: float | None = None

    def check(self) -> None:
        """TimeoutError when one of them ended and Ray has said nothing of it for ``SILENCE_S``."""
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
