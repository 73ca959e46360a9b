"""Which version of the package a machine has: found by a function that also runs where the package is missing.

This file imports nothing of ours, because its functions are sent by value.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.metadata
import importlib.util
import platform
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path

LEFT_OUT = ("__pycache__", "native")
"""Folders of packages that are not shipped: the crate's sources lie in ``engines/native``."""
NEEDED = ("pipeline.worker", "engines._native")
"""What a worker imports before its first unit."""


def fingerprint(packages: Iterable[str]) -> dict[str, str]:
    """What this machine has of ``packages`` (top-level names), as the fields of ``lacking.Found``."""
    digest, native, problem, version = hashlib.sha256(), hashlib.sha256(), "", ""
    for name in packages:
        for path, relative in package_files(name):
            digest.update(f"{relative}\n".encode())
            (native if path.suffix == ".so" else digest).update(path.read_bytes())
    try:
        for name in NEEDED:
            importlib.import_module(name)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    if importlib.util.find_spec(NEEDED[0].partition(".")[0]) is not None:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            version = importlib.metadata.version("yamafuda")
    return {
        "host": socket.gethostname(),
        "machine": platform.machine(),
        "version": version,
        "digest": digest.hexdigest(),
        "native": native.hexdigest(),
        "problem": problem,
    }


def package_files(name: str) -> Iterator[tuple[Path, str]]:
    """The files of a package, or of a module without folder, where the interpreter finds it; empty if there is none.

    Each comes with its path within the package, and they are sorted by it.
    """
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return
    if not spec.submodule_search_locations:
        yield Path(spec.origin), "__init__.py"
        return
    root = Path(spec.origin).parent
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if path.is_file() and path.suffix != ".pyc" and not set(inside.parts) & set(LEFT_OUT):
            yield path, inside.as_posix()
