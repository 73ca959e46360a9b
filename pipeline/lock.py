"""One driver to a run: a lock on ``driver.lock`` that the system drops when its owner dies."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.errors import UserError


@contextmanager
def driver_lock(path: Path) -> Iterator[None]:
    """Hold ``path`` as this process; UserError that names the other driver when there is one.

    The file says who holds it (host, pid). The lock covers one machine and network file systems that pass
    flock on; where they do not, two drivers are still harmless, for the first writer of a unit wins.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(
                path.parent.name, f"this run is driven by {holder(path)}; wait or cancel it"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps({"host": socket.gethostname(), "pid": os.getpid()}).encode(), 0)
        yield
    finally:
        os.close(descriptor)


def holder(path: Path) -> str:
    """Who wrote the lock file last, in words."""
    try:
        owner = json.loads(path.read_text())
        return f"process {owner['pid']} on {owner['host']}"
    except (OSError, ValueError, KeyError):
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
