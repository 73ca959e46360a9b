"""A clock that can be set: ``time.time`` of all Python on a host is wrong by the seconds that the file /tmp/clock says.

Python imports this module by itself where its folder is in PYTHONPATH. (Time in Ray's C++ goes on as it is: to change
it from within a process breaks waits for a point in time, which a real clock that jumps does not.)
"""

from __future__ import annotations

import time
from pathlib import Path

_right = time.time


def _wrong() -> float:
    try:
        return _right() + float(Path("/tmp/clock").read_text())
    except (OSError, ValueError):
        return _right()


time.time = _wrong
