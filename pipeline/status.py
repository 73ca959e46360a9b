"""How far runs are, told by their files alone."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.contracts import contract_named
from pipeline.journal import read_history
from pipeline.lock import holder, is_held
from pipeline.plan import read_plan
from pipeline.roots import all_runs, locate
from storage.layout import RunLayout


@dataclass
class Status:
    """One run."""

    run_id: str
    job: str
    state: str
    """running, done, failed (units failed), interrupted."""
    units_done_count: int
    units_count: int
    units_failed_count: int
    attempt: int
    interrupted_count: int
    """Drivers that were killed or interrupted."""
    driver: str
    run: str


def read_status(run_dir: Path) -> Status:
    """Look at a run's folder."""
    layout = RunLayout(run_dir)
    plan, history = read_plan(layout), read_history(run_dir)
    failed_count = _files_count(run_dir / "failed")
    running = is_held(layout.lock)
    if running:
        state = "running"
    elif history.last_status == 0:
        state = "done"
    elif history.last_status == 1:
        state = "failed"
    else:
        state = "interrupted"
    units_count = contract_named(plan["contract"]).units_count(plan)
    return Status(
        run_id=plan["run_id"],
        job=plan["job"]["name"],
        state=state,
        # Records of later attempts and of skipped phases would lead beyond or short of the whole.
        units_done_count=units_count if state == "done" else min(_files_count(layout.units), units_count),
        units_count=units_count,
        units_failed_count=failed_count,
        attempt=max(len(history.attempts), 1),
        interrupted_count=history.interrupted_count - running,
        driver=holder(layout.lock) if running else "",
        run=str(run_dir),
    )


def show_status(run: str | None, everything: bool, as_json: bool) -> None:
    """Print one run, the runs that are not done, or all of them."""
    found = [read_status(locate(run))] if run is not None else [read_status(folder) for folder in all_runs()]
    if run is None and not everything:
        found = [status for status in found if status.state != "done"]
    if as_json:
        for status in found:
            print(json.dumps(asdict(status)))
        return
    if not found:
        print("no runs" if everything else "no unfinished runs (--all shows all)")
        return
    for status in found:
        units = f"{status.units_done_count}/{status.units_count} units"
        notes = [f"attempt {status.attempt}"] if status.attempt > 1 else []
        notes += [f"{status.units_failed_count} failed"] if status.units_failed_count else []
        notes += [f"interrupted {status.interrupted_count}x"] if status.interrupted_count else []
        notes += [status.driver] if status.driver else []
        line = f"{status.run_id}  {status.job:18} {status.state:11} {units:>19}  {', '.join(notes)}"
        print(line.rstrip())
        if run is not None:
            print(status.run)


def _files_count(folder: Path) -> int:
    return sum(path.suffix == ".json" for path in folder.iterdir()) if folder.exists() else 0
