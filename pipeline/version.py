"""The versions of all parts."""

from __future__ import annotations

import platform
import re
from importlib import metadata


def versions() -> str:
    """Of the package, the native core, Python and Ray, in a line; imports no Ray."""
    ray = installed("ray")
    return (
        f"yamafuda {installed('yamafuda')} (Rust core: {_core()}), Python {platform.python_version()}, "
        f"{'no Ray' if ray is None else f'Ray {ray}'}"
    )


def installed(package: str) -> str | None:
    """The version of a package; None where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def required(package: str) -> str:
    """The versions of a package that yamafuda allows, as pip takes them: ``ray<2.61,>=2.60``."""
    return next(each for each in metadata.requires("yamafuda") or [] if re.match(rf"{package}\b", each))


def _core() -> str:
    try:
        from engines import _native
    except ImportError:
        return "not built"
    return f"{_native.BUILD_PROFILE} build"
