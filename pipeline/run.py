"""One run from its configuration to its summary: the main path, read it from the top."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from engines.contract.engine import Engine
from engines.contract.job import job_words
from engines.contract.registry import engine_class, engine_spec
from engines.contract.sweep import Sweep
from pipeline.attempts import settle_attempt
from pipeline.checks import check_disk, check_memory
from pipeline.config import Config
from pipeline.journal import Journal
from pipeline.lock import driver_lock, holder, is_held
from pipeline.memory import PeakSampler
from pipeline.phases import Phase, phases, planned_count, planned_units_count, remove_unsound
from pipeline.plan import make_plan, settle_plan
from pipeline.progress import Progress, duration, open_progress
from pipeline.runners.base import Brief, Hooks, Outcome, Runner, Task
from pipeline.signals import stopping_on_file, stopping_on_signals
from pipeline.summary import finish
from pipeline.tally import Tally
from pipeline.worker import context, record_name
from storage.errors import UserError
from storage.layout import RunLayout
from storage.publish import write_json_atomic

DONE, FAILED, USER_ERROR, INTERRUPTED = 0, 1, 2, 130


def run_job(config: Config, runner: Runner) -> tuple[int, Path]:
    """Compute what is missing of a job's run; exit status (DONE or FAILED) and the run's folder.

    Raises UserError, and KeyboardInterrupt when the run was stopped; either way the same call goes on with
    it.
    """
    engine_type, engine = engine_spec(config.job.name), make_engine(config)
    for table in engine.needs():
        build_missing(dataclasses.replace(config, job=table), config.job.name, runner)
    plan = make_plan(engine)
    layout = RunLayout(run_dir(config, engine, plan))
    check_disk(engine, layout)
    check_memory(config.cluster, config.job.limits.memory_bytes)
    engine.prepare(context(make_brief(config, engine, engine_type, layout, plan["run_id"], attempt=1)))
    make_folders(layout, Path(config.paths.scratch))
    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        stack.enter_context(driver_lock(layout.lock))
        stack.enter_context(stopping_on_file(layout.cancel))
        settle_plan(layout, plan)
        remove_leftovers(layout)
        remove_unsound(layout)
        journal = stack.enter_context(Journal(layout.run_dir))
        attempt, limits = 1, config.job.limits
        if isinstance(engine, Sweep):
            attempt, limits = settle_attempt(limits, journal.history.attempts)
            check_memory(config.cluster, limits.memory_bytes)
        engine = type(engine)(dataclasses.replace(config.job, limits=limits))
        brief = make_brief(config, engine, engine_type, layout, plan["run_id"], attempt)
        journal.begin(attempt, dataclasses.asdict(limits))
        status = FAILED
        try:
            progress = stack.enter_context(open_progress(config.job.name))
            tally = drive(engine, plan, brief, runner, journal, progress)
            status = FAILED if tally.failed else DONE
            if not tally.failed or isinstance(engine, Sweep):
                finish(engine, plan, brief, tally, journal.history, runner.cores)
        except UserError:
            status = USER_ERROR
            raise
        except KeyboardInterrupt:
            status = INTERRUPTED
            raise
        finally:
            journal.end(status)
    return status, layout.run_dir


def build_missing(config: Config, reader: str, runner: Runner) -> None:
    """Build a table that a job reads, unless it is finished; says so before. UserError if that fails."""
    layout = missing_table(config)
    if layout is None:
        return
    if is_held(layout.lock):
        raise UserError(
            str(layout.run_dir),
            f"the table that {reader} reads is being built by {holder(layout.lock)}; wait for it, then run this again",
        )
    estimate = make_engine(config).estimate()
    needed = f" (about {duration(max(1, estimate.core_s))} of one core)" if estimate else ""
    print(
        f"{reader} reads a table that is not finished; it is built first{needed}: yamafuda run {job_words(config.job)}",
        file=sys.stderr,
        flush=True,
    )
    status, folder = run_job(config, runner)
    if status != DONE:
        raise UserError(str(folder), f"the table that {reader} reads could not be built; see failed/ there")


def missing_table(config: Config) -> RunLayout | None:
    """Where the table of the configured job will be; None when it is there, finished."""
    engine = make_engine(config)
    layout = RunLayout(run_dir(config, engine, make_plan(engine)))
    return None if layout.manifest.exists() else layout


def drive(
    engine: Engine, plan: dict[str, Any], brief: Brief, runner: Runner, journal: Journal, progress: Progress
) -> Tally:
    """Run all phases; units that fail for good are recorded, and end a table after their phase."""
    layout, tally = RunLayout(Path(brief.run_dir)), Tally()
    progress.begin(planned_count(plan))
    with PeakSampler() as sampler:
        for phase in phases(engine, plan, context(brief)):
            progress.phase(phase.name)
            tally.skipped_count += len(phase.done)
            progress.found(
                sum(unit.last - unit.first if isinstance(engine, Sweep) else 1 for unit in phase.done)
            )
            if phase.tasks:
                tally.startup_s += start_runner(runner, brief)
            with closing(run_phase(phase, brief, runner, journal, progress)) as outcomes:
                for task, outcome in outcomes:
                    settle_unit(layout, task, outcome, brief.attempt, tally)
                    progress.advance(task.items_count)
            if tally.failed:
                break
    tally.peak_bytes = sampler.peak_bytes
    tally.elapsed_s = time.monotonic() - tally.started_s - tally.startup_s
    return tally


def run_phase(
    phase: Phase, brief: Brief, runner: Runner, journal: Journal, progress: Progress
) -> Generator[tuple[Task, Outcome], None, None]:
    """Run the phase's units that are not done."""

    def started(task: Task) -> None:
        journal.started(record_name(task.unit.name, brief.attempt))

    def failed(task: Task, outcome: Outcome) -> None:
        journal.failed(record_name(task.unit.name, brief.attempt), outcome.reason)
        progress.note(f"unit {task.unit.name} failed ({outcome.reason}) and is tried again")

    yield from runner.run_units(brief, phase.tasks, Hooks(started, progress.inside, failed))


def start_runner(runner: Runner, brief: Brief) -> float:
    """Start the runner when the first unit is to be run, and not before; the seconds that it took."""
    begin_s = time.monotonic()
    runner.start(brief)
    return time.monotonic() - begin_s


def settle_unit(layout: RunLayout, task: Task, outcome: Outcome, attempt: int, tally: Tally) -> None:
    """Count a finished unit; keep the reason of one that failed for good in ``failed/NAME.json``."""
    name = record_name(task.unit.name, attempt)
    failure = layout.run_dir / "failed" / f"{name}.json"
    if outcome.record is None:
        tally.failed[name] = outcome.reason
        failure.parent.mkdir(exist_ok=True)
        write_json_atomic(
            failure,
            {"unit": name, "reason": outcome.reason, "tries": outcome.tries_count, "trace": outcome.trace},
        )
        return
    failure.unlink(missing_ok=True)
    tally.computed_count += 1
    if task.indices is not None:
        tally.items_count += len(task.indices)
    else:
        tally.items_count += outcome.record["figures"].get("states_count", 0)


def make_engine(config: Config) -> Engine:
    """The engine of the configured job."""
    return engine_class(config.job.name)(config.job)


def run_dir(config: Config, engine: Engine, plan: dict[str, Any]) -> Path:
    """The run's folder: named by the run id, below the root of its kind."""
    name = "results" if isinstance(engine, Sweep) else "tables"
    root = getattr(config.paths, name)
    if "://" in root:
        from storage.dataset import writable_folder

        root = writable_folder(root, f"paths.{name}")
    return Path(root).resolve() / str(plan["run_id"])


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


def make_brief(
    config: Config, engine: Engine, engine_type: str, layout: RunLayout, run_id: str, attempt: int
) -> Brief:
    """What the units of this run are told."""
    return Brief(
        engine=engine_type,
        job=dataclasses.asdict(engine.job),
        run_id=run_id,
        run_dir=str(layout.run_dir),
        scratch_dir=str(Path(config.paths.scratch).resolve()),
        tables_dir=str(Path(config.paths.tables).resolve()),
        attempt=attempt,
        memory_bytes=engine.job.limits.memory_bytes,
        retries_count=engine.job.limits.retries_count,
    )


def dry_run(config: Config) -> dict[str, Any]:
    """What a run of ``config`` would do and need, without doing or writing anything.

    ``builds_first``: tables that it reads and that are not finished. Units, bytes and time are without theirs.
    """
    engine = make_engine(config)
    plan = make_plan(engine)
    layout = RunLayout(run_dir(config, engine, plan))
    estimate = engine.estimate()
    return {
        "job": config.job.name,
        "run": str(layout.run_dir),
        "exists": layout.plan.exists(),
        "contract": plan["contract"],
        "units_count": planned_units_count(plan),
        "items_count": estimate.items_count if estimate else plan.get("items_count"),
        "disk_bytes": estimate.disk_bytes if estimate else None,
        "memory_bytes": config.job.limits.memory_bytes,
        "core_s": round(estimate.core_s, 1) if estimate else None,
        "builds_first": [
            f"yamafuda run {job_words(table)}"
            for table in engine.needs()
            if missing_table(dataclasses.replace(config, job=table))
        ],
    }
