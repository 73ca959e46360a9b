"""How far a run is, judged by its files alone."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

from engines.contract.naming import changed_fields
from engines.contract.registry import job_from_mapping
from pipeline.contracts import contract_named
from pipeline.journal import History, read_history
from pipeline.lock import holder, is_held
from pipeline.plan import read_plan
from pipeline.roots import all_runs
from storage.errors import UserError
from storage.jsontext import parse_json
from storage.layout import RunLayout
from storage.manifest import read_summary
from storage.place import Place, kept_in

RUNNING, DONE, FAILED, INTERRUPTED = "running", "done", "failed", "interrupted"


@dataclass
class Status:
    """One run."""

    name: str
    """Name of its folder."""
    run_id: str
    kind: str
    """The job's name, by which its rows are queried."""
    job: str
    """The job file that it was made from; in runs of earlier versions the kind of job."""
    label: str
    state: str
    """running, done, failed (units failed), interrupted."""
    done_share: float
    """Share of its items or units that are done, between 0 and 1."""
    rate_per_s: float | None
    """Items or units, while it runs."""
    left_s: float | None
    """Time that a running one is expected to take from now on."""
    begun_s: float | None
    """When its first driver began, in seconds since 1970; None in damaged journals."""
    age_s: float | None
    """Since then."""
    finished_s: float | None
    """When all was done except failed units, in seconds since 1970; None before that."""
    size_bytes: int
    units_done_count: int
    units_count: int
    units_failed_count: int
    attempt: int
    interrupted_count: int
    """Drivers that were killed or interrupted."""
    driver: str
    run: str


def read_status(run_dir: Place) -> Status:
    """Look at a run's folder; UserError or OSError when its plan cannot be read."""
    layout = RunLayout(run_dir)
    plan, history = read_plan(layout), read_history(run_dir)
    running = is_held(layout.lock)
    contract = contract_named(plan["contract"])
    units_count = contract.units_count(plan)
    state = RUNNING if running else _ended(layout, history.last_status)
    # Records of later attempts and of skipped phases would give more or less than the whole.
    units_done = units_count if state == DONE else min(contract.done_count(plan, layout), units_count)
    progress = _progress(layout) if state != DONE else {}
    done, total = progress.get("done_count"), progress.get("total_count")
    # Items inside units that were unfinished when a driver ended are done again.
    done = done + progress.get("inside_count", 0) if done is not None and running else done
    share = 1.0 if state == DONE else done / total if done and total else 0.0
    if not share or (state != RUNNING and len(history.attempts) < 2):
        # A driver that was killed, or had a full disk, has done more than it could write down.
        share = max(share, units_done / max(units_count, 1))
    return Status(
        name=run_dir.name,
        run_id=plan["run_id"],
        kind=plan["job"]["name"],
        job=history.job_file or plan["job"]["name"],
        label=history.label,
        state=state,
        done_share=min(share, 1.0),
        rate_per_s=progress.get("rate_per_s") if running else None,
        left_s=progress.get("left_s") if running else None,
        begun_s=history.begun_s,
        age_s=time.time() - history.begun_s if history.begun_s is not None else None,
        finished_s=_finished_s(layout, history) if state in (DONE, FAILED) else None,
        size_bytes=_size_bytes(layout, state),
        units_done_count=units_done,
        units_count=units_count,
        units_failed_count=_files_count(run_dir / "failed"),
        attempt=max(len(history.attempts), 1),
        interrupted_count=history.interrupted_count - running,
        driver=holder(layout.lock) if running else "",
        run=str(run_dir),
    )


def _finished_s(layout: RunLayout, history: History) -> float | None:
    """From the journal; if the driver was killed right after its last step, from its last file."""
    if history.finished_s is None and layout.manifest.exists():
        return float(layout.manifest.stat().st_mtime)
    return history.finished_s


def read_statuses() -> list[Status]:
    """All runs below the roots, the latest last. A damaged one is named on stderr and left out."""
    found = []
    for run in all_runs():
        try:
            found.append(read_status(run))
        except OSError as error:
            print(f"yamafuda: {error.filename}: {error.strerror}; left out", file=sys.stderr)
        except UserError as error:
            print(f"yamafuda: {error}; left out", file=sys.stderr)
    return sorted(found, key=lambda status: status.begun_s or 0)


def _ended(layout: RunLayout, status: int | None) -> str:
    """A run with a manifest is finished, whatever happened to its last driver; ``status`` is that driver's exit
    status."""
    if status == 1:
        return FAILED
    if layout.manifest.exists():
        return FAILED if _files_count(layout.run_dir / "failed") else DONE
    return INTERRUPTED


def _progress(layout: RunLayout) -> dict[str, Any]:
    """The driver's last report of its progress; empty when there is none."""
    try:
        found = parse_json(layout.progress.read_bytes())
        numbers = {name: value for name, value in found.items() if isinstance(value, int | float)}
    except (OSError, ValueError, AttributeError):
        return {}
    return numbers


def read_fields(run_dir: Place) -> dict[str, Any]:
    """The fields of a run's job that differ from their defaults; all fields when this version does not know the job.

    Imports the engine, which takes longer than looking at a hundred runs.
    """
    values = read_plan(RunLayout(run_dir))["job"]
    try:
        return changed_fields(job_from_mapping(str(values["name"]), values))
    except (UserError, TypeError, ValueError, KeyError, OSError):
        return {name: value for name, value in values.items() if name != "name"}


def _size_bytes(layout: RunLayout, state: str) -> int:
    if state == DONE:
        size = read_summary(layout.run_dir).get("size_bytes")
        if isinstance(size, int):
            return size
    folders = map(kept_in, (layout.data, layout.shards, layout.work, layout.kept))
    return sum(entry.size_bytes for store, name in folders for entry in store.below(name))


def _files_count(folder: Place) -> int:
    return sum(path.suffix == ".json" for path in folder.iterdir()) if folder.is_dir() else 0
