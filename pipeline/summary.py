"""The end of a run: the manifest, the rows of layers, and summary.json, made from the records of its files."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

from engines.contract.engine import Engine
from pipeline.contracts import contract_named
from pipeline.folder import remove_path
from pipeline.journal import History
from pipeline.records import Records
from pipeline.tally import Tally
from pipeline.tasks import Brief
from pipeline.version import installed
from storage.errors import DamagedFileError
from storage.layout import RunLayout
from storage.manifest import Manifest, read_manifest, write_manifest
from storage.place import ObjectPath, Place, listed, name_within
from storage.publish import write_json_atomic
from storage.record import FileRecord, make_file_record, verify_file

PACKAGES = ("yamafuda", "numpy", "pyarrow", "lmdb", "ray")


def finish(
    engine: Engine,
    plan: dict[str, Any],
    brief: Brief,
    tally: Tally,
    history: History,
    records: Records,
    cores: int,
) -> None:
    """Write summary.json, then manifest.json, unless this driver found all done and both in place."""
    ctx, contract = brief.context(), contract_named(engine.contract)
    layout = ctx.layout
    if not tally.failed:
        for folder in (layout.work, layout.kept, layout.staging, layout.run_dir / "failed"):
            with contextlib.suppress(OSError):
                remove_path(folder)
    if tally.computed_count == 0 and _is_finished(layout):
        return
    contract.complete(engine, plan, ctx, records)
    files = _files(layout, records)
    rate = tally.items_count / tally.elapsed_s if tally.items_count else None
    summary = contract.figures(engine, ctx, files) | {
        contract.rate: rate,
        "elapsed_s": tally.elapsed_s,
        "startup_s": tally.startup_s,
        "cores": cores,
        "peak_bytes": tally.peak_bytes,
        "size_bytes": sum(record.size_bytes for record in files.values()),
        "units_computed_count": tally.computed_count,
        "units_skipped_count": tally.skipped_count,
        "units_failed_count": len(tally.failed),
        "units_computed_twice_count": history.computed_twice_count,
        "interrupted_count": history.interrupted_count,
        "attempt": brief.attempt,
        "run_id": plan["run_id"],
        "job": brief.job,
        "versions": versions(plan),
    }
    if isinstance(layout.run_dir, ObjectPath):
        summary |= moved_figures(tally, contract.rate)
    write_json_atomic(layout.summary, summary)
    files |= {path.name: make_file_record(path) for path in (layout.plan, layout.summary)}
    write_manifest(layout.run_dir, Manifest(plan["run_id"], files))


def moved_figures(tally: Tally, rate: str) -> dict[str, Any]:
    """Traffic of this driver and its workers with the object store, in all and for each item or state."""
    moved = tally.moved_in_all
    moved_bytes = moved.read_bytes + moved.written_bytes
    return {
        "requests_count": moved.requests_count,
        "read_bytes": moved.read_bytes,
        "written_bytes": moved.written_bytes,
        f"moved_bytes_per_{rate.removesuffix('s_per_s')}": moved_bytes / tally.items_count
        if tally.items_count
        else None,
    }


def _is_finished(layout: RunLayout) -> bool:
    """Whether the manifest names exactly the files in place, and was written with this summary."""
    try:
        manifest = read_manifest(layout.run_dir)
        for path in (layout.plan, layout.summary):
            verify_file(path, manifest.record(layout.run_dir, path))
    except DamagedFileError:
        return False
    expected = {name_within(path, layout.run_dir) for path in _final_paths(layout)}
    return manifest.files.keys() == expected | {layout.plan.name, layout.summary.name}


def versions(plan: dict[str, Any]) -> dict[str, Any]:
    """Versions of what computed the run; None for Ray where it is not installed."""
    return {
        "engine": plan["engine_version"],
        "schema": plan["schema_version"],
        "python": sys.version.split()[0],
        **{name: installed(name) for name in PACKAGES},
    }


def _files(layout: RunLayout, records: Records) -> dict[str, FileRecord]:
    """Records of the files that stay: those in shards/ and data/."""
    known = {record["path"]: record for record in records}
    files: dict[str, FileRecord] = {}
    for path in _final_paths(layout):
        name = name_within(path, layout.run_dir)
        record = known.get(name)
        if record is None:
            files[name] = make_file_record(path)
        else:
            figures = record["figures"]
            count = figures.get("states_count", figures.get("rows_count", 0))
            files[name] = FileRecord(path.name, record["size_bytes"], record["sha256"], count)
    return files


def _final_paths(layout: RunLayout) -> list[Place]:
    """The files in shards/ and data/."""
    return [path for folder in (layout.shards, layout.data) for path in listed(folder)]
