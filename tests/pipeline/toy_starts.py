"""As ``toy_cli.py``, but Ray's first gcs_server ends before its first word or later.

python toy_starts.py before|after ARGS
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from toy_cli import main

from pipeline.memory import descendants
from pipeline.runners import ray_session, starting
from pipeline.runners.watch import processes_called

node, services = ray_session.ray._private.node, ray_session.ray._private.services

wait = node.wait_for_persisted_port
start_raylet = node.Node.start_raylet
when = sys.argv.pop(1)
SHORT_MS = 1000


def wait_in_vain(*words: Any, timeout_ms: int) -> int:
    """The first time; from then on as Ray does."""
    node.wait_for_persisted_port, services.GCS_SERVER_EXECUTABLE = wait, program
    port: int = wait(*words, timeout_ms=SHORT_MS)
    return port


def kill_and_go_on(self: Any, *words: Any) -> None:
    """Kill it once Ray is connected to it."""
    for pid in processes_called(["gcs_server"], descendants(os.getpid())):
        os.kill(pid, signal.SIGKILL)
    start_raylet(self, *words)


program = services.GCS_SERVER_EXECUTABLE
if when == "before":
    node.wait_for_persisted_port, services.GCS_SERVER_EXECUTABLE = wait_in_vain, "/bin/false"
else:
    node.Node.start_raylet = kill_and_go_on
    starting.SILENCE_S = ray_session.END_S = 1.0
main()
