"""Exchange: the successors of a shard, cut where the shards of the next layer begin, on their way from ``expand`` to
``merge``.

In a folder they are one file, of which each merge maps its own blocks. On an object store, where only whole files are
fetched, there is an object for each shard of the next layer, and the file that marks the unit as done has the number
of successors in each. Objects of a unit that was cut short stay: they have the same successors, though perhaps from
other rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from engines.contract.job import LayerPlan
from engines.tables.keyed_files import Keys, checked_blocks, comparable, open_file, shard_bounds
from storage.block import order_key
from storage.layout import RunLayout
from storage.place import ObjectPath, Place
from storage.record import FileRecord
from storage.shardfile import ShardWriter

ROUND_BYTES = 2
"""The number of the round, before the last key of each block."""
COUNTS = "successors_counts"
"""In the footer of an exchange that is cut into objects: successors for each shard of the next layer."""

Pack = Callable[[Keys], Iterator[bytes]]
"""Keys in order -> blocks."""


def write_exchange(
    layout: RunLayout,
    layer: LayerPlan,
    shard: int,
    below: LayerPlan,
    rounds: Iterable[tuple[int, Keys]],
    pack: Pack,
) -> tuple[FileRecord, int]:
    """Write the exchange of a shard of ``layer`` for the layer ``below``; returns the record of its file, and the
    number of successors.

    ``rounds``: for each round its number and its successors, each once and in order.
    """
    apart = isinstance(layout.run_dir, ObjectPath)
    done = layout.exchange(layer.layer, shard)
    footer = {"key_bits": below.key_bits, "value_type": "none", "layer": layer.layer, "shard": shard}
    places = [_part(done, target) for target in range(below.shards_count)] if apart else [done]
    writers = [ShardWriter(place, layout.staging, durable=False, keeps_other=apart) for place in places]
    counts = [0] * len(writers)
    for number, keys in rounds:
        cuts = np.searchsorted(*comparable(keys, shard_bounds(below)[:-1]))
        for target, (begin, end) in enumerate(zip(cuts, [*cuts[1:], len(keys)], strict=True)):
            file = target if apart else 0
            counts[file] += int(end - begin)
            for block in pack(keys[begin:end]):
                writers[file].append(number.to_bytes(ROUND_BYTES) + order_key(block), block)
    if not apart:
        return writers[0].finish(footer), counts[0]
    for writer, count in zip(writers, counts, strict=True):
        if count:
            writer.finish(footer)
    marker = ShardWriter(done, layout.staging, durable=False, keeps_other=True)
    return marker.finish(footer | {COUNTS: counts}), sum(counts)


class Incoming:
    """The exchange that a layer sends, as merges read it; each file's index is read once."""

    def __init__(self, layout: RunLayout, above: LayerPlan) -> None:
        self.place = (layout.run_dir, above.layer)
        """The run and the layer that it belongs to."""
        self._files = [layout.exchange(above.layer, source) for source in range(above.shards_count)]
        self._known: dict[Place, tuple[list[int] | None, list[tuple[bytes, Any]]]] = {}

    def blocks(self, shard: int, low: int, high: int) -> Iterator[tuple[Place, Any]]:
        """The blocks, each with its file, for a shard of the next layer, whose keys are in [low, high)."""
        for path in self._files:
            counts, blocks = self._look(path)
            if counts is None:
                # Blocks never cross the border between two shards, so a block's last key says which shard it belongs
                # to.
                for key, block in blocks:
                    if low <= int.from_bytes(key[ROUND_BYTES:]) < high:
                        yield path, block
            elif counts[shard]:
                part = _part(path, shard)
                with open_file(part) as opened:
                    yield from ((part, block) for _, block in checked_blocks(opened, ROUND_BYTES))

    def _look(self, path: Place) -> tuple[list[int] | None, list[tuple[bytes, Any]]]:
        """Successors for each shard, of an exchange that is cut into objects; else its blocks by their order keys."""
        if path not in self._known:
            with open_file(path) as opened:
                self._known[path] = opened.footer.get(COUNTS), checked_blocks(opened, ROUND_BYTES)
        return self._known[path]


def files_of_exchange(layout: RunLayout, layer: LayerPlan) -> list[Place]:
    """All files of the exchange that a layer sends; those that mark units as done are removed first."""
    found = [layout.exchange(layer.layer, shard) for shard in range(layer.shards_count)]
    if isinstance(layout.run_dir, ObjectPath):
        found += [path for each in found for path in _parts(each).rglob("*")]
    return found


def _parts(done: Place) -> Place:
    """The folder of an exchange that is cut into objects."""
    return done.with_name(done.name.removesuffix(done.suffix))


def _part(done: Place, target: int) -> Place:
    return _parts(done) / f"T{target:03d}{done.suffix}"
