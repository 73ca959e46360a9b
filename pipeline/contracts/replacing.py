"""Parts of earlier attempts: what they decided, and that the part of a later one takes their place.

A later part has all rows of its unit. It is published before the earlier ones are removed, so that a kill in between
leaves rows twice, which readers tell by their attempt and file, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engines.contract.job import ItemRange, Unit, UnitContext
from storage.copies import local
from storage.place import Place

if TYPE_CHECKING:
    import pyarrow as pa


def earlier_parts(unit: Unit, ctx: UnitContext) -> list[Place]:
    """Where the parts of a unit's earlier attempts would be."""
    return [ctx.layout.part(unit.name, attempt) for attempt in range(1, ctx.attempt)]


def decided_items(parts: Sequence[Place]) -> set[int]:
    """The items that in one of the parts have rows, all of them decided."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    decided: set[int] = set()
    for path in parts:
        rows = pq.ParquetFile(local(path)).read(columns=["index", "outcome"])
        undecided = rows.filter(pc.field("outcome") == "undecided")["index"]
        decided |= set(rows["index"].to_pylist()) - set(undecided.to_pylist())
    return decided


def with_rows_of(parts: Sequence[Place], table: pa.Table) -> pa.Table:
    """``table`` with the current rows of the other items of its unit's earlier ``parts``, in the order of ``index``."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from storage.dataset import read_parts

    earlier = read_parts(parts)
    others = earlier.filter(pc.invert(pc.is_in(earlier["index"], table["index"].combine_chunks())))
    rows = pa.concat_tables([others.select(table.column_names).cast(table.schema), table])
    return rows.take(pc.sort_indices(rows, sort_keys=[("index", "ascending")]))


def remove_replaced(unit: ItemRange, ctx: UnitContext, parts: Sequence[Place]) -> None:
    """Remove a unit's earlier parts if its part has all items; earlier versions wrote only those taken again."""
    import pyarrow.parquet as pq

    own = pq.ParquetFile(local(ctx.layout.part(unit.name, ctx.attempt))).read(columns=["index"])
    if set(own["index"].to_pylist()) == set(range(unit.first, unit.last)):
        for path in parts:
            path.unlink(missing_ok=True)
