"""What Ray needs from this machine before it starts: short socket paths, shared memory, open files."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from pathlib import Path

from storage.errors import UserError
from storage.publish import free_bytes

SOCKET_PATH_BYTES = 107
"""Longest path of a Unix socket."""
_SOCKET = "session_2026-11-29_12-00-00_000000_4194304/sockets/plasma_store"
"""What Ray appends to its folder's path for its longest socket, with the largest process number."""
SHORT_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm")
SHARED_MEMORY = Path("/dev/shm")
FILES_BASE, FILES_PER_CPU = 64, 8
"""Open files that Ray's node process needs, in all and for each worker: with fewer it ends without saying why.
(Measured: 64 are enough for 2 processors and too few for 16; 128 are enough for 16.)"""


def session_folder() -> str | None:
    """The folder for sockets and logs of a Ray that we start: None for its usual one, another where the usual path is
    too long.

    UserError when no folder will do.
    """
    usual = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    if _fits(Path(usual, "ray")):
        return None
    for folder in SHORT_FOLDERS:
        if os.access(folder, os.W_OK | os.X_OK):
            return f"{folder}/ray-{os.getuid()}"
    raise UserError(
        "TMPDIR",
        f"{usual} is too long for Ray's sockets, whose paths have {SOCKET_PATH_BYTES} bytes at most; "
        "set TMPDIR to a shorter folder, or run with cluster=serial",
    )


def _fits(folder: Path) -> bool:
    return len(os.fsencode(folder / _SOCKET)) <= SOCKET_PATH_BYTES


def object_store_folder(needed_bytes: int) -> str | None:
    """The place of Ray's object store: None for shared memory; where that has no room, a folder, which is printed on
    stderr.

    UserError when the folder has no room either.
    """
    shared = free_bytes(SHARED_MEMORY) if os.access(SHARED_MEMORY, os.W_OK | os.X_OK) else 0
    if shared >= needed_bytes:
        return None
    folder = tempfile.gettempdir()
    lack = f"Ray wants {needed_bytes >> 20} MiB of {SHARED_MEMORY}, which has {shared >> 20} MiB free"
    if free_bytes(Path(folder)) < needed_bytes:
        raise UserError(
            str(SHARED_MEMORY),
            f"{lack}, and {folder} has no room either; give it more (docker run --shm-size=256m), or run with "
            "cluster=serial",
        )
    print(f"{lack}: it uses {folder} instead", file=sys.stderr, flush=True)
    return folder


def check_open_files(cpus: int) -> None:
    """UserError when a process may open too few files for a Ray with so many processors. (Ray raises a soft limit
    itself.)"""
    needed = FILES_BASE + FILES_PER_CPU * cpus
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most != resource.RLIM_INFINITY and most < needed:
        raise UserError(
            "open files",
            f"a process may have {most}, and Ray with {cpus} processors needs {needed}; raise the limit (ulimit -n), "
            "or run with cluster=serial",
        )
