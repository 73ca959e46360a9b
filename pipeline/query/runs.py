"""Runs as a query finds them: their plans and Parquet parts, and what is damaged in them."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.contract.job import id_of
from pipeline.contracts import contract_named
from pipeline.plan import read_plan
from pipeline.query.reading import fetched, listed_objects, size_of
from storage.errors import DamagedFileError, UserError
from storage.layout import RunLayout, part_of
from storage.manifest import Manifest, read_manifest, read_summary
from storage.parts import Part, live_names, numbered_parts
from storage.place import ObjectPath, Place, place_at
from storage.record import check_size, verify_file

_LAYERS = "part-layers.parquet"
DAMAGE = (UserError, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""Exceptions that reading a damaged run can raise."""


@dataclass(frozen=True)
class Run:
    """A run whose plan, manifest and summary are sound as far as they are there."""

    folder: Place
    plan: Mapping[str, Any]
    summary: Mapping[str, Any] | None
    """None when it is not finished."""
    manifest: Manifest | None
    parts: Mapping[str, str]
    """The Parquet files that are read: name -> path."""
    begun_s: float
    """When its plan was written, in seconds of the epoch."""

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.folder.name

    @property
    def id(self) -> str:
        """Its run id."""
        return str(self.plan["run_id"])

    @property
    def kind(self) -> str:
        """Name of its job."""
        return str(self.plan["job"]["name"])

    @property
    def job(self) -> Mapping[str, Any]:
        """Its job's values."""
        found: Mapping[str, Any] = self.plan["job"]
        return found

    @property
    def version(self) -> int:
        """Version of its engine."""
        return int(self.plan["engine_version"])

    @property
    def is_sweep(self) -> bool:
        """Whether its rows are items of a sweep; else they are layers of a table."""
        return bool(self.plan["contract"] == "sweep")

    @property
    def is_complete(self) -> bool:
        """Whether every item has rows."""
        if not self.is_sweep:
            return bool(self.groups)
        return self._whole_units_count == int(self.plan["units_count"])

    @functools.cached_property
    def groups(self) -> list[list[str]]:
        """Paths of its parts, grouped by units: parts of several attempts that have units in common are one group."""
        if not self.is_sweep:
            return [[path] for name, path in self.parts.items() if name == _LAYERS]
        found: list[list[str]] = []
        last = -1
        for part in numbered_parts(self.parts):
            if part.first > last:
                found.append([])
            found[-1].append(self.parts[part.name])
            last = max(last, part.last)
        return found

    @functools.cached_property
    def whole_groups(self) -> list[list[str]]:
        """Groups of the units before the first missing one: items after it would be a biased sample, the quick
        ones."""
        if not self.is_sweep:
            return self.groups
        whole = {self.parts[part.name] for part in self._whole_parts()}
        return [group for group in self.groups if group[0] in whole]

    @property
    def _whole_units_count(self) -> int:
        return max((part.last + 1 for part in self._whole_parts()), default=0)

    def _whole_parts(self) -> Iterator[Part]:
        """Parts of the units before the first that is missing."""
        units_count = 0
        for part in numbered_parts(self.parts):
            if part.first > units_count:
                break
            units_count = max(units_count, part.last + 1)
            yield part

    def paths(self) -> list[str]:
        """Its Parquet files."""
        return list(self.parts.values())

    @functools.cached_property
    def size_bytes(self) -> int:
        """Of its Parquet files, as far as they are there."""
        return sum(size_of(path) or 0 for path in self.paths())


def read_run(folder: Place) -> Run:
    """A run, read from its files; an exception of ``DAMAGE`` when something in it is not as it was written."""
    layout = RunLayout(folder)
    plan, parts = _plan(layout), _parts(layout.data)
    manifest = read_manifest(folder) if _is_there(layout.manifest) else None
    summary = read_summary(folder) if _is_there(layout.summary) else None
    if manifest is not None:
        _hold_against(manifest, layout, parts)
    return Run(folder, plan, summary, manifest, parts, layout.plan.stat().st_mtime)


def reason_of(folder: Place, error: BaseException) -> str:
    """What is wrong with the run in ``folder``, in a line that names it."""
    if isinstance(error, OSError) and error.filename is not None:
        text = f"{error.filename}: {error.strerror}"
    else:
        text = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
    return " ".join((text if str(folder) in text else f"{folder}: {text}").split())


def _plan(layout: RunLayout) -> dict[str, Any]:
    plan = read_plan(layout)
    if plan["run_id"] != id_of(plan["job"], plan["engine_version"], plan["schema_version"]):
        raise DamagedFileError(str(layout.plan), "its run id is not that of its job")
    contract_named(plan["contract"])
    if plan["contract"] == "sweep":
        count, size, units = (plan[key] for key in ("items_count", "unit_items_count", "units_count"))
        if not all(type(each) is int for each in (count, size, units)) or units != -(-count // max(size, 1)):
            raise DamagedFileError(str(layout.plan), "its counts of items and units do not go together")
    return plan


def _is_there(path: Place) -> bool:
    """Also a link that leads nowhere: reading it will raise."""
    return path.is_file() if isinstance(path, ObjectPath) else os.path.lexists(path)


def _parts(data: Place) -> dict[str, str]:
    found = _parts_of_folder(data) if isinstance(data, Path) else listed_objects(data)
    return {name: found[name] for name in live_names(sorted(found)) if part_of(name) is not None}


def _parts_of_folder(data: Path) -> dict[str, str]:
    if not os.path.lexists(data):
        return {}
    found: dict[str, str] = {}
    for entry in os.scandir(data):
        if part_of(entry.name) is None:
            continue
        if not entry.is_file() or (
            entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(data.resolve())
        ):
            raise DamagedFileError(entry.path, "is no file of this run")
        found[entry.name] = entry.path
    return found


def _hold_against(manifest: Manifest, layout: RunLayout, parts: Mapping[str, str]) -> None:
    """DamagedFileError for a file whose size, or if it is small whose content, differs from the manifest."""
    for path in (layout.plan, layout.summary):
        verify_file(path, manifest.record(layout.run_dir, path))
    for path in map(place_at, parts.values()):
        manifest.record(layout.run_dir, path)
    last_attempts: dict[str, int] = {}
    for unit, attempt in filter(None, map(part_of, parts)):
        last_attempts[unit] = max(attempt, last_attempts.get(unit, 0))
    for path_within, record in manifest.files.items():
        name = path_within.removeprefix("data/")
        part = part_of(name)
        if part is None:
            continue
        unit, attempt = part
        if name in parts:
            check_size(place_at(parts[name]), record, size_of(parts[name]))
        elif last_attempts.get(unit, 0) <= attempt and name in live_names([*parts, name]):
            raise DamagedFileError(str(layout.run_dir / path_within), "the file is missing")


def check_content(run: Run) -> None:
    """Check the Parquet parts against the manifest's checksums; DamagedFileError for one that differs."""
    known = run.manifest.files if run.manifest is not None else {}
    records = {path: record for name, path in run.parts.items() if (record := known.get(f"data/{name}"))}
    for (path, record), here in zip(records.items(), fetched(list(records)), strict=True):
        try:
            verify_file(Path(here), record)
        except DamagedFileError as error:
            raise DamagedFileError(path, error.message) from None
