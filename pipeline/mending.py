"""Damaged files of runs: found by size whenever a driver starts, by checksum with ``verify --repair``, and removed.

A file that was removed is missing, and the run's command computes what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pipeline.folder import remove_path
from pipeline.journal import JOURNAL_NAME
from pipeline.lock import driver_lock
from pipeline.plan import read_plan
from pipeline.records import Records, read_records
from storage.errors import DamagedFileError, UserError
from storage.layout import RunLayout, id_in_name
from storage.manifest import damaged_files, read_manifest
from storage.place import ObjectPath, Place
from storage.record import FileRecord, check_size, verify_file


def remove_cut_short(layout: RunLayout, records: Records) -> list[str]:
    """Remove final files whose size is not the recorded one; returns a line for each.

    To be called by a run's driver. On object stores nothing is done: an object is there as a whole or not at all.
    """
    if isinstance(layout.run_dir, ObjectPath):
        return []
    removed = []
    for path, reason in list(_folders_for_files(layout)):
        remove_path(path)
        removed.append(f"{path}: {reason}; removed")
    for path, record in _known(layout, records).items():
        try:
            if path.exists():
                check_size(path, record)
                if path.is_dir():
                    raise DamagedFileError(str(path), "is a folder")
        except DamagedFileError as error:
            remove_path(path)
            removed.append(f"{error}; computed again")
    return removed


def remove_foreign(paths: Iterable[Place]) -> list[str]:
    """Remove files that are not the run's own; returns a line for each. To be called by a run's driver."""
    removed = []
    for path in list(paths):
        remove_path(path)
        removed.append(f"{path}: no unit of this run writes this; removed")
    return removed


def repair(run_dir: Place) -> list[str]:
    """Remove a run's damaged files, with the manifest that names them; returns a line for each file that was
    removed.

    UserError when a driver is at work on it.
    """
    layout = RunLayout(run_dir)
    removed = []
    if layout.lock.is_dir():
        remove_path(layout.lock)
        removed.append(f"removed {layout.lock}: is a folder where a file should be")
    with driver_lock(layout.lock):
        for path, reason in list(_damaged(layout)):
            if path.exists():
                remove_path(path)
            removed.append(f"removed {path}: {reason}")
        if removed:
            layout.manifest.unlink(missing_ok=True)
    return removed


def _damaged(layout: RunLayout) -> Iterator[tuple[Place, str]]:
    """Judged by the manifest; by the records of units when it cannot be read."""
    for folder in (layout.data, layout.shards, layout.units, layout.work, layout.kept, layout.staging):
        if folder.exists() and not folder.is_dir():
            yield folder, "is a file where a folder should be"
    yield from _folders_for_files(layout)
    try:
        read_manifest(layout.run_dir)
    except DamagedFileError:
        if layout.manifest.exists():
            yield layout.manifest, "cannot be read"
        if id_in_name(layout.run_dir):  # without it the run would not be found
            try:
                read_plan(layout)
            except UserError:
                yield layout.plan, "is not the plan of this run"
        for path, record in _known(layout, read_records(layout)).items():
            if path.exists():
                try:
                    verify_file(path, record)
                except (DamagedFileError, OSError):
                    yield path, "is not what its unit wrote"
    else:
        yield from damaged_files(layout.run_dir)


def _folders_for_files(layout: RunLayout) -> Iterator[tuple[Place, str]]:
    """Folders in the place of files that drivers and units write besides results, which would stop whoever
    writes or reads these."""
    names = (layout.summary, layout.cancel, layout.progress, layout.run_dir / JOURNAL_NAME)
    for path in (*names, *layout.units.glob("*"), *(layout.run_dir / "failed").glob("*")):
        if path.is_dir():
            yield path, "is a folder where a file should be"


def _known(layout: RunLayout, records: Iterable[dict[str, Any]]) -> dict[Place, FileRecord]:
    """The final files that a run should have, as far as its records say."""
    try:
        files = read_manifest(layout.run_dir).files
        kept = {name: record for name, record in files.items() if "/" in name}
    except DamagedFileError:
        kept = {
            record["path"]: FileRecord(Path(record["path"]).name, record["size_bytes"], record["sha256"], 0)
            for record in records
            if not record["path"].startswith("work/")
        }
    return {layout.run_dir / name: record for name, record in kept.items()}
