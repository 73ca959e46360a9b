"""A run's folder before its driver starts: it is made, and what killed drivers and power cuts left is removed."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.inside import ENDING
from pipeline.lease import LeaseLostError
from pipeline.records import Records
from storage.errors import UserError
from storage.layout import RunLayout
from storage.place import ObjectPath, Place, name_within
from storage.record import sha256_file


def make_folders(layout: RunLayout, scratch: Path) -> None:
    """Make the run's folder and those that workers expect; UserError when a root cannot be written."""
    try:
        for folder in (layout.run_dir, layout.units, layout.staging, scratch):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("paths", f"cannot make {error.filename}: {error.strerror}") from error


@contextmanager
def leaving_no_refused_run(layout: RunLayout) -> Iterator[None]:
    """Remove a new run without results when a UserError ends it: its start was refused.

    To be entered while the driver's lock is held.
    """
    is_new = not layout.plan.exists()
    try:
        yield
    except LeaseLostError:
        raise  # another driver goes on with it
    except UserError:
        if is_new and not any(path.is_file() for path in _products(layout)):
            remove_files(layout)
        raise


def _products(layout: RunLayout) -> Iterator[Place]:
    for folder in (layout.data, layout.shards, layout.work, layout.kept):
        yield from folder.rglob("*")


def remove_files(layout: RunLayout) -> None:
    """Remove a run's folder while its lock is held. plan.json goes last, so that this can be repeated if cut short."""
    layout.manifest.unlink(missing_ok=True)
    layout.summary.unlink(missing_ok=True)
    for entry in layout.run_dir.iterdir():
        if entry not in (layout.plan, layout.lock):
            remove_path(entry)
    layout.plan.unlink(missing_ok=True)
    layout.lock.unlink(missing_ok=True)
    layout.run_dir.rmdir()
    kind = layout.run_dir.parent
    if layout.run_dir.name.startswith(f"{kind.name}-"):
        with contextlib.suppress(OSError):  # another run of its kind is there
            kind.rmdir()


def remove_path(path: Place) -> None:
    """Remove a file, or a folder with all that is in it; nothing when it is gone."""
    if isinstance(path, ObjectPath):
        for below in path.rglob("*"):
            below.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    elif path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def remove_leftovers(layout: RunLayout) -> None:
    """Remove what killed writers left; a writer that still uses a temporary name is one that was given up."""
    for folder in (layout.staging, layout.units, layout.logs, layout.run_dir):
        for path in folder.glob("*.tmp"):
            remove_path(path)
    for path in layout.staging.glob(f"*{ENDING}"):
        remove_path(path)


def remove_unsound(layout: RunLayout, records: Records) -> None:
    """Remove the files below ``work/`` that differ from their units' records, or that have no record.

    They are not synced, so a power cut can leave names without their content. Everything else in a run is
    synced before it gets its name, and an object is there as a whole or not at all. To be called before a
    driver goes on with a run; reads all of ``work/``.
    """
    if isinstance(layout.work, ObjectPath):
        return
    present = [path for path in layout.work.rglob("*") if path.is_file()]
    if not present:
        return
    known = {record["path"]: record for record in records}
    for path in present:
        record = known.get(name_within(path, layout.run_dir))
        if (
            record is None
            or path.stat().st_size != record["size_bytes"]
            or sha256_file(path) != record["sha256"]
        ):
            path.unlink()
