"""What happens to one unit, in whatever process it runs: build the engine, compute, publish, report.

Stateless and idempotent: everything comes from the brief, the unit and the files of the run; a unit that ran
before publishes the same content again, and the first writer's file stays.
"""

from __future__ import annotations

import errno
import functools
import json
import logging
import os
import socket
import time
import traceback
from collections.abc import Callable
from typing import Any

from engines.contract.engine import Engine
from engines.contract.failures import reason_of
from engines.contract.job import job_from_values, no_progress
from engines.contract.registry import load_engine
from pipeline.contracts import contract_named
from pipeline.logs.unit_log import keeping_log
from pipeline.memory import peak_resident_bytes, reset_peak
from pipeline.records import make_record, record_name
from pipeline.tasks import Brief, Outcome, Task
from storage.copies import use_scratch
from storage.errors import DiskFullError, UserError
from storage.stores import traffic

_LOG = logging.getLogger(__name__)


def execute(
    brief: Brief,
    task: Task,
    try_number: int,
    progress: Callable[[int], None] = no_progress,
    is_apart: bool = False,
) -> Outcome:
    """Do a unit; raises only interrupts. The outcome has what was said in it (``keeping_log``)."""
    name = record_name(task.unit.name, brief.attempt)
    with keeping_log(brief.layout.run_dir.name, name, try_number, is_apart) as log:
        _LOG.info("begins")
        outcome = _outcome(brief, task, try_number, progress)
        if outcome.record is None:
            _LOG.error("%s", outcome.trace or outcome.error or outcome.reason)
        else:
            _LOG.info("done in %.3g s", outcome.record["elapsed_s"])
    outcome.log = log.lines(failed=outcome.record is None)
    return outcome


def _outcome(brief: Brief, task: Task, try_number: int, progress: Callable[[int], None]) -> Outcome:
    """A user's error (full disk, damaged input) is marked as such.

    A panic of the native core is a failure like others, though its exception (``pyo3_runtime.PanicException``) is no
    ``Exception``.
    """
    try:
        return Outcome(record=_do(brief, task, try_number, progress))
    except UserError as error:
        return Outcome(error=error)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return Outcome(error=DiskFullError(error.filename or brief.run_dir, "no room left"))
        return Outcome(reason=reason_of(error), trace=traceback.format_exc())


@functools.lru_cache(maxsize=1)
def _engine(spec: str, job: str) -> Engine:
    # A worker does many units of one job; an engine may keep tables open from one to the next.
    engine_type = load_engine(spec)
    return engine_type(job_from_values(engine_type.job_type, json.loads(job)))


def load(brief: Brief) -> int:
    """Import the run's engine, so that the first unit finds it loaded. Returns this process's number, after a pause
    in which other processes get to do the same."""
    _engine(brief.engine, json.dumps(brief.job))
    time.sleep(0.05)
    return os.getpid()


def _do(brief: Brief, task: Task, try_number: int, progress: Callable[[int], None]) -> dict[str, Any]:
    engine = _engine(brief.engine, json.dumps(brief.job))
    use_scratch(brief.scratch_dir, brief.copies_bytes)
    ctx = brief.context(progress)
    before = traffic.so_far()
    reset_peak()
    start_s = time.perf_counter()

    def taken() -> dict[str, Any]:
        return {
            "elapsed_s": time.perf_counter() - start_s,
            "peak_bytes": peak_resident_bytes(),
            "try": try_number,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "traffic": traffic.so_far().since(before).values(),
        }

    figures, path = contract_named(engine.contract).execute(engine, task, ctx, taken)
    return make_record(task.unit, ctx, path, figures) | taken()
