"""The parts of a block of units become one: what a worker does while a run goes on (``pipeline.contracts.compaction``).

The new part is in place before the others go. If a worker is killed on the way, doing it again gives the same
files.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from engines.contract.job import UnitContext
from pipeline.tasks import UnitRange
from storage.parts import numbered_parts, superseded
from storage.place import Place, listed

REQUESTS_COUNT = 8
"""Requests to a store at once."""


def merge_units(
    unit: UnitRange, ctx: UnitContext, taken: Callable[[], dict[str, Any]]
) -> tuple[dict[str, Any], Place]:
    """Publish the part of a block; returns figures for its record, and the file. ValueError when units have no
    part."""
    from storage.merging import merge_parts

    data = ctx.layout.data
    inside = [
        part
        for part in numbered_parts(path.name for path in listed(data))
        if unit.first_unit <= part.first and part.last <= unit.last_unit
    ]
    gone = superseded(inside)
    sources = [part for part in inside if part not in gone]
    follows = unit.first_unit
    for part in sources:
        if part.first > follows:
            raise ValueError(f"unit {follows} has no part")
        follows = max(follows, part.last + 1)
    if follows <= unit.last_unit:
        raise ValueError(f"unit {follows} has no part")
    attempt = max(part.attempt for part in sources)
    path = ctx.layout.part(unit.name, attempt)
    figures = merge_parts([data / part.name for part in sources], path, ctx.layout.staging, taken)
    with ThreadPoolExecutor(REQUESTS_COUNT) as pool:
        others = [data / part.name for part in inside if part.name != path.name]
        list(pool.map(remove, others))
    return figures | {"attempt": attempt}, path


def remove(path: Place) -> None:
    """Remove a part that a block's part has replaced."""
    path.unlink(missing_ok=True)
