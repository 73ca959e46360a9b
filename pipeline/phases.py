"""What is left to do of a run, phase by phase, told by the files in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engines.contract.engine import Engine
from engines.contract.job import Unit, UnitContext
from engines.contract.sweep import Sweep
from engines.contract.table import Table
from pipeline.plan import sweep_units
from pipeline.runners.base import Task
from pipeline.worker import make_record, read_record, write_record
from storage.layout import RunLayout
from storage.record import sha256_file


@dataclass
class Phase:
    """Units that may run side by side once the phase before is done."""

    name: str
    tasks: list[Task]
    """Units whose file is missing."""
    done: list[Unit] = field(default_factory=list)
    """Units whose file was in place."""


def phases(engine: Engine, plan: dict[str, Any], ctx: UnitContext) -> Iterator[Phase]:
    """All phases that the run still needs. Each is looked at when it is asked for; asking says that the one
    before is done, and removes what it made obsolete."""
    if isinstance(engine, Sweep):
        yield sweep_phase(plan, ctx)
    else:
        assert isinstance(engine, Table)
        yield from _table_phases(engine, ctx)


def remove_unsound(layout: RunLayout) -> None:
    """Remove the files below ``work/`` that are not what their units' records say, or that have none.

    They are not synced, so a power cut can leave names without their content. Everything else in a run is
    synced before it gets its name. To be called before a driver goes on with a run; reads all of ``work/``.
    """
    present = [path for path in layout.work.rglob("*") if path.is_file()]
    if not present:
        return
    records = (read_record(path) for path in layout.units.glob("*.json"))
    known = {record["path"]: record for record in records if record is not None}
    for path in present:
        record = known.get(path.relative_to(layout.run_dir).as_posix())
        if (
            record is None
            or path.stat().st_size != record["size_bytes"]
            or sha256_file(path) != record["sha256"]
        ):
            path.unlink()


def planned_count(plan: dict[str, Any]) -> int:
    """Items of a sweep or units of a table, over all phases."""
    if plan["contract"] == "sweep":
        return int(plan["items_count"])
    return sum(units_count for _, _, units_count in plan["phases"])


def planned_units_count(plan: dict[str, Any]) -> int:
    """Units of a run, over all phases."""
    return int(plan["units_count"]) if plan["contract"] == "sweep" else planned_count(plan)


def sweep_phase(plan: dict[str, Any], ctx: UnitContext) -> Phase:
    """The only phase of a sweep: in the first attempt units without a file, then items without a decision."""
    layout = RunLayout(ctx.run_dir)
    present = {path.name for path in layout.data.iterdir()} if layout.data.exists() else set()
    phase = Phase("sweep", [])
    for unit in sweep_units(plan):
        indices: Sequence[int] = range(unit.first, unit.last)
        if layout.part(unit.name, ctx.attempt).name in present:
            indices = ()
        elif ctx.attempt > 1:
            earlier = [layout.part(unit.name, attempt) for attempt in range(1, ctx.attempt)]
            decided = _decided([path for path in earlier if path.name in present])
            indices = tuple(index for index in indices if index not in decided)
        if indices:
            phase.tasks.append(Task(unit, indices, len(indices)))
        else:
            phase.done.append(unit)
    return phase


def _decided(parts: list[Path]) -> set[int]:
    """The items that have no undecided row in one of the parts, each of which is of one attempt."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    decided: set[int] = set()
    for path in parts:
        rows = pq.ParquetFile(path).read(columns=["index", "outcome"])
        undecided = rows.filter(pc.field("outcome") == "undecided")["index"]
        decided |= set(rows["index"].to_pylist()) - set(undecided.to_pylist())
    return decided


def _table_phases(engine: Table, ctx: UnitContext) -> Iterator[Phase]:
    for kind, layer in engine.phases():
        if engine.superseded(kind, layer, ctx):
            continue
        phase = Phase(f"{kind} {layer.layer}", [])
        for unit in engine.units(kind, layer):
            if engine.unit_path(unit, ctx).exists():
                phase.done.append(unit)
            else:
                phase.tasks.append(Task(unit, is_small=engine.is_small(unit)))
        yield phase
        for unit in phase.done:
            _record_again(engine, unit, ctx)
        for path in engine.obsolete(kind, layer, ctx):
            path.unlink(missing_ok=True)


def _record_again(engine: Table, unit: Unit, ctx: UnitContext) -> None:
    # A worker that was killed between publishing its file and writing its record.
    if read_record(RunLayout(ctx.run_dir).unit_record(unit.name)) is None:
        path = engine.unit_path(unit, ctx)
        write_record(make_record(unit, ctx, path, engine.figures(unit, ctx)), ctx)
