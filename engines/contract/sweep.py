"""The contract of a sweep: independent items (deals, games, matches)."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from engines.contract.engine import Engine
from engines.contract.job import Estimate, UnitContext, job_identity
from engines.contract.result import Result, outcomes_result
from storage.columns import common_columns

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import; one-state commands do without it
    import pyarrow as pa

    from engines.contract.section import Section
    from storage.place import Place

UNIT_S, UNIT_LEAST_S = 5.0, 0.1
"""Seconds of work of a unit, and the least where there are several units, since to write a file takes some
milliseconds."""
UNITS_LEAST = 32
"""Units that a run is cut into unless they would be too small: so many processors can be kept busy."""
FILES_S, FILES_BYTES, COLUMN_BYTES, RUN_BYTES = 0.01, 2_000, 350, 5_000
"""Costs of a unit's files besides its rows, in seconds, in bytes, in bytes for each column; and those of a run."""


class Sweep(Engine):
    """Independent items, each with one row or several."""

    contract: ClassVar[str] = "sweep"
    worth_asking: ClassVar[str] = "outcome, count(*) AS items"

    def all_columns(self) -> pa.Schema:
        """Run, attempt, seed, item, outcome, time and machine, then the engine's own."""
        import pyarrow as pa

        return pa.schema([*common_columns(), *self.columns()])

    @abstractmethod
    def items_count(self) -> int:
        """Number of items of the job."""

    @abstractmethod
    def item_s(self) -> float:
        """Seconds of one core that an item takes in the mean, about; for a job that knows its heaviest items, of these.

        Follows from the job without its limits, since units are cut by it: limits may change while a run goes on.
        """

    def group_items_count(self) -> int:
        """Units begin at multiples of this."""
        return 1

    def unit_items_count(self) -> int:
        """Items a unit, whole groups: 5 s of work, less where the job has little; follows from the job alone."""
        group, item_s = self.group_items_count(), self.item_s()
        few = max(math.ceil(self.items_count() / UNITS_LEAST), round(UNIT_LEAST_S / item_s))
        return group * max(1, round(min(UNIT_S / item_s, few) / group))

    def item_bytes(self) -> float:
        """Mean bytes of an item's rows in the files of a run."""
        return 20.0

    def work_s(self) -> float:
        """Seconds of one core that all items take, about, within the job's limits."""
        return self.items_count() * self.item_s()

    def estimate(self) -> Estimate:
        """From the costs of items, and of the files of units."""
        items_count = self.items_count()
        units_count = -(-items_count // self.unit_items_count())
        # Each file of rows has the job in it, as plan and summary do.
        job_bytes = len(json.dumps(job_identity(self.job)))
        unit_bytes = FILES_BYTES + COLUMN_BYTES * len(self.all_columns()) + job_bytes
        disk_bytes = items_count * self.item_bytes() + units_count * unit_bytes + RUN_BYTES + 3 * job_bytes
        return Estimate(items_count, round(disk_bytes), self.work_s() + units_count * FILES_S)

    def result(self, summary: Mapping[str, Any]) -> Result:
        """The outcomes of its rows."""
        return outcomes_result(summary, "items")

    def sections(self, run_dir: Place, is_told: bool) -> Iterable[Section]:
        """Outcomes, time and states, where its game shows nothing of the run."""
        from engines.statistics.run_sections import sweep_sections

        return [] if is_told else sweep_sections(self, run_dir)

    @abstractmethod
    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Compute the items ``indices`` (ascending); returns their rows.

        These are either one row for each item, in the same order; or at least one row for each item, with a further
        column ``index`` (uint64, ascending), the item of each row. The rows of an item keep their order.

        Columns: ``outcome`` (won, lost, undecided, or null for what is never won or lost), ``elapsed_s`` and the
        engine's own ``columns``. With larger limits, an item with an undecided row is computed again with all its
        rows.
        """
