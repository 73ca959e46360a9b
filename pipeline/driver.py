"""What a driver does while units run: it hands them out, phase after phase, and keeps account of them."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from engines.contract.engine import Engine
from pipeline.contracts import contract_named
from pipeline.contracts.base import Contract, Phase
from pipeline.journal import Journal
from pipeline.logs.run_log import RunLog
from pipeline.memory import PeakSampler
from pipeline.metrics.figures import values
from pipeline.progress import Progress
from pipeline.records import Records, record_name
from pipeline.runners.base import Hooks, Runner
from pipeline.tally import Tally
from pipeline.tasks import Brief, Outcome, Task
from storage.place import listed
from storage.publish import write_json_atomic
from storage.stores.traffic import Traffic


@dataclass
class Driver:
    """Drives a run, whose lock it holds, through all its phases, once."""

    engine: Engine
    plan: dict[str, Any]
    brief: Brief
    runner: Runner
    journal: Journal
    records: Records
    progress: Progress
    log: RunLog
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self._contract: Contract[Any] = contract_named(self.engine.contract)
        self._layout = self.brief.layout
        self._failures = self._layout.run_dir / "failed"
        self._failed_before = {path.name for path in listed(self._failures, "*.json")}

    def figures(self) -> Mapping[str, float]:
        """How the run goes, see ``pipeline.metrics``; from any thread."""
        counted = self._contract.rate.removesuffix("_per_s")
        return values(self.tally, self.progress.standing(), self.runner.cores, counted)

    def drive(self) -> Tally:
        """Run all phases. Units that fail for good are recorded; in a table, the run ends after their phase."""
        contract, tally = self._contract, self.tally
        work = contract.progress_work(self.engine, self.plan)
        self.progress.begin(contract.counted, contract.progress_count(self.plan), work)
        with PeakSampler() as sampler:
            for phase in contract.phases(self.engine, self.plan, self.brief.context(), self.records):
                tally.skipped_count += phase.done_count
                self.progress.phase(phase.name, phase.found_count, phase.found_work)
                if phase.tasks_count:
                    # What has a manifest is finished, and the files that it names are in place.
                    self._layout.manifest.unlink(missing_ok=True)
                    self.log.say(f"begins phase {phase.name}")
                    tally.startup_s += self._start_runner()
                with closing(self._run(phase)) as outcomes:
                    for task, outcome in outcomes:
                        self._settle(task, outcome)
                        if outcome.record is not None:
                            phase.settled(task, outcome.record)
                        self.progress.ended(self._name(task), task.progress_count, task.work)
                if tally.failed:
                    break
        tally.peak_bytes = sampler.peak_bytes
        tally.elapsed_s = time.monotonic() - tally.started_s - tally.startup_s
        return tally

    def _name(self, task: Task) -> str:
        return record_name(task.unit.name, self.brief.attempt)

    def _start_runner(self) -> float:
        """Start the runner, not before the first unit is to be run; returns the seconds that it took."""
        begin_s = time.monotonic()
        self.progress.waiting(self.runner.starting)
        self.runner.start(self.brief)
        self.progress.began()
        return time.monotonic() - begin_s

    def _run(self, phase: Phase) -> Generator[tuple[Task, Outcome], None, None]:
        """Run the phase's units that are not done."""

        def started(task: Task) -> None:
            name = self._name(task)
            if task.computes:
                self.journal.started(name)
                self.tally.begun()
            self.progress.started(name)

        def progressed(task: Task, count: int) -> None:
            self.progress.inside(self._name(task), count)

        def failed(task: Task, outcome: Outcome) -> None:
            name = self._name(task)
            self.journal.failed(name, outcome.reason)
            if task.computes:
                self.tally.tried_again(outcome.is_lost)
            self.progress.ended(name, 0, 0.0)
            self.log.keep(outcome.log)
            self.log.say(
                f"failed ({outcome.reason}) and is tried again", "WARNING", name, outcome.tries_count
            )
            self.progress.note(f"unit {task.unit.name} failed ({outcome.reason}) and is tried again")

        def waiting(text: str) -> None:
            self.log.say(text)
            self.progress.note(text)

        hooks = Hooks(started, progressed, failed, waiting)
        yield from self.runner.run_units(self.brief, phase.tasks, hooks)

    def _settle(self, task: Task, outcome: Outcome) -> None:
        """Count a finished unit; keep the reason of one that failed for good in ``failed/NAME.json``."""
        name = self._name(task)
        failure = self._failures / f"{name}.json"
        self.log.keep(outcome.log)
        if task.computes:
            self.tally.ended()
        if outcome.record is None and not task.computes:
            self.progress.note(f"the parts of units {task.unit.name} stay as they are: {outcome.reason}")
            return
        if outcome.record is None:
            self.tally.failed[name] = outcome.reason
            self.log.say(f"failed for good ({outcome.reason})", "ERROR", name, outcome.tries_count)
            failure.parent.mkdir(exist_ok=True)
            write_json_atomic(
                failure,
                {
                    "unit": name,
                    "reason": outcome.reason,
                    "tries": outcome.tries_count,
                    "trace": outcome.trace,
                },
            )
            return
        if failure.name in self._failed_before:
            failure.unlink(missing_ok=True)
        self.records.add(outcome.record)
        if outcome.record.get("pid") != os.getpid() or outcome.record.get("host") != socket.gethostname():
            self.tally.moved += Traffic(*outcome.record.get("traffic", ()))
        if task.computes:
            self.tally.computed_count += 1
            self.tally.items_count += self._contract.computed_count(task, outcome.record)
