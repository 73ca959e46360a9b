"""One driver to a run: in a folder a lock that the system drops when its owner dies; on an object store a lease."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.lease import Lease, in_words, is_live, leased, read_lease
from storage.errors import UserError
from storage.jsontext import parse_json
from storage.place import ObjectPath, Place

PATIENCE_S = 0.2
"""With a lock that another process holds."""


@contextmanager
def driver_lock(path: Place) -> Iterator[Lease | None]:
    """Hold ``path`` as this process; UserError that names the other driver when there is one.

    On an object store a lease is held, and yielded. In a folder the file says who holds it (host, pid). The lock
    covers one machine and network file systems that pass flock on; where they do not, two drivers are still harmless,
    for the first writer of a unit wins.
    """
    if isinstance(path, ObjectPath):
        with leased(path) as lease:
            yield lease
        return
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _taken(descriptor):
            raise UserError(path.parent.name, f"this run is driven by {holder(path)}; wait or cancel it")
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps({"host": socket.gethostname(), "pid": os.getpid()}).encode(), 0)
        yield None
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    """Try for a moment: a process that looks whether the lock is held (``is_held``) holds it for that long."""
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


def holder(path: Place) -> str:
    """The process that wrote the lock file last, in words."""
    if isinstance(path, ObjectPath):
        return in_words(read_lease(path))
    try:
        owner = parse_json(path.read_text())
        return f"process {owner['pid']} on {owner['host']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def is_held(path: Place) -> bool:
    """True while a driver holds the lock."""
    if isinstance(path, ObjectPath):
        return is_live(path)
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
