"""One run from its configuration to its summary. This is the main path: read it from the top."""

from __future__ import annotations

import dataclasses
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.contract.engine import Engine
from engines.contract.job import job_words
from engines.contract.naming import place_of_run
from engines.contract.registry import engine_spec, load_engine
from engines.text.words import duration
from pipeline.checks import check_disk, check_memory
from pipeline.config import Config, Paths
from pipeline.contracts import contract_named
from pipeline.contracts.base import Contract
from pipeline.display import Opener, open_display
from pipeline.driver import Driver
from pipeline.folder import leaving_no_refused_run, make_folders, remove_leftovers, remove_unsound
from pipeline.journal import Journal
from pipeline.lock import driver_lock, holder, is_held
from pipeline.logs.run_log import RunLog
from pipeline.mending import remove_cut_short, remove_foreign
from pipeline.metrics.publishing import publishing
from pipeline.plan import make_plan, settle_plan
from pipeline.progress import Progress
from pipeline.records import Records
from pipeline.runners.base import Runner
from pipeline.signals import stopping_on_file, stopping_on_signals
from pipeline.summary import finish
from pipeline.tally import Tally
from pipeline.tasks import Brief
from storage.copies import use_scratch
from storage.errors import UserError
from storage.layout import RunLayout
from storage.place import Place, place_at

DONE, FAILED, USER_ERROR, INTERRUPTED = 0, 1, 2, 130


@dataclass(frozen=True)
class PlannedRun:
    """A job's run, before anything is done."""

    engine: Engine
    contract: Contract[Any]
    plan: dict[str, Any]
    layout: RunLayout
    brief: Brief
    """The brief that its units would get in a first attempt."""


def plan_run(config: Config) -> PlannedRun:
    """The run of the configured job. Reads and writes no files."""
    spec = engine_spec(config.job.name)
    engine = load_engine(spec)(config.job)
    contract, plan = contract_named(engine.contract), make_plan(engine)
    layout = RunLayout(place_of_run(root_of(config.paths, contract), config.job, engine.version))
    brief = Brief(
        engine=spec,
        job=dataclasses.asdict(config.job),
        run_id=plan["run_id"],
        run_dir=str(layout.run_dir),
        scratch_dir=str(use_scratch(config.paths.scratch, config.paths.copies_bytes)),
        copies_bytes=config.paths.copies_bytes,
        tables_dir=str(place_at(config.paths.tables, "paths.tables").resolve()),
    )
    return PlannedRun(engine, contract, plan, layout, brief)


def root_of(paths: Paths, contract: Contract[Any]) -> Place:
    """The folder that all runs of a contract lie in."""
    return place_at(getattr(paths, contract.root), f"paths.{contract.root}").resolve()


@dataclass(frozen=True)
class Ended:
    """A run that has come to its end."""

    run: PlannedRun
    status: int
    """DONE or FAILED."""
    tally: Tally
    """What was done now."""

    @property
    def was_done(self) -> bool:
        """Whether there was nothing left to do."""
        return self.status == DONE and self.tally.computed_count == 0


def run_job(config: Config, runner: Runner, opener: Opener = open_display) -> tuple[int, Place]:
    """``complete_run``; exit status (DONE or FAILED) and the run's folder."""
    ended = complete_run(config, runner, opener)
    return ended.status, ended.run.layout.run_dir


def complete_run(config: Config, runner: Runner, opener: Opener = open_display) -> Ended:
    """Compute what is missing in a job's run, and show its progress on the display that ``opener`` opens.

    Raises UserError, and KeyboardInterrupt when the run was stopped; in both cases the same call goes on with it.
    """
    run = plan_run(config)
    for table in run.engine.needs():
        build_missing(dataclasses.replace(config, job=table), config.job.name, runner, opener)
    layout, brief = run.layout, run.brief
    check_disk(run.engine, layout)
    check_memory(config.cluster, config.job.limits.memory_bytes)
    run.engine.prepare(brief.context())
    make_folders(layout, Path(brief.scratch_dir))
    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        lease = stack.enter_context(driver_lock(layout.lock))
        stack.enter_context(leaving_no_refused_run(layout))
        stack.enter_context(stopping_on_file(layout.cancel))
        plan_is_new = not layout.plan.exists()
        run = dataclasses.replace(run, plan=settle_plan(layout, run.plan))
        remove_leftovers(layout)
        records = stack.enter_context(closing(Records(layout)))
        remove_unsound(layout, records)
        foreign = run.contract.foreign_files(run.plan, layout, plan_is_new)
        for line in [*remove_cut_short(layout, records), *remove_foreign(foreign)]:
            print(f"{config.job.name}: {line}", file=sys.stderr, flush=True)
        journal = stack.enter_context(closing(Journal(layout.run_dir)))
        attempt, limits = run.contract.settle_attempt(config.job.limits, journal.history.attempts, layout)
        check_memory(config.cluster, limits.memory_bytes)
        brief = brief.of_attempt(attempt, limits)
        journal.begin(attempt, dataclasses.asdict(limits), config.job_file, config.label)
        log = stack.enter_context(
            RunLog(layout, f"a driver begins attempt {attempt}: {job_words(config.job)}")
        )
        status = FAILED
        try:
            progress = stack.enter_context(Progress(layout, opener(config.job.name)))
            driver = Driver(run.engine, run.plan, brief, runner, journal, records, progress, log)
            labels = {"job": config.job.name, "run": brief.run_id}
            stack.enter_context(publishing(driver.figures, labels, config.metrics_port, runner.tell))
            tally = driver.drive()
            status = FAILED if tally.failed else DONE
            if lease is not None:
                lease.check()
            if not tally.failed or run.contract.units_stand_alone:
                finish(run.engine, run.plan, brief, tally, journal.history, records, runner.cores)
                progress.finished()
        except UserError as error:
            status = USER_ERROR
            log.say(str(error), "ERROR")
            raise
        except KeyboardInterrupt:
            status = INTERRUPTED
            if lease is not None and lease.is_lost:
                lease.check()
            raise
        finally:
            # Another driver has the run now: we write nothing more.
            if lease is not None and lease.is_lost:
                journal.abandon()
                records.abandon()
            else:
                journal.end(status)
                log.end(status)
    return Ended(run, status, tally)


def build_missing(config: Config, reader: str, runner: Runner, opener: Opener = open_display) -> None:
    """Build a table that a job reads, unless it is finished; a line says so first. UserError if that fails."""
    run = plan_run(config)
    layout = run.layout
    if layout.manifest.exists():
        return
    if is_held(layout.lock):
        raise UserError(
            str(layout.run_dir),
            f"the table that {reader} reads is being built by {holder(layout.lock)}; wait for it, then run this again",
        )
    estimate = run.engine.estimate()
    needed = f" (about {duration(max(1, estimate.core_s))} of one core)" if estimate else ""
    print(
        f"{reader} reads a table that is not finished; it is built first{needed}: yamafuda run {job_words(config.job)}",
        file=sys.stderr,
        flush=True,
    )
    status, folder = run_job(config, runner, opener)
    if status != DONE:
        raise UserError(str(folder), f"the table that {reader} reads could not be built; see failed/ there")
