"""How long tests wait on a machine that others use, too: for what comes at all, and for what must come soon."""

from __future__ import annotations

import os
import subprocess
import sys
import time

PATIENCE_S = 300.0
"""For what comes in seconds, if it comes at all."""


def assert_soon(begin_s: float, limit_s: float) -> None:
    """What began at ``begin_s`` (of ``time.monotonic``) was over within ``limit_s``, as far as it lies with it."""
    elapsed_s = time.monotonic() - begin_s
    assert elapsed_s < limit_s or elapsed_s < limit_s * slowness()


def slowness() -> float:
    """How many times as long as it is at work a process takes now."""
    begin = os.times()
    subprocess.run([sys.executable, "-c", "import pyarrow.parquet, scipy.stats"], check=True)
    end = os.times()
    work_s = end.children_user + end.children_system - begin.children_user - begin.children_system
    return (end.elapsed - begin.elapsed) / work_s
