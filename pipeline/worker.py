"""What happens to one unit, in whatever process it runs: build the engine, compute, publish, record.

Stateless and idempotent: everything comes from the brief, the unit and the files of the run; a unit that ran
before publishes the same content again, and the first writer's file stays.
"""

from __future__ import annotations

import errno
import functools
import json
import os
import socket
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.contract.engine import Engine
from engines.contract.job import Unit, UnitContext, job_from_values, job_identity
from engines.contract.registry import load_engine
from engines.contract.sweep import Sweep
from engines.contract.table import Table
from pipeline.memory import peak_resident_bytes, reset_peak
from pipeline.runners.base import Brief, Outcome, Task
from storage.errors import DiskFullError, UserError
from storage.layout import RunLayout
from storage.publish import temporary_name
from storage.record import sha256_file

if TYPE_CHECKING:
    import pyarrow as pa


def execute(
    brief: Brief, task: Task, try_number: int, progress: Callable[[int], None] = lambda count: None
) -> Outcome:
    """Do a unit; never raises but for interrupts. A user's error (full disk, damaged input) is told apart."""
    try:
        return Outcome(record=_do(brief, task, try_number, progress))
    except UserError as error:
        return Outcome(error=error)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return Outcome(error=DiskFullError(error.filename or brief.run_dir, "no room left on the disk"))
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return Outcome(reason=reason, trace=traceback.format_exc())


def context(brief: Brief, progress: Callable[[int], None] = lambda count: None) -> UnitContext:
    """The engine's view of a run."""
    return UnitContext(
        run_dir=Path(brief.run_dir),
        scratch_dir=Path(brief.scratch_dir),
        run_id=brief.run_id,
        attempt=brief.attempt,
        progress=progress,
        tables_dir=Path(brief.tables_dir),
    )


@functools.lru_cache(maxsize=1)
def _engine(spec: str, job: str) -> Engine:
    # A worker does many units of one job; an engine may keep tables open from one to the next.
    engine_type = load_engine(spec)
    return engine_type(job_from_values(engine_type.job_type, json.loads(job)))


def load(brief: Brief) -> int:
    """Import the run's engine, so that the first unit finds it there; this process's number, after a pause in
    which other processes get to do the same."""
    _engine(brief.engine, json.dumps(brief.job))
    time.sleep(0.05)
    return os.getpid()


def _do(brief: Brief, task: Task, try_number: int, progress: Callable[[int], None]) -> dict[str, Any]:
    engine = _engine(brief.engine, json.dumps(brief.job))
    ctx = context(brief, progress)
    reset_peak()
    start_s = time.perf_counter()
    if isinstance(engine, Sweep):
        figures, path = _sweep_unit(engine, task, ctx)
    else:
        assert isinstance(engine, Table)
        figures = engine.run(task.unit, ctx)
        path = engine.unit_path(task.unit, ctx)
    record = make_record(task.unit, ctx, path, figures)
    record |= {
        "elapsed_s": time.perf_counter() - start_s,
        "peak_bytes": peak_resident_bytes(),
        "try": try_number,
        "host": socket.gethostname(),
        "pid": os.getpid(),
    }
    write_record(record, ctx)
    return record


def _sweep_unit(engine: Sweep, task: Task, ctx: UnitContext) -> tuple[dict[str, Any], Path]:
    # pyarrow takes a fifth of a second to import, and tables do without it.
    import pyarrow as pa
    import pyarrow.compute as pc

    from storage.dataset import Provenance, common_columns, write_part

    assert task.indices is not None
    layout = RunLayout(ctx.run_dir)
    rows = engine.run(list(task.indices), ctx)
    columns = {name: rows.column(name) for name in rows.schema.names}
    columns |= {
        "run_id": pa.repeat(ctx.run_id, rows.num_rows),
        "attempt": pa.repeat(ctx.attempt, rows.num_rows),
        "seed": pa.repeat(pa.scalar(getattr(engine.job, "seed", None), pa.uint64()), rows.num_rows),
        "index": _items_of(rows, task.indices),
        "host": pa.repeat(socket.gethostname(), rows.num_rows),
    }
    schema = pa.unify_schemas([common_columns(), engine.columns()])
    table = pa.table([columns[name] for name in schema.names], names=schema.names).cast(schema)
    path = layout.part(task.unit.name, ctx.attempt)
    provenance = Provenance(ctx.run_id, engine.version, job_identity(engine.job))
    write_part(path, layout.staging, table, provenance)
    outcomes = pc.value_counts(rows["outcome"].drop_null()).to_pylist()
    counts = {entry["values"]: entry["counts"] for entry in outcomes}
    return {"rows_count": rows.num_rows, "outcomes": counts}, path


def _items_of(rows: pa.RecordBatch, indices: Sequence[int]) -> pa.Array:
    """The item of each row; ValueError unless every one of ``indices``, and no other, has rows where it should."""
    import numpy as np
    import pyarrow as pa

    asked = np.array(indices, np.uint64)
    if "index" not in rows.schema.names:
        if rows.num_rows != len(asked):
            raise ValueError(
                f"{rows.num_rows} rows for {len(asked)} items, and no index that tells whose they are"
            )
        return pa.array(asked)
    column = rows.column("index")
    if column.type != pa.uint64() or column.null_count:
        raise ValueError(f"index: must be uint64 without nulls; is {column.type}")
    found = column.to_numpy()
    if np.any(found[1:] < found[:-1]):
        raise ValueError("index: must ascend")
    for items, lack in (
        (np.setdiff1d(asked, found), "has no row"),
        (np.setdiff1d(found, asked), "was not asked for"),
    ):
        if len(items):
            raise ValueError(f"index: item {items[0]} {lack}")
    return column


def make_record(unit: Unit, ctx: UnitContext, path: Path, figures: dict[str, Any]) -> dict[str, Any]:
    """What is known of a finished unit; ``figures`` may bring its file's ``size_bytes`` and ``sha256``."""
    return {
        "unit": vars(unit),
        "attempt": ctx.attempt,
        "path": str(path.relative_to(ctx.run_dir)),
        "size_bytes": figures.get("size_bytes") or path.stat().st_size,
        "sha256": figures.get("sha256") or sha256_file(path),
        "figures": {key: value for key, value in figures.items() if key not in ("size_bytes", "sha256")},
    }


def write_record(record: dict[str, Any], ctx: UnitContext) -> None:
    """Write ``units/NAME.json``. Not synced: what a power cut takes is made again from the unit's file."""
    path = RunLayout(ctx.run_dir).unit_record(record_name(record["unit"]["name"], ctx.attempt))
    temporary = path.with_name(temporary_name(path.name))
    temporary.write_text(json.dumps(record))
    temporary.replace(path)


def read_record(path: Path) -> dict[str, Any] | None:
    """A unit's record; None when there is none or it is damaged: a power cut may leave half of one."""
    try:
        record: dict[str, Any] = json.loads(path.read_text())
        _ = record["unit"]["name"], record["path"], record["size_bytes"], record["sha256"], record["figures"]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return record


def record_name(unit: str, attempt: int) -> str:
    """Name of a unit's record; later attempts have their own."""
    return unit if attempt == 1 else f"{unit}-a{attempt}"
