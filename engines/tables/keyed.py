"""Tables of keyed states: the phases, files and units that every such table shares.

A layer is enumerated from the one before it. ``expand`` turns a shard of a layer into an *exchange file*: its
successors, each once, sorted, cut where the shards of the next layer begin. ``merge`` unites what all exchange files
hold of one shard of the next layer into a *keys file*. Between layers of one shard both are one ``step``. Then,
from the last layer up, ``evaluate`` adds the values and writes the final shard files; keys files go as they are used.

Where a layer's states are numbered without gaps (``keys_count``), their keys are known: there is nothing to enumerate,
and blocks hold values at an index.

Exchange and keys files are not synced to the disk, for they can be computed again: after a power cut they may differ
from their records, and then ``pipeline.folder`` removes them.

Memory is bounded: a shard's successors are collected up to a bound and written in *rounds*, and a merge unites its
range in as many passes as the bound asks for. Neither changes the final files.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engines import _native
from engines.contract.job import LayerPlan, ShardUnit, UnitContext
from engines.contract.result import Result
from engines.contract.table import Table
from engines.tables.columns import keyed_phases
from engines.tables.exchange import COUNTS, Incoming, files_of_exchange, write_exchange
from engines.tables.keyed_files import (
    Keys,
    LayerFiles,
    Values,
    checked_blocks,
    comparable,
    decode,
    naming_files,
    open_file,
    open_layer,
    shard_bounds,
)
from engines.tables.keyed_verify import verify_table
from storage.block import encode_block, order_key
from storage.digest import TableDigest, exact_sum, exact_sum_float, exact_sum_from_hex, exact_sum_hex
from storage.place import Place
from storage.record import FileRecord
from storage.shardfile import ShardWriter, open_shard

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import, and reading values does without it
    import pyarrow as pa

QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


class KeyedTable(Table):
    """A table whose states are keys. Subclasses give the game, its layers and its shards."""

    @property
    @abstractmethod
    def kernel(self) -> Any:
        """The game in the native core."""

    def keys_count(self, layer: LayerPlan) -> int | None:
        """States of a layer whose keys are the numbers below that; None where keys have gaps."""
        return None

    def block_states(self) -> int:
        """States of a block."""
        return int(self.kernel.block_states)

    def phase_figures(self) -> Mapping[str, Sequence[pa.Field]]:
        """Successors that were found, and keys that were written."""
        return keyed_phases()

    # -- plan ----------------------------------------------------------------------------------------------------

    def file_parameters(self) -> dict[str, Any]:
        """Block size, on which the bytes of the files depend."""
        return {"block_states": self.block_states()}

    def phases(self) -> list[tuple[str, LayerPlan]]:
        """Enumeration from the start down, where keys are not known; evaluation from the last layer up."""
        layers = self.layers()
        valued = [("evaluate", layer) for layer in reversed(layers)]
        if self.keys_count(layers[0]) is not None:
            return valued
        found = [("start", layers[0])]
        for layer, below in itertools.pairwise(layers):
            if layer.shards_count == below.shards_count == 1:
                found.append(("step", layer))
            else:
                found += [("expand", layer), ("merge", below)]
        return found + valued

    def units(self, kind: str, layer: LayerPlan) -> list[ShardUnit]:
        """One unit for each shard of the layer that is read (expand, step, evaluate) or written (merge)."""
        return [
            ShardUnit(f"{kind}-L{layer.layer:02d}-S{shard:03d}", kind, layer.layer, shard)
            for shard in range(layer.shards_count)
        ]

    def is_small(self, unit: ShardUnit) -> bool:
        """Layers of one shard are small; a merge writes the layer, all others read it."""
        return self._layer(unit.layer).shards_count == 1

    def unit_path(self, unit: ShardUnit, ctx: UnitContext) -> Place:
        """The unit's exchange, keys or final file."""
        layout = ctx.layout
        if unit.kind == "expand":
            return layout.exchange(unit.layer, unit.shard)
        if unit.kind == "step":
            return layout.keys(unit.layer - 1, unit.shard)
        if unit.kind == "evaluate":
            return layout.shard(unit.layer, unit.shard)
        return layout.keys(unit.layer, unit.shard)

    def superseded(self, kind: str, layer: LayerPlan, ctx: UnitContext) -> bool:
        """Enumerating a layer is not needed once its keys, or its final shards, are there."""
        if kind == "evaluate":
            return False
        layout = ctx.layout
        target = self._layer(layer.layer - 1 if kind in ("expand", "step") else layer.layer)
        return all(
            layout.keys(target.layer, shard).exists() or layout.shard(target.layer, shard).exists()
            for shard in range(target.shards_count)
        )

    def obsolete(self, kind: str, layer: LayerPlan, ctx: UnitContext) -> list[Place]:
        """Exchange files after their merge, keys files after their evaluation, all of work/ at the end."""
        layout = ctx.layout
        if kind == "merge":
            return files_of_exchange(layout, self._layer(layer.layer + 1))
        if kind == "evaluate" and layer == self.layers()[0]:
            return [path for path in layout.work.rglob("*") if path.is_file()]
        if kind == "evaluate":
            return [layout.keys(layer.layer, shard) for shard in range(layer.shards_count)]
        return []

    def _layer(self, layer: int) -> LayerPlan:
        first = self.layers()[0].layer
        return self.layers()[first - layer]

    # -- units ---------------------------------------------------------------------------------------------------

    def run(self, unit: ShardUnit, ctx: UnitContext) -> dict[str, Any]:
        """Do one unit; returns the figures in its file's footer."""
        layer = self._layer(unit.layer)
        if unit.kind == "start":
            return self._write_keys(layer, 0, self.kernel.start(), ctx)
        if unit.kind == "expand":
            return self._expand(layer, unit.shard, ctx)
        if unit.kind == "step":
            return self._step(layer, ctx)
        if unit.kind == "merge":
            return self._merge(layer, unit.shard, ctx)
        return self._evaluate(layer, unit.shard, ctx)

    def figures(self, unit: ShardUnit, ctx: UnitContext) -> dict[str, Any]:
        """The figures that ``run`` returned, from the footer."""
        with open_file(self.unit_path(unit, ctx)) as shard:
            return _figures(unit.kind, shard.footer)

    def _capacity(self) -> int:
        # Half of a unit's memory for keys and the same again for sorting them.
        return int(self.job.limits.memory_bytes) // (4 * 8 * int(self.kernel.words))

    def _step(self, layer: LayerPlan, ctx: UnitContext) -> dict[str, Any]:
        """Both phases at once between two layers of one shard; rounds are united in memory."""
        rounds = [keys for _, keys in self._rounds(layer, 0, ctx)]
        below = self._layer(layer.layer - 1)
        return self._write_keys(below, 0, _native.merge(rounds, below.key_bits), ctx)

    def _expand(self, layer: LayerPlan, shard: int, ctx: UnitContext) -> dict[str, Any]:
        below = self._layer(layer.layer - 1)
        record, successors_count = write_exchange(
            ctx.layout,
            layer,
            shard,
            below,
            self._rounds(layer, shard, ctx),
            lambda keys: self.pack(keys, None, "none", below),
        )
        return _file_figures(record) | {"successors_count": successors_count}

    def _rounds(self, layer: LayerPlan, shard: int, ctx: UnitContext) -> Iterator[tuple[int, Keys]]:
        """The successors of a shard, unique within each round."""
        collector = _native.Successors(self.kernel, layer.layer, self._capacity())
        number = 0
        layout = ctx.layout
        path, final = layout.keys(layer.layer, shard), layout.shard(layer.layer, shard)
        # Its keys file is gone already when a final file is missing below; its own final file has the same keys.
        for keys, _ in self._states(final if final.exists() and not path.exists() else path):
            full = collector.push(keys)
            ctx.progress(len(keys))
            if full:
                yield number, collector.take()
                number += 1
        yield number, collector.take()

    def _merge(self, layer: LayerPlan, shard: int, ctx: UnitContext) -> dict[str, Any]:
        low, high = shard_bounds(layer)[shard : shard + 2]
        above = self._layer(layer.layer + 1)
        blocks = list(self._incoming(above, ctx).blocks(shard, low, high))
        total = sum(int(block[8:12].view("<u4")[0]) for _, block in blocks)
        passes = -(-total // self._capacity()) or 1
        borders = [low + (high - low) * part // passes for part in range(1, passes)]
        merged = []
        for number in range(passes):
            lists = []
            for path, block in blocks:
                keys = decode(path, block)[0]
                if passes > 1:
                    cuts = [0, *np.searchsorted(*comparable(keys, borders)), len(keys)]
                    keys = keys[cuts[number] : cuts[number + 1]]
                lists.append(keys)
            merged.append(_native.merge(lists, layer.key_bits))
        return self._write_keys(layer, shard, np.concatenate(merged), ctx)

    def _write_keys(self, layer: LayerPlan, shard: int, keys: Keys, ctx: UnitContext) -> dict[str, Any]:
        layout = ctx.layout
        writer = ShardWriter(layout.keys(layer.layer, shard), layout.staging, durable=False)
        for block in self.pack(keys, None, "none", layer):
            writer.append(order_key(block), block)
        record = writer.finish(
            {"key_bits": layer.key_bits, "value_type": "none", "layer": layer.layer, "shard": shard}
        )
        return _file_figures(record) | {"keys_count": record.count}

    def pack(self, keys: Keys, values: Values | None, value_type: str, layer: LayerPlan) -> Iterator[bytes]:
        """The blocks of some keys of a layer, in order."""
        size = self.block_states()
        for begin in range(0, len(keys), size):
            part = None if values is None else values[begin : begin + size]
            if part is not None and self.keys_count(layer) is not None:
                yield encode_block(None, part.astype(value_type), layer.key_bits, int(keys[begin]))
            else:
                yield _native.encode_block(keys[begin : begin + size], part, value_type, layer.key_bits)

    def _evaluate(self, layer: LayerPlan, shard: int, ctx: UnitContext) -> dict[str, Any]:
        layout = ctx.layout
        below = None if layer == self.layers()[-1] else self.opened(self._layer(layer.layer - 1), ctx)
        writer = ShardWriter(layout.shard(layer.layer, shard), layout.staging)
        value_type = self.value_type()
        stored: list[Values] = []
        digest, total = TableDigest(), 0
        for keys in self._keys(layer, shard, ctx):
            with naming_files(below.paths if below else []):
                exact = self.kernel.evaluate(layer.layer, keys, below.native if below else None)
            values = _native.as_stored(exact, value_type)
            for block in self.pack(keys, values, value_type, layer):
                writer.append(order_key(block), block)
            digest += TableDigest(*_native.table_digest(layer.layer, keys, values, value_type))
            total += exact_sum(values)
            stored.append(values)
            ctx.progress(len(keys))
        everything = np.concatenate(stored) if stored else np.empty(0)
        footer = {
            "key_bits": layer.key_bits,
            "value_type": value_type,
            "layer": layer.layer,
            "shard": shard,
            "value_sum": exact_sum_hex(total),
            "digest": digest.hex(),
            "value_quantiles": [float(q) for q in np.quantile(everything, QUANTILES, method="lower")]
            if len(everything)
            else [],
        }
        record = writer.finish(footer)
        return _file_figures(record) | _figures("evaluate", footer | {"count": record.count})

    # -- reading -------------------------------------------------------------------------------------------------

    def _incoming(self, above: LayerPlan, ctx: UnitContext) -> Incoming:
        """The exchange from the layer above; kept while this process works on the same layer."""
        found: Incoming | None = self.__dict__.get("_exchange")
        if found is None or found.place != (ctx.layout.run_dir, above.layer):
            found = self.__dict__["_exchange"] = Incoming(ctx.layout, above)
        return found

    def opened(self, layer: LayerPlan, ctx: UnitContext) -> LayerFiles:
        """A finished layer; kept while this process works on the layer above it."""
        wanted = (ctx.layout.run_dir, layer.layer)
        cached: dict[tuple[Place, int], LayerFiles] = self.__dict__.setdefault("_layers_opened", {})
        if wanted not in cached:
            cached.clear()
            cached[wanted] = open_layer(self.kernel, ctx.layout, layer)
        return cached[wanted]

    def _keys(self, layer: LayerPlan, shard: int, ctx: UnitContext) -> Iterator[Keys]:
        """Keys of a shard that has no values yet, a block's at a time."""
        count = self.keys_count(layer)
        if count is None:
            yield from (keys for keys, _ in self._states(ctx.layout.keys(layer.layer, shard)))
            return
        begin, end = shard_bounds(layer, count)[shard : shard + 2]
        for first in range(begin, end, self.block_states()):
            yield np.arange(first, min(first + self.block_states(), end), dtype=np.uint64)

    def _states(self, path: Place) -> Iterator[tuple[Keys, Values | None]]:
        """Keys and values of a shard file, block by block."""
        with open_file(path) as opened:
            for _, block in checked_blocks(opened):
                yield decode(path, block)

    # -- checking -------------------------------------------------------------------------------------

    def verify(self, ctx: UnitContext, sample_count: int) -> list[str]:
        """Every block of every shard, counts and digests against footers and summary, a sample computed anew."""
        return verify_table(self, ctx, sample_count)

    # -- results -------------------------------------------------------------------------------------------------

    def result(self, summary: Mapping[str, Any]) -> Result:
        """The number of states, and the value of the start."""
        told = {name: summary[name] for name in ("states_count", "p_start")}
        start = f"the start is won with probability {told['p_start']:.8g}"
        return Result(told, [f"{told['states_count']:,} states; {start}"])

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Counts, exact sum and digest of the whole table, from the footers."""
        layout = ctx.layout
        counts, total, digest = [], 0, TableDigest()
        for layer in self.layers():
            count = 0
            for shard in range(layer.shards_count):
                with open_shard(layout.shard(layer.layer, shard)) as opened:
                    count += opened.count
                    total += exact_sum_from_hex(opened.footer["value_sum"])
                    digest += TableDigest.from_hex(opened.footer["digest"])
            counts.append(count)
        start = next(self._states(layout.shard(self.layers()[0].layer, 0)))[1]
        assert start is not None
        return {
            "states_count": sum(counts),
            "states_count_by_layer": counts,
            "p_start": float(start[0]),
            "p_sum": exact_sum_float(total),
            "content_digest": digest.hex(),
        }


def _file_figures(record: FileRecord) -> dict[str, Any]:
    return {"size_bytes": record.size_bytes, "sha256": record.sha256}


def _figures(kind: str, footer: dict[str, Any]) -> dict[str, Any]:
    if kind == "expand":
        return {"successors_count": sum(footer.get(COUNTS, [footer["count"]]))}
    if kind != "evaluate":
        return {"keys_count": footer["count"]}
    return {
        "states_count": footer["count"],
        "value_sum": exact_sum_float(exact_sum_from_hex(footer["value_sum"])),
        "value_quantiles": footer["value_quantiles"],
        "digest": footer["digest"],
    }
