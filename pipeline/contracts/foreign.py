"""Parts in a sweep's ``data/`` that its units did not write: somebody copied them there, or the units were cut
differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipeline.contracts.units import Units
from storage.layout import RunLayout, part_of
from storage.parts import Part, numbered_part
from storage.place import Place, listed


def foreign_names(layout: RunLayout, units: Units) -> Iterator[Place]:
    """Parts whose names are neither those of a unit nor those of a compacted block."""
    for path in listed(layout.data):
        part = numbered_part(path.name)
        if part_of(path.name) is not None and (part is None or not _is_own(part, units)):
            yield path


def _is_own(part: Part, units: Units) -> bool:
    is_named = part.last < units.count and part.unit == units.name(part.first, part.last)
    return is_named and (part.first == part.last or units.level_of(part.first, part.last) > 0)


def foreign_items(layout: RunLayout, units: Units, run_id: str) -> Iterator[Place]:
    """Parts of units that do not hold exactly their unit's items; reads every part."""
    found: dict[str, list[Part]] = {}
    for part in filter(None, (numbered_part(path.name) for path in listed(layout.data))):
        found.setdefault(part.unit, []).append(part)
    for parts in found.values():
        paths = [layout.data / part.name for part in parts]
        if not _hold_all(paths, *units.items(parts[0].first, parts[0].last), run_id):
            yield from paths


def _hold_all(paths: Iterable[Place], first: int, last: int, run_id: str) -> bool:
    """Whether parts of a run together have rows of all items from ``first`` to before ``last``, and of no others."""
    import numpy as np

    from storage.dataset import open_part

    has_rows = np.zeros(last - first, np.bool_)
    for path in paths:
        try:
            with open_part(path) as file:
                if (file.schema_arrow.metadata or {}).get(b"yamafuda.run_id") != run_id.encode():
                    return False
                for rows in file.iter_batches(columns=["index"]):
                    index = rows["index"].to_numpy() - np.uint64(first)
                    if np.any(index >= last - first):
                        return False
                    has_rows[index] = True
        except (OSError, ValueError, KeyError):
            return False
    return bool(np.all(has_rows))
