"""The trace of a worker that dies of a signal: where it was, in a file that the driver finds.

A process that is killed from outside (SIGKILL) leaves no trace. After an error of its own (SIGSEGV, SIGABRT, SIGBUS,
SIGFPE, SIGILL) ``faulthandler`` writes where it was.
"""

from __future__ import annotations

import faulthandler
import re
import signal
from pathlib import Path

from pipeline.inside import telling
from pipeline.records import record_name
from pipeline.tasks import Brief, Outcome, Task
from pipeline.worker import execute
from storage.place import ObjectPath

_FATAL = {
    "Segmentation fault": signal.SIGSEGV,
    "Aborted": signal.SIGABRT,
    "Bus error": signal.SIGBUS,
    "Floating-point exception": signal.SIGFPE,
    "Floating point exception": signal.SIGFPE,
    "Illegal instruction": signal.SIGILL,
}


def execute_leaving_a_trace(brief: Brief, task: Task, try_number: int) -> Outcome:
    """``execute``; if this process dies of a signal meanwhile, its trace is in the run's staging folder."""
    path = _path(brief, task)
    with path.open("w") as stream:
        faulthandler.enable(stream, all_threads=False)
        try:
            with telling(brief.layout, record_name(task.unit.name, brief.attempt)) as progress:
                return execute(brief, task, try_number, progress, is_apart=True)
        finally:
            faulthandler.enable(all_threads=False)
            path.unlink(missing_ok=True)


def has_begun(brief: Brief, task: Task) -> bool:
    """Whether a process is at work on a task (or died at it)."""
    return _path(brief, task).exists()


def tells_of_all(brief: Brief) -> bool:
    """Whether ``has_begun`` also knows of units on other machines."""
    return not isinstance(brief.layout.staging, ObjectPath)


def fault_of(brief: Brief, task: Task) -> str:
    """The signal that ended a task's process, and the place, in words; the trace is removed."""
    path = _path(brief, task)
    try:
        text = path.read_text(errors="replace")
        path.unlink()
    except FileNotFoundError:
        text = ""
    fatal = re.search(r"^Fatal Python error: (.*)$", text, re.MULTILINE)
    if fatal is None:
        return "its process ended without a trace: killed from outside (SIGKILL, out of memory), or its node was lost"
    number = _FATAL.get(fatal[1])
    name = f"{number.name} ({fatal[1]})" if number is not None else fatal[1]
    place = re.search(r'File "([^"]*)", line (\d+) in (\S+)', text)
    return f"its process died of {name}" + (f" at {place[1]}:{place[2]}, in {place[3]}" if place else "")


def memory_reason(text: str, reserved_bytes: int) -> str:
    """In one line, what Ray says at length when it ends a process because its node's memory is full."""
    node = re.search(r"Memory on the node \(IP: ([^,]+),.*?\) was (\S+) used / (\S+) limit", text)
    if node is None:
        return " ".join(text.split())[:500]
    ended = re.search(r"actual memory used=([^,]+)", text)
    took = f", with {ended[1]}" if ended else ""
    return (
        f"its process was ended{took}, because its node {node[1]} ran low on memory ({node[2]} of {node[3]} in use); "
        f"a unit reserves {reserved_bytes / 1e9:.2f} GB (job.limits.memory_bytes)"
    )


def _path(brief: Brief, task: Task) -> Path:
    name = record_name(task.unit.name, brief.attempt)
    staging = brief.layout.staging
    # On an object store a trace stays on its unit's machine; only a driver on the same machine finds it.
    folder = Path(brief.scratch_dir) / "faults" if isinstance(staging, ObjectPath) else staging
    folder.mkdir(parents=True, exist_ok=True)
    return (
        folder / f"{brief.run_id}-{name}.fault.tmp"
        if isinstance(staging, ObjectPath)
        else folder / f"{name}.fault.tmp"
    )
