"""The work of a workshop's process: one task, within its limits."""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from yamafuda import UserError

SAID_BYTES = 16 << 20
"""Longest value, in bytes."""
WRITTEN_BYTES = 64 << 20
"""Largest file that a task writes, as when data do not fit into memory."""
PATIENCE_S = 5.0
"""Seconds after its limit when a process ends by itself, if nobody has ended it."""
MEMORY = "stopped: it needs more memory than this site gives"


def work(
    writing: Connection,
    task: Callable[..., Iterator[Any]],
    given: dict[str, Any],
    places: dict[str, str],
    time_s: float,
    memory_bytes: int,
) -> None:
    """Send what the task yields, or what went wrong, and an empty message at the end. ``places``: environment
    variables."""
    os.environ |= places
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(time_s, memory_bytes)
    try:
        for value in task(**given):
            _say(writing, {"value": value})
        _say(writing, {})
    except UserError as error:
        _say(writing, {"place": error.field, "problem": error.message})
    except MemoryError:
        _say(writing, {"stopped": MEMORY})
    except BrokenPipeError:
        pass
    except BaseException as error:  # a panic of the native core is not an Exception
        _say(writing, {"failed": f"{type(error).__name__} while computing"})
        raise


def nothing() -> Iterator[Any]:
    """A task that is done at once."""
    yield from ()


def _say(writing: Connection, said: dict[str, Any]) -> None:
    data = json.dumps(said).encode()
    if len(data) > SAID_BYTES:
        data = json.dumps({"failed": "the answer is too long to be shown"}).encode()
    writing.send_bytes(data)


def _limit(time_s: float, memory_bytes: int) -> None:
    """So a process ends by itself even when its server was killed."""
    pages_count = int(Path("/proc/self/statm").read_text().split()[0])
    begun_bytes = pages_count * resource.getpagesize()
    signal.setitimer(signal.ITIMER_REAL, time_s + PATIENCE_S)
    seconds = int(time_s * (os.cpu_count() or 1)) + 2
    for kind, most in (
        (resource.RLIMIT_AS, begun_bytes + memory_bytes),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, WRITTEN_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (limit, limit))
