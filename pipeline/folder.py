"""A run's folder before its driver starts: made, and rid of what killed drivers and power cuts left."""

from __future__ import annotations

from pathlib import Path

from pipeline.inside import ENDING
from pipeline.records import read_records
from storage.errors import UserError
from storage.layout import RunLayout
from storage.record import sha256_file


def make_folders(layout: RunLayout, scratch: Path) -> None:
    """Make the run's folder and those that workers expect; UserError when a root cannot be written."""
    try:
        for folder in (layout.run_dir, layout.units, layout.staging, scratch):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("paths", f"cannot make {error.filename}: {error.strerror}") from error


def remove_leftovers(layout: RunLayout) -> None:
    """Remove what killed writers left; whoever still writes under a temporary name was given up."""
    for folder in (layout.staging, layout.units, layout.run_dir):
        for path in folder.glob("*.tmp"):
            path.unlink(missing_ok=True)
    for path in layout.staging.glob(f"*{ENDING}"):
        path.unlink(missing_ok=True)


def remove_unsound(layout: RunLayout) -> None:
    """Remove the files below ``work/`` that are not what their units' records say, or that have none.

    They are not synced, so a power cut can leave names without their content. Everything else in a run is
    synced before it gets its name. To be called before a driver goes on with a run; reads all of ``work/``.
    """
    present = [path for path in layout.work.rglob("*") if path.is_file()]
    if not present:
        return
    known = {record["path"]: record for record in read_records(layout)}
    for path in present:
        record = known.get(path.relative_to(layout.run_dir).as_posix())
        if (
            record is None
            or path.stat().st_size != record["size_bytes"]
            or sha256_file(path) != record["sha256"]
        ):
            path.unlink()
