"""The package as a folder that is sent to other machines and imported there: as installed here, or from a wheel.

With it go the packages of games that others have written. What they depend on is not sent: it must be installed
there.
"""

from __future__ import annotations

import platform
import re
import shutil
import zipfile
from importlib import metadata
from pathlib import Path

from engines.contract.registry import GROUP
from pipeline.shipping.fingerprint import package_files
from storage.errors import UserError

NAME = "yamafuda"
PACKAGES = ("pipeline", "engines", "storage", "conf", "yamafuda")
_TOLD = ("METADATA", "entry_points.txt")
"""Files of a distribution's metadata that are sent: its version, its requirements, its games."""


def shipped_packages() -> list[str]:
    """Top-level names of what is sent: ours and those of all games."""
    entries = metadata.entry_points(group=GROUP)
    return list(
        dict.fromkeys([*PACKAGES, *(entry.value.partition(".")[0].partition(":")[0] for entry in entries)])
    )


def lay_out(folder: Path, wheel: Path | None = None) -> None:
    """Copy what is sent into the empty ``folder``. UserError when ``wheel`` is not one of this package."""
    names = shipped_packages()
    if wheel is not None:
        _unpack(wheel, folder)
        names = [name for name in names if not (folder / name).exists()]
    for name in names:
        for path, inside in package_files(name):
            copy = folder / name / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    for distribution in _distributions():
        told = folder / f"{distribution.name.replace('-', '_')}-{distribution.version}.dist-info"
        if distribution.name == NAME and wheel is not None:
            continue  # the wheel has its own
        told.mkdir()
        for name in _TOLD:
            (told / name).write_text(distribution.read_text(name) or "")


def machine_of(wheel: Path | None) -> str:
    """The architecture of what is sent, such as ``x86_64``: that of the wheel, or of this machine."""
    if wheel is None:
        return platform.machine()
    # manylinux_2_28_x86_64, linux_aarch64; several are joined by points.
    return re.sub(r"^[a-z]+(_\d+_\d+|\d{4})?_", "", wheel.stem.rpartition("-")[2].rpartition(".")[2])


def _distributions() -> list[metadata.Distribution]:
    """Our distribution and those that have games."""
    found = {NAME: metadata.distribution(NAME)}
    for entry in metadata.entry_points(group=GROUP):
        if entry.dist is not None:
            found.setdefault(entry.dist.name, entry.dist)
    return list(found.values())


def _unpack(wheel: Path, folder: Path) -> None:
    parts = wheel.name.removesuffix(".whl").split("-")
    if not wheel.name.endswith(".whl") or len(parts) < 5 or parts[0] != NAME:
        raise UserError("--wheel", f"{wheel} does not have the name of a wheel of {NAME}")
    try:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    except (OSError, zipfile.BadZipFile) as error:
        raise UserError("--wheel", f"{wheel} cannot be read: {error}") from error
    if missing := [name for name in PACKAGES if not (folder / name).is_dir()]:
        raise UserError("--wheel", f"{wheel} has no {', '.join(missing)}")
