"""Shards belong to nodes where they have to travel."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest

from engines.contract.job import ItemRange, ShardUnit
from pipeline.runners.ray_homes import home_of, preferring
from pipeline.tasks import Brief, Task

pytestmark = pytest.mark.ray

BRIEF = Brief("m:E", {}, "id", "s3://bucket/run", "/scratch", "s3://bucket")
NODES = frozenset("abc")


def shard(layer: int, number: int) -> Task:
    return Task(ShardUnit(f"L{layer}-S{number}", "evaluate", layer, number))


def test_a_shard_has_one_home_in_all_layers_and_homes_have_as_many_shards() -> None:
    homes = [home_of(BRIEF, shard(7, number), NODES) for number in range(12)]
    assert set(Counter(homes).items()) == {("a", 4), ("b", 4), ("c", 4)}
    assert homes == [home_of(BRIEF, shard(6, number), NODES) for number in range(12)]


def test_other_units_run_anywhere() -> None:
    assert home_of(BRIEF, Task(ItemRange("1", 0, 5)), NODES) is None
    assert home_of(dataclasses.replace(BRIEF, run_dir="/results/run"), shard(7, 1), NODES) is None
    assert home_of(BRIEF, shard(7, 1), frozenset("a")) is None
    assert preferring(None) == {}


def test_a_home_is_a_wish() -> None:
    node = "0a" * 28
    strategy = preferring(node)["scheduling_strategy"]
    assert (strategy.node_id, strategy.soft, strategy._spill_on_unavailable) == (node, True, True)
