"""The contract of a sweep: independent items (deals, games, matches)."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from engines.contract.engine import Engine
from engines.contract.job import UnitContext
from storage.columns import common_columns

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import; one-state commands do without it
    import pyarrow as pa


class Sweep(Engine):
    """Independent items, a row or several each."""

    contract: ClassVar[str] = "sweep"

    def all_columns(self) -> pa.Schema:
        """Run, attempt, seed, item, outcome, time and machine, then the engine's own."""
        import pyarrow as pa

        return pa.schema([*common_columns(), *self.columns()])

    @abstractmethod
    def items_count(self) -> int:
        """Number of items of the job."""

    @abstractmethod
    def unit_items_count(self) -> int:
        """Items a unit (5 to 60 s of work); follows from the job alone."""

    @abstractmethod
    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Compute the items ``indices`` (ascending); their rows.

        Either one row an item in the same order; or at least one row an item, and beside the columns below ``index``
        (uint64, ascending): the item that each row is of. The rows of an item keep their order.

        Columns: ``outcome`` (won, lost, undecided, or null for what is never won or lost), ``elapsed_s`` and the
        engine's own ``columns``. An item with an undecided row is computed anew, all its rows, with larger limits.
        """
