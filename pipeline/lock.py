"""One driver to a run: a lock on ``driver.lock`` that the system drops when its owner dies."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.errors import UserError
from storage.jsontext import parse_json

PATIENCE_S = 0.2
"""With a lock that another process holds."""


@contextmanager
def driver_lock(path: Path) -> Iterator[None]:
    """Hold ``path`` as this process; UserError that names the other driver when there is one.

    The file says who holds it (host, pid). The lock covers one machine and network file systems that pass
    flock on; where they do not, two drivers are still harmless, for the first writer of a unit wins.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _taken(descriptor):
            raise UserError(path.parent.name, f"this run is driven by {holder(path)}; wait or cancel it")
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps({"host": socket.gethostname(), "pid": os.getpid()}).encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    """Try for a moment: who looks whether the lock is held (``is_held``) holds it for that long."""
    deadline_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline_s:
                return False
            time.sleep(0.01)
        else:
            return True


def holder(path: Path) -> str:
    """Who wrote the lock file last, in words."""
    try:
        owner = parse_json(path.read_text())
        return f"process {owner['pid']} on {owner['host']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def is_held(path: Path) -> bool:
    """True while a driver holds the lock."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
