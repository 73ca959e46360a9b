"""Parts in a sweep's ``data/`` that its units do not write: copied there, or of units that were cut otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engines.contract.job import ItemRange
from storage.copies import local
from storage.layout import RunLayout, part_of
from storage.place import Place, listed


def foreign_names(layout: RunLayout, units: Sequence[ItemRange]) -> Iterator[Place]:
    """Those that are called as no unit is."""
    names = {unit.name for unit in units}
    for path, unit in _parts(layout):
        if unit not in names:
            yield path


def foreign_items(layout: RunLayout, units: Sequence[ItemRange], plan: Mapping[str, Any]) -> Iterator[Place]:
    """Those of units whose parts do not hold all their items, and no others; reads every part."""
    found: dict[str, list[Place]] = {}
    for path, name in _parts(layout):
        found.setdefault(name, []).append(path)
    for unit in units:
        parts = found.get(unit.name, [])
        if parts and _items(parts, plan["run_id"]) != set(range(unit.first, unit.last)):
            yield from parts


def _items(parts: Sequence[Place], run_id: str) -> set[int] | None:
    """The items that parts have rows of; None when one is no part of the run."""
    import pyarrow.parquet as pq

    items: set[int] = set()
    for path in parts:
        try:
            with pq.ParquetFile(local(path)) as file:
                metadata = file.schema_arrow.metadata or {}
                if metadata.get(b"yamafuda.run_id") != run_id.encode():
                    return None
                items |= set(file.read(columns=["index"])["index"].to_pylist())
        except (OSError, ValueError, KeyError):
            return None
    return items


def _parts(layout: RunLayout) -> Iterator[tuple[Place, str]]:
    """The parts, each with its unit."""
    for path in listed(layout.data):
        part = part_of(path.name)
        if part is not None:
            yield path, part[0]
