"""Sweeps: units are ranges of items, in one phase; attempts with larger limits take undecided items again."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from engines.contract.job import ItemRange, Limits, UnitContext, job_identity
from engines.contract.sweep import Sweep
from pipeline.attempts import attempts_so_far, settle_attempt
from pipeline.contracts.base import Contract, Phase
from pipeline.contracts.compaction import Compaction
from pipeline.contracts.foreign import foreign_items, foreign_names
from pipeline.contracts.ledger import Ledger
from pipeline.contracts.merging import merge_units
from pipeline.contracts.replacing import (
    earlier_parts,
    parts_in_place,
    remove_replaced,
    replaced_numbers,
    with_rows_of,
)
from pipeline.contracts.rowcounts import record_of_part, row_counts, rows_figures
from pipeline.contracts.units import Units
from pipeline.records import Records, record_name
from pipeline.tasks import Task, UnitRange
from storage.layout import RunLayout
from storage.parts import numbered_parts
from storage.place import Place, listed
from storage.record import FileRecord, file_figures

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import, and tables do without it
    import pyarrow as pa


class SweepContract(Contract[Sweep]):
    """See ``engines.contract.sweep``."""

    root: ClassVar[str] = "results"
    rate: ClassVar[str] = "items_per_s"
    counted: ClassVar[str] = "items"
    units_stand_alone: ClassVar[bool] = True

    def plan(self, engine: Sweep) -> dict[str, Any]:
        """The number of items, and how many make a unit."""
        return {"items_count": engine.items_count()} | _cut(engine.items_count(), engine.unit_items_count())

    def sizes(self, plan: Mapping[str, Any]) -> dict[str, Any]:
        """The number of items in a unit, and so the number of units: earlier versions cut other sizes."""
        items, size = plan.get("items_count"), plan.get("unit_items_count")
        return _cut(items, size) if type(items) is type(size) is int and size > 0 else {}

    def foreign_files(self, plan: Mapping[str, Any], layout: RunLayout, plan_is_new: bool) -> Iterator[Place]:
        """Parts; where the plan was lost, units may have been cut differently."""
        if layout.data.is_dir():
            yield from foreign_names(layout, Units(plan))
            if plan_is_new:
                yield from foreign_items(layout, Units(plan), plan["run_id"])

    def units_count(self, plan: Mapping[str, Any]) -> int:
        """The units of the plan; ValueError when they do not fit the number of items."""
        count, sizes = plan["units_count"], (plan["items_count"], plan["unit_items_count"])
        if self.sizes(plan).get("units_count") != count:
            raise ValueError(f"its counts of items and units contradict each other: {sizes}, {count}")
        return int(count)

    def progress_count(self, plan: Mapping[str, Any]) -> int:
        """Items."""
        return int(plan["items_count"])

    def progress_work(self, engine: Sweep, plan: Mapping[str, Any]) -> float:
        """Items."""
        return float(plan["items_count"])

    def settle_attempt(
        self, limits: Limits, earlier: list[dict[str, Any]], layout: RunLayout
    ) -> tuple[int, Limits]:
        """See ``pipeline.attempts``."""
        return settle_attempt(limits, attempts_so_far(earlier, layout))

    def phases(
        self, engine: Sweep, plan: Mapping[str, Any], ctx: UnitContext, records: Records
    ) -> Iterator[Phase]:
        """In the first attempt units without a file, then items without a decision; then what is left to compact."""
        units, parts = Units(plan), parts_in_place(ctx.layout)
        for number in replaced_numbers(parts, ctx.attempt):
            remove_replaced(units[number], ctx)
        ledger = Ledger(ctx.layout, units, parts, ctx.attempt)
        compaction = Compaction(ctx.layout, units, parts, ledger.is_open(), records)
        phase = Phase("sweep", compaction.among(ledger.tasks()), settled=compaction.settled)
        open_items_count = 0
        for number in ledger.open_numbers():
            phase.tasks_count += 1
            open_items_count += len(ledger.indices(number))
        phase.done_count = units.count - phase.tasks_count
        phase.found_count = int(plan["items_count"]) - open_items_count
        phase.found_work = float(phase.found_count)
        yield phase
        while compaction.waiting_count:
            yield Phase("sweep", compaction.tasks(), compaction.waiting_count, settled=compaction.settled)

    def execute(
        self, engine: Sweep, task: Task, ctx: UnitContext, taken: Callable[[], dict[str, Any]]
    ) -> tuple[dict[str, Any], Place]:
        """Compute the items and publish their rows, with the common columns, beside the rows of earlier attempts."""
        import pyarrow as pa

        from storage.dataset import Provenance, read_parts, write_part

        if isinstance(task.unit, UnitRange):
            return merge_units(task.unit, ctx, taken)
        assert isinstance(task.unit, ItemRange)
        rows = engine.run(list(task.indices), ctx)
        columns = {name: rows.column(name) for name in rows.schema.names}
        columns |= {
            "run_id": pa.repeat(ctx.run_id, rows.num_rows),
            "attempt": pa.repeat(ctx.attempt, rows.num_rows),
            "seed": pa.repeat(pa.scalar(getattr(engine.job, "seed", None), pa.uint64()), rows.num_rows),
            "index": _items_of(rows, task.indices),
            "host": pa.repeat(socket.gethostname(), rows.num_rows),
        }
        schema = engine.all_columns()
        table = pa.table([columns[name] for name in schema.names], names=schema.names).cast(schema)
        path = ctx.layout.part(task.unit.name, ctx.attempt)
        earlier = [part for part in earlier_parts(task.unit, ctx) if part.exists()]
        compacted = [ctx.layout.data / name for name in task.within]
        if earlier or compacted:
            table = with_rows_of([*earlier, *compacted], task.unit, table)
        provenance = Provenance(ctx.run_id, engine.version, job_identity(engine.job))
        written = write_part(path, ctx.layout.staging, table, provenance, taken())
        if written is None:
            # The first writer may have removed what this one would have added.
            table = read_parts([path])
        for part in earlier:
            part.unlink(missing_ok=True)
        return rows_figures(table["outcome"]) | file_figures(written), path

    def computed_count(self, task: Task, record: Mapping[str, Any]) -> int:
        """Items."""
        return len(task.indices)

    def done_count(self, plan: Mapping[str, Any], layout: RunLayout) -> int:
        """Units that have rows; in a later attempt also those that it has not reached."""
        count, last = 0, -1
        for part in numbered_parts(path.name for path in listed(layout.data)):
            count += max(part.last - max(part.first - 1, last), 0)
            last = max(last, part.last)
        return count

    def complete(self, engine: Sweep, plan: Mapping[str, Any], ctx: UnitContext, records: Records) -> None:
        """Records of parts: a driver was killed before it wrote them."""
        units = Units(plan)
        for part in parts_in_place(ctx.layout):
            if record_name(part.unit, part.attempt) not in records:
                unit = ItemRange(part.unit, *units.items(part.first, part.last))
                records.add(record_of_part(part, unit, ctx))

    def figures(self, engine: Sweep, ctx: UnitContext, files: Mapping[str, FileRecord]) -> dict[str, Any]:
        """Counts of items, rows and outcomes of rows, the digest of all rows, and the engine's own figures."""
        from storage.dataset import part_paths
        from storage.rowdigest import content_digest

        run_dir = ctx.layout.run_dir
        if not part_paths(run_dir):
            return {"items_count": 0, "rows_count": 0, "outcomes": {}}
        return row_counts(run_dir) | {"content_digest": content_digest(run_dir)} | engine.summary(ctx)


def _cut(items_count: int, unit_items_count: int) -> dict[str, Any]:
    return {"unit_items_count": unit_items_count, "units_count": -(-items_count // unit_items_count)}


def _items_of(rows: pa.RecordBatch, indices: Sequence[int]) -> pa.Array:
    """The item of each row; ValueError unless all of ``indices``, and no others, have rows in the right places."""
    import numpy as np
    import pyarrow as pa

    asked = np.array(indices, np.uint64)
    if "index" not in rows.schema.names:
        if rows.num_rows != len(asked):
            raise ValueError(
                f"{rows.num_rows} rows for {len(asked)} items, and no index column that says which row is of which item"
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
