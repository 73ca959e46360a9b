"""Parts of earlier attempts: the part of a later one takes their place.

A later part has all rows of its unit. It is published before the earlier ones are removed, so that a kill in
between leaves rows twice, which readers recognise by attempt and file, and nothing is lost. Compacted parts of
earlier attempts stay until they are compacted again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from engines.contract.job import ItemRange, UnitContext
from storage.layout import RunLayout
from storage.parts import Part, numbered_parts, superseded
from storage.place import Place, listed

if TYPE_CHECKING:
    import pyarrow as pa


def earlier_parts(unit: ItemRange, ctx: UnitContext) -> list[Place]:
    """The paths that parts of a unit's earlier attempts have."""
    return [ctx.layout.part(unit.name, attempt) for attempt in range(1, ctx.attempt)]


def with_rows_of(parts: Sequence[Place], unit: ItemRange, table: pa.Table) -> pa.Table:
    """``table`` with the current rows of its unit's other items in earlier ``parts``, in the order of ``index``."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from storage.dataset import read_parts

    earlier = read_parts(parts, (unit.first, unit.last))
    others = earlier.filter(pc.invert(pc.is_in(earlier["index"], table["index"].combine_chunks())))
    rows = pa.concat_tables([others.select(table.column_names).cast(table.schema), table])
    return rows.take(pc.sort_indices(rows, sort_keys=[("index", "ascending")]))


def parts_in_place(layout: RunLayout) -> list[Part]:
    """A sweep's parts as ``numbered_parts``; those that a larger one covers are removed. For a run's driver."""
    parts = numbered_parts(path.name for path in listed(layout.data))
    gone = {part.name for part in superseded(parts)}
    for name in gone:
        (layout.data / name).unlink(missing_ok=True)
    return [part for part in parts if part.name not in gone]


def replaced_numbers(parts: Sequence[Part], attempt: int) -> Iterator[int]:
    """Units that have a part of ``attempt`` and one of an earlier attempt."""
    own = (part for part in parts if not part.is_range)
    for later, earlier in pairwise(own):
        if later.first == earlier.first and later.attempt == attempt:
            yield later.first


def remove_replaced(unit: ItemRange, ctx: UnitContext) -> None:
    """Remove a unit's earlier parts if its part has all items; earlier versions wrote only those taken again."""
    from storage.dataset import open_part

    with open_part(ctx.layout.part(unit.name, ctx.attempt)) as file:
        own = file.read(columns=["index"])
    if set(own["index"].to_pylist()) == set(range(unit.first, unit.last)):
        for path in earlier_parts(unit, ctx):
            path.unlink(missing_ok=True)
