"""A Ray cluster of one node on this machine, for tests of cluster=address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from patience import PATIENCE_S

from pipeline.memory import descendants


@dataclass
class Head:
    """A head node that is up."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def words(self) -> list[str]:
        """What a command is told to go there."""
        return ["cluster=address", f"cluster.address=127.0.0.1:{self.port}"]

    def kill(self) -> None:
        """As if its machine was switched off."""
        for pid in [*descendants(self.process.pid)[1:], self.process.pid]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def started_head(cpus: int, folder: Path) -> Iterator[Head]:
    """Start a head with so many processors; ``RAY_AUTH_MODE`` must be ``disabled``."""
    port = free_port()
    words = [
        "start",
        "--head",
        "--block",
        f"--port={port}",
        f"--num-cpus={cpus}",
        "--include-dashboard=false",
    ]
    program = [str(Path(sys.executable).parent / "ray"), *words, "--object-store-memory=100000000"]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        deadline_s = time.monotonic() + PATIENCE_S
        while True:
            assert process.poll() is None
            assert time.monotonic() < deadline_s
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.2)
        yield Head(port, process)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
