"""Verification of a finished keyed table: its files, its figures, and a sample of its values computed anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from engines import _native
from engines.contract.job import LayerPlan, UnitContext
from engines.tables.keyed_files import (
    Keys,
    LayerFiles,
    Values,
    comparable,
    decode,
    naming_files,
    shard_bounds,
)
from storage.digest import TableDigest, exact_sum, exact_sum_hex
from storage.errors import DamagedFileError
from storage.manifest import read_manifest
from storage.place import Place
from storage.shardfile import open_shard
from storage.verify import verify_shard

if TYPE_CHECKING:
    from engines.tables.keyed import KeyedTable


def verify_table(table: KeyedTable, ctx: UnitContext, sample_count: int) -> list[str]:
    """One line for each problem of a table's run; values are looked at when the files are sound."""
    problems: list[str] = []
    layout = ctx.layout
    manifest = read_manifest(ctx.layout.run_dir)
    for layer, shard in _cells(table):
        path = layout.shard(layer.layer, shard)
        problems += verify_shard(path, manifest.record(ctx.layout.run_dir, path))
    if problems:
        return problems
    try:
        return _verify_summary(table, ctx) + _verify_sample(table, ctx, sample_count)
    except DamagedFileError as error:
        return [str(error)]


def _cells(table: KeyedTable) -> list[tuple[LayerPlan, int]]:
    return [(layer, shard) for layer in table.layers() for shard in range(layer.shards_count)]


def _verify_summary(table: KeyedTable, ctx: UnitContext) -> list[str]:
    recorded = json.loads(ctx.layout.summary.read_text())
    return [
        f"summary.json: {name} is {recorded.get(name)}, the files say {value}"
        for name, value in table.summary(ctx).items()
        if recorded.get(name) != value
    ]


def _verify_sample(table: KeyedTable, ctx: UnitContext, sample_count: int) -> list[str]:
    """States chosen at random over the whole table (all, if there are no more) are evaluated again.

    On the way every shard is held against its range and its footer's digest and sum.
    """
    random = np.random.default_rng()
    layout = ctx.layout
    counts = []
    for layer, shard in _cells(table):
        with open_shard(layout.shard(layer.layer, shard)) as opened:
            counts.append(opened.count)
    below = dict(zip(table.layers(), table.layers()[1:], strict=False))
    problems: list[str] = []
    for (layer, shard), wanted in zip(_cells(table), _spread(random, sample_count, counts), strict=True):
        path = layout.shard(layer.layer, shard)
        files = table.opened(below[layer], ctx) if wanted and layer in below else None
        low, high = shard_bounds(layer, table.keys_count(layer))[shard : shard + 2]
        digest, total = TableDigest(), 0
        for key, keys, values, sample in _sampled(path, random, wanted):
            if np.searchsorted(*comparable(keys, [low]))[0] or int.from_bytes(key) >= high:
                problems.append(f"{path}: has states of another shard")
            digest += TableDigest(*_native.table_digest(layer.layer, keys, values, table.value_type()))
            total += exact_sum(values)
            problems += _evaluate_again(table, layer, path, keys[sample], values[sample], files)
        with open_shard(path) as opened:
            if (opened.footer["digest"], opened.footer["value_sum"]) != (digest.hex(), exact_sum_hex(total)):
                problems.append(f"{path}: its values are not those that its footer was written for")
    return problems


def _sampled(
    path: Place, random: np.random.Generator, wanted: int
) -> Iterator[tuple[bytes, Keys, Values, Keys]]:
    """Last key, keys and values of each block of a shard, and the places of the states chosen from it."""
    with open_shard(path) as opened:
        counts = [int(block[8:12].view("<u4")[0]) for _, block in opened.blocks()]
        for (key, block), picked in zip(opened.blocks(), _spread(random, wanted, counts), strict=True):
            keys, values = decode(path, block)
            assert values is not None
            chosen = random.choice(len(keys), min(picked, len(keys)), replace=False)
            yield key, keys, values, np.sort(chosen).astype(np.uint64)


def _evaluate_again(
    table: KeyedTable, layer: LayerPlan, path: Place, keys: Keys, values: Values, below: LayerFiles | None
) -> list[str]:
    if not len(keys):
        return []
    with naming_files(below.paths if below else []):
        again = table.kernel.evaluate(layer.layer, keys, below.native if below else None)
    wrong = np.flatnonzero(_native.as_stored(again, table.value_type()) != values)
    return [
        f"{path}: state {keys[w]} has value {values[w]}, its successors give {again[w]}" for w in wrong[:3]
    ]


def _spread(random: np.random.Generator, total: int, counts: list[int]) -> list[int]:
    """Choose ``total`` states at random; returns how many of each of ``counts``. All of them when there are no more
    than that."""
    if total >= sum(counts):
        return counts
    return [int(share) for share in random.multinomial(total, np.array(counts) / sum(counts))]
