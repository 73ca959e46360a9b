"""The contract of a table: the values of all states of a game, layer by layer.

A layer's states are found from the layer before it (``expand``, then ``merge``), and its values from the finished
layer below it (``evaluate``).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from engines.contract.engine import Engine
from engines.contract.job import LayerPlan, ShardUnit, UnitContext
from engines.contract.vocabulary import shared
from storage.columns import MEANING, UNIT, column, common_columns
from storage.place import Place

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import; one-state commands do without it
    import pyarrow as pa

    from engines.contract.section import Section


class Table(Engine):
    """States by layers, keyed and sharded by key range."""

    contract: ClassVar[str] = "table"
    worth_asking: ClassVar[str] = "layer, sum(states_count) AS states"

    @abstractmethod
    def columns(self) -> pa.Schema:
        """The job's columns, and those of figures of each layer's last phase, one row for each shard."""

    def phase_figures(self) -> Mapping[str, Sequence[pa.Field]]:
        """Each phase of ``phases``, with figures of its units that get columns besides those of the last phase."""
        return {"evaluate": ()}

    def all_columns(self) -> pa.Schema:
        """Run, attempt, row, time and machine; layer and shard; the engine's own; those of phases."""
        import pyarrow as pa

        common = common_columns()
        return pa.schema(
            [
                *(common.field(name) for name in ("run_id", "attempt", "index", "elapsed_s", "host")),
                *shared("layer"),
                column("shard", "uint32", "", "Number of the shard in its layer, from 0."),
                column("size_bytes", "int64", "bytes", "Size of the shard's file."),
                *shared("peak_bytes"),
                *self.columns(),
                *self.phase_columns(),
            ]
        )

    def phase_columns(self) -> list[pa.Field]:
        """Time and figures of each phase, null for a shard without it. A crash may have lost them."""
        found = []
        for kind, figures in self.phase_figures().items():
            found.append(
                column(f"{kind}_elapsed_s", "float64", "s", f"Time of the phase {kind}.", nullable=True)
            )
            for field in figures:
                unit, meaning = field.metadata[UNIT].decode(), field.metadata[MEANING].decode()
                found.append(column(f"{kind}_{field.name}", field.type, unit, meaning, nullable=True))
        return found

    def sections(self, run_dir: Place, is_told: bool) -> Iterable[Section]:
        """States of each layer."""
        from engines.statistics.run_sections import table_sections

        return table_sections(run_dir)

    @abstractmethod
    def layers(self) -> list[LayerPlan]:
        """All layers in the order of enumeration, start first. Follows from the job alone."""

    @abstractmethod
    def value_type(self) -> str:
        """How values are stored: ``float32``, ``float64`` or ``uint8``."""

    def file_parameters(self) -> dict[str, Any]:
        """What else the bytes of the files depend on (block size, format version); written into plan.json."""
        return {}

    @abstractmethod
    def units(self, kind: str, layer: LayerPlan) -> list[ShardUnit]:
        """The units of a phase of a layer."""

    def is_small(self, unit: ShardUnit) -> bool:
        """Whether a unit takes so little time and memory that it is not worth sending to another process."""
        return False

    def unit_work(self, kind: str, layer: LayerPlan) -> float:
        """Expected work of each unit of a phase, in a unit that all phases share; the time left is estimated from
        it."""
        return 1.0

    @abstractmethod
    def run(self, unit: ShardUnit, ctx: UnitContext) -> dict[str, Any]:
        """Do a unit and publish its file (atomically, first writer wins); figures for its record.

        Figures are JSON values. ``states_count`` counts the states that got their value here; with ``size_bytes`` and
        ``sha256`` of the file the pipeline need not read it again. Those of the last phase of a layer become the
        layer's rows in the run's Parquet dataset, as far as ``columns`` has them.
        """

    def figures(self, unit: ShardUnit, ctx: UnitContext) -> dict[str, Any]:
        """The figures that ``run`` returned, from the unit's file alone: a killed worker leaves no record."""
        return {}

    @abstractmethod
    def unit_path(self, unit: ShardUnit, ctx: UnitContext) -> Place:
        """The file whose presence says that the unit is done."""

    @abstractmethod
    def phases(self) -> list[tuple[str, LayerPlan]]:
        """All phases in order; every unit of a phase may start when the phase before it is done."""

    def obsolete(self, kind: str, layer: LayerPlan, ctx: UnitContext) -> list[Place]:
        """Files that are not needed any more once this phase is done (exchange files, keys without values)."""
        return []

    def superseded(self, kind: str, layer: LayerPlan, ctx: UnitContext) -> bool:
        """True when a later phase's files make this one unnecessary, so that a resumed run skips it."""
        return False
