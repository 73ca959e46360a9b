"""The end of a run: from what is known of its files the manifest, the layers' rows and summary.json."""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections import Counter
from importlib import metadata
from pathlib import Path
from typing import Any

from engines.contract.engine import Engine
from engines.contract.sweep import Sweep
from engines.contract.table import Table
from pipeline.journal import History
from pipeline.layers import write_layer_rows
from pipeline.runners.base import Brief
from pipeline.tally import Tally
from pipeline.worker import context, read_record
from storage.errors import DamagedFileError
from storage.layout import RunLayout
from storage.manifest import Manifest, read_manifest, write_manifest
from storage.publish import write_json_atomic
from storage.record import FileRecord, make_file_record, verify_file

PACKAGES = ("yamafuda", "numpy", "pyarrow", "lmdb", "ray")


def finish(
    engine: Engine, plan: dict[str, Any], brief: Brief, tally: Tally, history: History, cores: int
) -> None:
    """Write summary.json, then manifest.json, unless this driver found everything done and both in place."""
    layout = RunLayout(Path(brief.run_dir))
    if not tally.failed:
        for folder in (layout.work, layout.staging, layout.run_dir / "failed"):
            shutil.rmtree(folder, ignore_errors=True)
    if tally.computed_count == 0 and _is_finished(layout):
        return
    records = _read_records(layout)
    if isinstance(engine, Table):
        write_layer_rows(layout, plan, records)
    files = _files(layout, records)
    if isinstance(engine, Sweep):
        figures = _sweep_figures(layout.run_dir)
        if figures["items_count"]:
            figures |= engine.summary(context(brief))
    else:
        figures = engine.summary(context(brief))
        figures["files_digest"] = _files_digest(files)
    rate = tally.items_count / tally.elapsed_s if tally.items_count else None
    summary = figures | {
        ("items_per_s" if isinstance(engine, Sweep) else "states_per_s"): rate,
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
    write_json_atomic(layout.summary, summary)
    files |= {path.name: make_file_record(path) for path in (layout.plan, layout.summary)}
    write_manifest(layout.run_dir, Manifest(plan["run_id"], files))


def _is_finished(layout: RunLayout) -> bool:
    """True when the manifest names just the files in place, and the summary is the one it was written with."""
    try:
        manifest = read_manifest(layout.run_dir)
        for path in (layout.plan, layout.summary):
            verify_file(path, manifest.record(layout.run_dir, path))
    except DamagedFileError:
        return False
    expected = {path.relative_to(layout.run_dir).as_posix() for path in _final_paths(layout)}
    return manifest.files.keys() == expected | {layout.plan.name, layout.summary.name}


def versions(plan: dict[str, Any]) -> dict[str, Any]:
    """Versions of what computed the run."""
    return {
        "engine": plan["engine_version"],
        "schema": plan["schema_version"],
        "python": sys.version.split()[0],
        **{name: metadata.version(name) for name in PACKAGES},
    }


def _read_records(layout: RunLayout) -> list[dict[str, Any]]:
    """All unit records that can be read, by name."""
    found = (read_record(path) for path in sorted(layout.units.glob("*.json")))
    return [record for record in found if record is not None]


def _files(layout: RunLayout, records: list[dict[str, Any]]) -> dict[str, FileRecord]:
    """Records of the files that stay: those in shards/ and data/."""
    known = {record["path"]: record for record in records}
    files: dict[str, FileRecord] = {}
    for path in _final_paths(layout):
        name = path.relative_to(layout.run_dir).as_posix()
        record = known.get(name)
        if record is None:
            files[name] = make_file_record(path)
        else:
            figures = record["figures"]
            count = figures.get("states_count", figures.get("rows_count", 0))
            files[name] = FileRecord(path.name, record["size_bytes"], record["sha256"], count)
    return files


def _final_paths(layout: RunLayout) -> list[Path]:
    """The files in shards/ and data/."""
    return [path for folder in (layout.shards, layout.data) for path in sorted(folder.glob("*"))]


def _sweep_figures(run_dir: Path) -> dict[str, Any]:
    """Counts of items, rows and outcomes of rows, and the digest of all rows."""
    from storage.dataset import part_paths, read_rows
    from storage.rowdigest import content_digest

    if not part_paths(run_dir):
        return {"items_count": 0, "rows_count": 0, "outcomes": {}}
    rows = read_rows(run_dir, ["index", "outcome"])
    outcomes = Counter(rows["outcome"].drop_null().to_pylist())
    return {
        "items_count": len(rows["index"].unique()),
        "rows_count": rows.num_rows,
        "outcomes": dict(sorted(outcomes.items())),
        "content_digest": content_digest(run_dir),
    }


def _files_digest(files: dict[str, FileRecord]) -> str:
    """SHA-256 over names and SHA-256 of the shard files: equal for tables that are equal byte for byte."""
    digest = hashlib.sha256()
    for name in sorted(files):
        if not name.startswith("data/"):
            digest.update(f"{files[name].sha256}  {name}\n".encode())
    return digest.hexdigest()
