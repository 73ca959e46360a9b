"""Tables: units are shards of layers, in phases that follow one another."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from engines.contract.job import Limits, ShardUnit, UnitContext
from engines.contract.table import Table
from pipeline.contracts.base import Contract, Phase
from pipeline.contracts.layers import write_layer_rows
from pipeline.records import Records, make_record, read_records
from pipeline.tasks import Task
from storage.layout import RunLayout
from storage.place import Place
from storage.record import FileRecord


class TableContract(Contract[Table]):
    """See ``engines.contract.table``."""

    root: ClassVar[str] = "tables"
    rate: ClassVar[str] = "states_per_s"
    counted: ClassVar[str] = "units"
    units_stand_alone: ClassVar[bool] = False

    def plan(self, engine: Table) -> dict[str, Any]:
        """Layers, phases, and all else that the bytes of the files depend on."""
        return {
            "value_type": engine.value_type(),
            "file": engine.file_parameters(),
            "layers": [vars(layer) for layer in engine.layers()],
            "phases": [
                [kind, layer.layer, len(engine.units(kind, layer))] for kind, layer in engine.phases()
            ],
        }

    def units_count(self, plan: Mapping[str, Any]) -> int:
        """Over all phases."""
        return sum(units_count for _, _, units_count in plan["phases"])

    def progress_count(self, plan: Mapping[str, Any]) -> int:
        """Units."""
        return self.units_count(plan)

    def progress_work(self, engine: Table, plan: Mapping[str, Any]) -> float:
        """What the engine expects of all phases."""
        counts = [int(units_count) for _, _, units_count in plan["phases"]]
        phases = zip(counts, engine.phases(), strict=True)
        return sum(count * engine.unit_work(kind, layer) for count, (kind, layer) in phases)

    def settle_attempt(
        self, limits: Limits, earlier: list[dict[str, Any]], layout: RunLayout
    ) -> tuple[int, Limits]:
        """Always the first attempt, with the command's limits: a table has no undecided items."""
        return 1, limits

    def phases(
        self, engine: Table, plan: Mapping[str, Any], ctx: UnitContext, records: Records
    ) -> Iterator[Phase]:
        """Units whose files no later phase has made unnecessary."""
        for kind, layer in engine.phases():
            tasks, done = list[Task](), list[ShardUnit]()
            phase = Phase(f"{kind} {layer.layer}", tasks)
            units, work = engine.units(kind, layer), engine.unit_work(kind, layer)
            if engine.superseded(kind, layer, ctx):
                phase.found_count, phase.found_work = len(units), len(units) * work
                yield phase
                continue
            for unit in units:
                if engine.unit_path(unit, ctx).exists():
                    done.append(unit)
                else:
                    tasks.append(Task(unit, is_small=engine.is_small(unit), expected_work=work))
            phase.tasks_count = len(tasks)
            phase.done_count = phase.found_count = len(done)
            phase.found_work = len(done) * work
            yield phase
            for unit in done:
                # A driver was killed before it wrote these records.
                if unit.name not in records:
                    path = engine.unit_path(unit, ctx)
                    records.add(make_record(unit, ctx, path, engine.figures(unit, ctx)))
            for path in engine.obsolete(kind, layer, ctx):
                path.unlink(missing_ok=True)

    def execute(
        self, engine: Table, task: Task, ctx: UnitContext, taken: Callable[[], dict[str, Any]]
    ) -> tuple[dict[str, Any], Place]:
        """The engine publishes the file itself."""
        assert isinstance(task.unit, ShardUnit)
        figures = engine.run(task.unit, ctx)
        return figures, engine.unit_path(task.unit, ctx)

    def computed_count(self, task: Task, record: Mapping[str, Any]) -> int:
        """States that got their value."""
        return int(record["figures"].get("states_count", 0))

    def done_count(self, plan: Mapping[str, Any], layout: RunLayout) -> int:
        """Taken from the records, because files of finished phases are gone."""
        return len(read_records(layout))

    def complete(self, engine: Table, plan: Mapping[str, Any], ctx: UnitContext, records: Records) -> None:
        """The rows of the layers."""
        write_layer_rows(engine, ctx.layout, plan, records)

    def figures(self, engine: Table, ctx: UnitContext, files: Mapping[str, FileRecord]) -> dict[str, Any]:
        """The engine's figures, and the digest of all shard files."""
        return engine.summary(ctx) | {"files_digest": _files_digest(files)}


def _files_digest(files: Mapping[str, FileRecord]) -> str:
    """SHA-256 over names and SHA-256 of the shard files: equal for tables that are equal byte for byte."""
    digest = hashlib.sha256()
    for name in sorted(files):
        if not name.startswith("data/"):
            digest.update(f"{files[name].sha256}  {name}\n".encode())
    return digest.hexdigest()
