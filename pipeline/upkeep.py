"""Actions on a run that exists: cancel, verify, export, remove."""

from __future__ import annotations

import shlex
import shutil
import time
from pathlib import Path

from engines.contract.engine import Engine
from engines.contract.job import UnitContext, job_words
from engines.contract.registry import engine_class, job_from_mapping
from pipeline.folder import remove_files
from pipeline.lock import driver_lock, holder, is_held
from pipeline.mending import repair
from pipeline.plan import read_plan
from pipeline.roots import locate, roots, scratch
from storage.errors import UserError
from storage.layout import RunLayout
from storage.manifest import verify_manifest
from storage.place import ObjectPath, Place
from storage.publish import write_bytes_atomic

CANCEL_PATIENCE_S = 10.0


def cancel_run(run: str) -> str:
    """Ask the driver of RUN to stop and wait a little for it; returns what happened, in words."""
    layout = RunLayout(locate(run))
    if not is_held(layout.lock):
        raise UserError(layout.run_dir.name, "no driver is at work on this run")
    driver = holder(layout.lock)
    write_bytes_atomic(layout.cancel, b"")
    deadline_s = time.monotonic() + CANCEL_PATIENCE_S
    while time.monotonic() < deadline_s:
        if not is_held(layout.lock):
            return f"stopped {driver}"
        time.sleep(0.1)
    return f"asked {driver} to stop; it has not yet"


def verify_run(run: str, samples_count: int) -> list[str]:
    """All problems of a finished run, one a line; empty when there are none."""
    folder = locate(run)
    if is_held(RunLayout(folder).lock):
        raise UserError(folder.name, "a driver is at work on this run; verify it when it is done")
    # Sizes and checksums first: an engine may map files, and a file that is too short would end the process.
    problems = list(verify_manifest(folder))
    if not problems:
        engine, ctx = open_run(folder)
        problems = engine.verify(ctx, samples_count)
    return [" ".join(problem.split()) for problem in problems]


def repair_run(run: str) -> list[str]:
    """Remove damaged files of RUN; returns a line for each, and at the end the command that computes them again."""
    folder = locate(run)
    removed = repair(folder)
    if removed:
        removed.append(f"to compute it again: {_command(folder)}")
    return removed


def _command(folder: Place) -> str:
    """The command that made a run; if its plan is lost, words in its place."""
    layout = RunLayout(folder)
    if not layout.plan.exists():
        return "the command that made the run"
    values = read_plan(layout)["job"]
    return f"yamafuda run {job_words(job_from_mapping(values['name'], values))}"


def export_run(run: str, to: Path | None) -> list[Path]:
    """Write a finished run as Parquet into ``to`` (new or empty; the run's export/ by default); returns the files."""
    folder = locate(run)
    if not RunLayout(folder).manifest.exists():
        raise UserError(folder.name, "this run is not finished; run its command again, then export it")
    if to is None and isinstance(folder, ObjectPath):
        raise UserError("--to", "is needed for a run on an object store: give a folder of this machine")
    out_dir = to if to is not None else Path(str(folder / "export"))
    if out_dir.exists() and (not out_dir.is_dir() or any(out_dir.iterdir())):
        raise UserError("--to", f"{out_dir} is not an empty folder")
    engine, ctx = open_run(folder)
    made = not out_dir.exists()
    out_dir.mkdir(parents=True, exist_ok=True)
    try:
        return engine.export(ctx, out_dir)
    except BaseException as error:
        if made:
            shutil.rmtree(out_dir)
        if isinstance(error, UserError) and not engine.can_export():
            raise UserError(error.field, f"{error.message}; {_for_rows(folder)}") from None
        raise


def _for_rows(folder: Place) -> str:
    """The command that writes a run's rows into one file."""
    from pipeline.query.fence import identifier

    sql = shlex.quote(f"FROM {identifier(folder.name)}")
    return f"to have its rows in one file: yamafuda query {sql} -o rows.parquet"


def remove_run(folder: Place) -> None:
    """Remove a run's folder, unless a driver is at work on it."""
    layout = RunLayout(folder)
    with driver_lock(layout.lock):
        remove_files(layout)


def open_run(folder: Place) -> tuple[Engine, UnitContext]:
    """The engine and the context of an existing run."""
    plan = read_plan(RunLayout(folder))
    name = plan["job"]["name"]
    engine_type = engine_class(name)
    if plan["engine_version"] != engine_type.version:
        raise UserError(
            folder.name,
            f"was made by version {plan['engine_version']} of {name}; this is version {engine_type.version}",
        )
    places = roots()
    ctx = UnitContext(
        layout=RunLayout(folder),
        scratch_dir=scratch(),
        tables_dir=places["tables"].resolve(),
        run_id=plan["run_id"],
    )
    return engine_type(job_from_mapping(name, plan["job"])), ctx
