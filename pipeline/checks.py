"""Checks disk and memory before work starts: a run that cannot fit says so at once."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from engines.contract.engine import Engine
from pipeline.config import Cluster
from pipeline.memory import available_bytes
from storage.errors import DiskFullError, UserError
from storage.layout import RunLayout
from storage.place import ObjectPath
from storage.publish import free_bytes


def check_disk(engine: Engine, layout: RunLayout) -> None:
    """DiskFullError when what is still to be written does not fit, by the engine's estimate."""
    estimate = engine.estimate()
    if estimate is None:
        return
    if isinstance(layout.run_dir, ObjectPath):
        return
    free = free_bytes(next(folder for folder in layout.run_dir.parents if folder.exists()))
    missing_bytes = estimate.disk_bytes - folder_bytes(layout.run_dir)
    if missing_bytes > free:
        raise DiskFullError(
            str(layout.run_dir.parent),
            f"the run needs about {missing_bytes} bytes more and {free} are free; make room or choose "
            "another root (paths.results, paths.tables)",
        )


def check_memory(cluster: Cluster, memory_bytes: int) -> None:
    """UserError when this machine has less free memory than one unit may use; Ray checks its own nodes."""
    if cluster.kind == "serial" and memory_bytes > available_bytes():
        raise UserError(
            "job.limits.memory_bytes",
            f"a unit may use {memory_bytes} bytes, but only {available_bytes()} are free; lower the limit",
        )


def folder_bytes(folder: Path) -> int:
    """Size of all files below a folder, in bytes; a file that another driver removes meanwhile counts as 0."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(place, name).stat().st_size
    return total
