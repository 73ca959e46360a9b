"""Tables of values at an index: the phases, files and units that every such table shares.

A layer's states are numbered without gaps, so that no keys are stored. States come in *groups* (trick taking: all
choices of point cards of one hand), each with the same number of values; a block has a power of two of groups, and a
shard a power of two of blocks, the last ones fewer. A layer needs the whole layer below it, and nothing else; there is
one phase for each, from the smallest layer up.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.contract.job import LayerPlan, ShardUnit, UnitContext
from engines.contract.result import Result
from engines.contract.table import Table
from engines.tables.keyed_files import naming_files, open_file
from storage.block import decode_block, encode_block, order_key
from storage.digest import TableDigest
from storage.errors import DamagedFileError
from storage.layout import RunLayout
from storage.manifest import read_manifest
from storage.place import Place
from storage.shardfile import ShardWriter, open_shard
from storage.verify import verify_shard

Bytes = npt.NDArray[np.uint8]

BLOCK_BYTES = 1 << 18
SHARD_BYTES = 1 << 26
"""Blocks and shards hold as many groups as fit, rounded down to a power of two."""
VALUES_KEY_BITS = 64


class IndexedTable(Table):
    """A table of bytes at an index. Subclasses say how many states there are and give their values."""

    # -- what a game says ----------------------------------------------------------------------------------------

    @abstractmethod
    def layer_numbers(self) -> list[int]:
        """Layers in the order of evaluation; each needs the one before it."""

    @abstractmethod
    def groups_count(self, layer: int) -> int:
        """Groups of states of a layer."""

    @abstractmethod
    def group_values(self, layer: int) -> int:
        """Values of a group."""

    @abstractmethod
    def evaluate(self, layer: int, first: int, count: int, below: Any) -> Bytes:
        """Values of ``count`` groups from number ``first`` on; ``below``: what ``open_below`` gave, or None."""

    @abstractmethod
    def open_below(self, layer: int, block_groups_log2: int, blocks: list[Bytes]) -> Any:
        """The native reader of a whole layer; ValueError names the block."""

    @abstractmethod
    def value_figures(self, layer: int, values: Bytes) -> dict[str, npt.NDArray[np.int64]]:
        """Figures of the values of whole groups that add up over the parts of a layer."""

    # -- plan ----------------------------------------------------------------------------------------------------

    def block_groups_log2(self, layer: int) -> int:
        """Groups of a block, as the exponent of two."""
        return max(0, (BLOCK_BYTES // self.group_values(layer)).bit_length() - 1)

    def shard_groups(self, layer: int) -> int:
        """Groups of a shard."""
        return int(1 << max(0, (SHARD_BYTES // self.group_values(layer)).bit_length() - 1))

    def file_parameters(self) -> dict[str, Any]:
        """Groups of a block and of a shard, and values of a group, by layer."""
        return {
            name: {str(layer): count(layer) for layer in self.layer_numbers()}
            for name, count in (
                ("block_groups_log2", self.block_groups_log2),
                ("shard_groups", self.shard_groups),
                ("group_values", self.group_values),
            )
        }

    def value_type(self) -> str:
        """A byte a value."""
        return "uint8"

    def layers(self) -> list[LayerPlan]:
        """The largest layer first."""
        return [
            LayerPlan(layer, -(-self.groups_count(layer) // self.shard_groups(layer)), VALUES_KEY_BITS)
            for layer in reversed(self.layer_numbers())
        ]

    def phases(self) -> list[tuple[str, LayerPlan]]:
        """One for each layer, the smallest first."""
        return [("evaluate", layer) for layer in reversed(self.layers())]

    def units(self, kind: str, layer: LayerPlan) -> list[ShardUnit]:
        """One for each shard."""
        return [
            ShardUnit(f"{kind}-L{layer.layer:02d}-S{shard:03d}", kind, layer.layer, shard)
            for shard in range(layer.shards_count)
        ]

    def is_small(self, unit: ShardUnit) -> bool:
        """Units of layers with one shard are small."""
        return self.groups_count(unit.layer) <= self.shard_groups(unit.layer)

    def unit_path(self, unit: ShardUnit, ctx: UnitContext) -> Place:
        """The shard file."""
        return ctx.layout.shard(unit.layer, unit.shard)

    # -- units ---------------------------------------------------------------------------------------------------

    def run(self, unit: ShardUnit, ctx: UnitContext) -> dict[str, Any]:
        """Evaluate a shard, block by block."""
        layer, shard = unit.layer, unit.shard
        below = self.opened(layer - 1, ctx) if layer != self.layer_numbers()[0] else None
        writer = ShardWriter(self.unit_path(unit, ctx), ctx.layout.staging)
        first = shard * self.shard_groups(layer)
        end = min(first + self.shard_groups(layer), self.groups_count(layer))
        step, group = 1 << self.block_groups_log2(layer), self.group_values(layer)
        digest, figures = TableDigest(), dict[str, npt.NDArray[np.int64]]()
        for begin in range(first, end, step):
            values = self.evaluate(layer, begin, min(step, end - begin), below)
            block = encode_block(None, values, VALUES_KEY_BITS, begin * group)
            writer.append(order_key(block), block)
            digest += TableDigest(*_native.indexed_digest(layer, begin * group, values))
            for name, figure in self.value_figures(layer, values).items():
                figures[name] = figures.get(name, 0) + figure
            ctx.progress(len(values))
        footer = {
            "key_bits": VALUES_KEY_BITS,
            "value_type": self.value_type(),
            "layer": layer,
            "shard": shard,
            "digest": digest.hex(),
            **{name: [int(each) for each in figure] for name, figure in figures.items()},
        }
        record = writer.finish(footer)
        return {"size_bytes": record.size_bytes, "sha256": record.sha256} | _figures(
            footer | {"count": record.count}
        )

    def figures(self, unit: ShardUnit, ctx: UnitContext) -> dict[str, Any]:
        """The figures that ``run`` returned, from the footer."""
        with open_file(self.unit_path(unit, ctx)) as opened:
            return _figures(opened.footer)

    # -- reading -------------------------------------------------------------------------------------------------

    def opened(self, layer: int, ctx: UnitContext) -> Any:
        """The native reader of a finished layer; kept while this process works on the layer above it."""
        wanted = (ctx.layout.run_dir, layer)
        cached: dict[tuple[Place, int], Any] = self.__dict__.setdefault("_layers_opened", {})
        if wanted not in cached:
            cached.clear()
            cached[wanted] = self.open_layer(ctx.layout.run_dir, layer)
        return cached[wanted]

    def open_layer(self, run_dir: Place, layer: int) -> Any:
        """Open all shards of a layer; DamagedFileError names the file."""
        layout, blocks, paths = RunLayout(run_dir), [], []
        for shard in range(self._plan(layer).shards_count):
            path = layout.shard(layer, shard)
            with open_file(path) as opened:
                for _, block in opened.blocks():
                    blocks.append(block)
                    paths.append(path)
        with naming_files(paths):
            return self.open_below(layer, self.block_groups_log2(layer), blocks)

    def _plan(self, layer: int) -> LayerPlan:
        return next(plan for plan in self.layers() if plan.layer == layer)

    # -- checking and export -------------------------------------------------------------------------------------

    def verify(self, ctx: UnitContext, sample_count: int) -> list[str]:
        """Every block of every shard, figures against footers and summary, a sample of groups evaluated again."""
        layout, manifest = ctx.layout, read_manifest(ctx.layout.run_dir)
        problems: list[str] = []
        for layer, shard in self._cells():
            path = layout.shard(layer, shard)
            problems += verify_shard(path, manifest.record(ctx.layout.run_dir, path))
        if problems:
            return problems
        try:
            recorded = json.loads(layout.summary.read_text())
            for name, value in self.summary(ctx).items():
                if recorded.get(name) != value:
                    problems.append(f"summary.json: {name} is {recorded.get(name)}, the files say {value}")
            return problems + self._verify_values(ctx, sample_count)
        except DamagedFileError as error:
            return [str(error)]

    def _cells(self) -> list[tuple[int, int]]:
        return [(plan.layer, shard) for plan in self.layers() for shard in range(plan.shards_count)]

    def _verify_values(self, ctx: UnitContext, sample_count: int) -> list[str]:
        """Footers against values; groups chosen at random over all blocks are evaluated again."""
        random, layout = np.random.default_rng(), ctx.layout
        cells = self._cells()
        share = sample_count / sum(self.groups_count(layer) for layer in self.layer_numbers())
        problems: list[str] = []
        for layer, shard in cells:
            path, group = layout.shard(layer, shard), self.group_values(layer)
            digest, figures = TableDigest(), dict[str, npt.NDArray[np.int64]]()
            index = shard * self.shard_groups(layer) * group
            with open_shard(path) as opened:
                for _, packed in opened.blocks():
                    block = decode_block(packed)
                    assert block.values is not None
                    if block.first != index:
                        problems.append(f"{path}: has values of another shard")
                    index = block.last + 1
                    digest += TableDigest(*_native.indexed_digest(layer, block.first, block.values))
                    for name, figure in self.value_figures(layer, block.values).items():
                        figures[name] = figures.get(name, 0) + figure
                    groups = len(block.values) // group
                    wanted = min(groups, int(random.poisson(share * groups)))
                    for chosen in random.choice(groups, wanted, replace=False):
                        found = block.values[chosen * group : (chosen + 1) * group]
                        problems += self._check_again(
                            ctx, path, layer, block.first // group + int(chosen), found
                        )
                told = {name: opened.footer.get(name) for name in ("digest", *figures)}
            right = {"digest": digest.hex()} | {name: each.tolist() for name, each in figures.items()}
            if told != right:
                problems.append(f"{path}: its values are not those that its footer was written for")
        return problems

    def _check_again(self, ctx: UnitContext, path: Place, layer: int, number: int, found: Bytes) -> list[str]:
        below = self.opened(layer - 1, ctx) if layer != self.layer_numbers()[0] else None
        if np.array_equal(self.evaluate(layer, number, 1, below), found):
            return []
        return [f"{path}: group {number} of layer {layer} is not what follows from the layer below"]

    # -- results -------------------------------------------------------------------------------------------------

    def result(self, summary: Mapping[str, Any]) -> Result:
        """States in all and of the largest layer."""
        told = {name: summary[name] for name in ("states_count", "states_count_by_layer")}
        largest = max(told["states_count_by_layer"])
        return Result(told, [f"{told['states_count']:,} states, {largest:,} in the largest layer"])

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Counts and digest of the whole table, from the footers."""
        layout, digest = ctx.layout, TableDigest()
        counts = dict.fromkeys((plan.layer for plan in self.layers()), 0)
        for layer, shard in self._cells():
            with open_shard(layout.shard(layer, shard)) as opened:
                counts[layer] += opened.count
                digest += TableDigest.from_hex(opened.footer["digest"])
        return {
            "states_count": sum(counts.values()),
            "states_count_by_layer": list(counts.values()),
            "content_digest": digest.hex(),
        }


def _figures(footer: dict[str, Any]) -> dict[str, Any]:
    plain = ("key_bits", "value_type", "layer", "shard", "count", "format_version", "blocks_count")
    return {"states_count": footer["count"]} | {
        name: value for name, value in footer.items() if name not in plain
    }
