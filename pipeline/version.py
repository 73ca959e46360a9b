"""Which versions are at work."""

from __future__ import annotations

import platform
from importlib import metadata


def versions() -> str:
    """Of the package, the native core, Python and Ray, in a line; imports no Ray."""
    return (
        f"yamafuda {metadata.version('yamafuda')} (Rust core: {_core()}), Python {platform.python_version()}, "
        f"Ray {metadata.version('ray')}"
    )


def _core() -> str:
    try:
        from engines import _native
    except ImportError:
        return "not built"
    return f"{_native.BUILD_PROFILE} build"
