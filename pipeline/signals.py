"""Stopping a run: Ctrl-C, SIGTERM, and the ``cancel`` file all raise KeyboardInterrupt in the main thread."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from pipeline.memory import descendants
from storage.errors import UserError
from storage.place import ObjectPath, Place

LOOK_PERIOD_S = 0.5
OBJECT_PERIOD_S = 3.0
"""Seconds between two looks on an object store, where each is a request."""
_received: list[int] = []
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def was_asked_to_stop() -> bool:
    """Whether a signal came. What fails afterwards may have failed because of it: Ray turns some signals into
    errors."""
    return bool(_received)


def _stop(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    signal.default_int_handler(number, frame)


@contextmanager
def stopping_on_signals() -> Iterator[None]:
    """SIGINT and SIGTERM raise KeyboardInterrupt, in native code as well when it checks for signals.

    The earlier handlers are restored at the end. Outside the main thread this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _stop) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def stopping_on_file(path: Place) -> Iterator[None]:
    """Interrupt the main thread when ``path`` appears. A file that is there already is an old request, and is
    removed."""
    path.unlink(missing_ok=True)
    leave = threading.Event()
    period_s = OBJECT_PERIOD_S if isinstance(path, ObjectPath) else LOOK_PERIOD_S

    def look() -> None:
        while not leave.wait(period_s):
            with suppress(UserError):  # an error of the store, which the driver meets too
                if path.is_file():
                    os.kill(os.getpid(), signal.SIGTERM)
                    return

    watcher = threading.Thread(target=look, name="cancel-watcher", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        leave.set()
        watcher.join()
        path.unlink(missing_ok=True)


def to_go_on() -> str:
    """In words, the command that goes on with what this one has begun."""
    return f"to go on: yamafuda {shlex.join(sys.argv[1:])}"


def end_lost(error: Exception) -> NoReturn:
    """End at once: the cluster is gone, and cannot be left properly."""
    print(f"yamafuda: {error}; {to_go_on()}", file=sys.stderr, flush=True)
    exit_with_children(2)


def exit_with_children(status: int) -> NoReturn:
    """Kill all processes below this one and end at once, without waiting for other threads."""
    for pid in descendants(os.getpid())[1:]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    os._exit(status)
