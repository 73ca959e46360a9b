"""One table built in different ways: the same content, and with the same plan the same bytes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.runners.base import Hooks
from pipeline.runners.ray import RayRunner
from pipeline.runners.serial import SerialRunner
from pipeline.tasks import Brief, Outcome, Task
from pipeline.upkeep import verify_run
from storage.layout import RunLayout
from storage.record import sha256_file

pytestmark = pytest.mark.ray

CONTENT = ("content_digest", "p_sum", "p_start", "states_count_by_layer")


class ShuffledRunner(SerialRunner):
    """Units of a phase in random order."""

    def run_units(self, brief: Brief, tasks: Iterable[Task], hooks: Hooks) -> Iterator[tuple[Task, Outcome]]:
        shuffled = list(tasks)
        random.Random(len(shuffled)).shuffle(shuffled)
        return super().run_units(brief, shuffled, hooks)


def content(run: Any) -> dict[str, Any]:
    return {name: run.summary[name] for name in CONTENT}


def files(run: Any) -> dict[str, str]:
    """SHA-256 of the shard files by name."""
    found = {path.name: sha256_file(path) for path in RunLayout(run.folder).shards.iterdir()}
    assert found
    return found


@pytest.mark.parametrize("way", ["ray", "shuffled", "small memory"])
def test_same_plan_same_bytes(build: Any, way: str) -> None:
    """The table has layers of several shards, so that keys are exchanged."""
    usual = build.table(4, 2, 8)
    assert any(layer.shards_count > 1 for layer in usual.table.layers())
    if way == "ray":
        runner = RayRunner(cpus=2)
        try:
            other = build.table(4, 2, 8, root=way, runner=runner)
        finally:
            runner.close()
    elif way == "shuffled":
        other = build.table(4, 2, 8, root=way, runner=ShuffledRunner())
    else:
        # 2,048 keys at a time: layers of up to 173,045 states come in many rounds and passes.
        other = build.table(4, 2, 8, "job.limits.memory_bytes=65536", root=way)
    assert other.summary["run_id"] == usual.summary["run_id"]
    assert content(other) == content(usual)
    assert other.summary["files_digest"] == usual.summary["files_digest"]
    assert files(other) == files(usual)


@pytest.mark.parametrize(("cards", "small_layer", "least_shards"), [(8, 10**9, 1), (6, 0, 16)])
def test_other_shards_same_content(
    build: Any, tmp_path: Path, cards: int, small_layer: int, least_shards: int
) -> None:
    """In a process of its own, as the shards of a job are meant to be the same in all of one version."""
    usual = build.table(4, 2, cards)
    script = (
        "from engines.stackgame import table; from pipeline.cli import main; "
        f"table.SMALL_LAYER_STATES, table.LEAST_SHARDS = {small_layer}, {least_shards}; main()"
    )
    words = ["run", "job=stackgame_table", "job.stacks=4", f"job.cards={cards}", f"paths.results={tmp_path}"]
    command = [sys.executable, "-c", script, *words]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    summary = json.loads((Path(printed.strip()) / "summary.json").read_text())
    shards = {int(path.stem.split("-S")[1]) for path in RunLayout(Path(printed.strip())).shards.iterdir()}
    assert len(shards) == least_shards
    assert {name: summary[name] for name in CONTENT} == {name: usual.summary[name] for name in CONTENT}
    assert summary["files_digest"] != usual.summary["files_digest"]


@pytest.mark.parametrize(
    ("stacks", "boards", "cards"), [(2, 2, 8), (3, 2, 7), (4, 2, 6), (5, 2, 6), (5, 1, 12), (1, 2, 4)]
)
def test_both_canonical_forms_make_the_same_table(build: Any, stacks: int, boards: int, cards: int) -> None:
    """Two forms that share no code: as many states in every layer, and the same probabilities."""
    two, general = (
        build.table(stacks, boards, cards, "job.value_type=float64", f"job.form={form}")
        for form in ("auto", "general")
    )
    assert two.summary["content_digest"] != general.summary["content_digest"]
    assert two.summary["states_count_by_layer"] == general.summary["states_count_by_layer"]
    assert two.summary["p_start"] == pytest.approx(general.summary["p_start"], rel=1e-12)
    assert two.summary["p_sum"] == pytest.approx(general.summary["p_sum"], rel=1e-12)
    for (_, _, values), (_, _, others) in zip(two.layers(), general.layers(), strict=True):
        assert sorted(values) == pytest.approx(sorted(others), abs=1e-13)


@pytest.mark.parametrize(
    ("stacks", "boards", "cards", "value_type"),
    [
        (2, 2, 6, "float64"),
        (3, 2, 6, "float32"),
        (4, 2, 5, "float32"),
        (5, 2, 4, "float64"),
        (3, 1, 12, "float64"),
    ],
)
def test_values_at_an_index_are_those_of_keys(
    build: Any, stacks: int, boards: int, cards: int, value_type: str
) -> None:
    """Every state of one table is in the other, with its value to the last bit; nothing else is."""
    keyed, indexed = (
        build.table(stacks, boards, cards, f"job.value_type={value_type}", f"job.form={form}")
        for form in ("auto", "indexed")
    )
    same = ("states_count_by_layer", "p_sum", "p_start")
    assert {name: keyed.summary[name] for name in same} == {name: indexed.summary[name] for name in same}
    old, new = keyed.table.kernel, indexed.table.kernel
    for (layer, keys, values), (_, ranks, others) in zip(keyed.layers(), indexed.layers(), strict=True):
        assert ranks.tolist() == list(range(len(keys)))
        of_keys = np.concatenate([new.encode(*old.decode(layer, keys[k : k + 1])) for k in range(len(keys))])
        assert len(set(of_keys.tolist())) == len(keys)
        assert others[of_keys].tolist() == values.tolist()


def test_indexed_tables_have_no_keys(build: Any) -> None:
    """Shards of whole pages of values, and no phase but the last."""
    table = build.table(4, 2, 8, "job.form=indexed")
    states = table.summary["states_count"]
    assert {kind for kind, _ in table.table.phases()} == {"evaluate"}
    assert any(layer.shards_count > 1 for layer in table.table.layers())
    assert table.table.estimate().items_count == states == 566_037
    largest = max(table.table.layers(), key=lambda layer: table.table.expected_states(layer.layer))
    sizes = [path.stat().st_size for path in RunLayout(table.folder).shards.glob(f"L{largest.layer:02d}-*")]
    assert sum(sizes) < 4.4 * table.table.expected_states(largest.layer)
    assert verify_run(str(table.folder), 1000) == []


def test_more_boards_need_no_more_memory_than_they_are_given(build: Any) -> None:
    usual = build.table(3, 3, 4)
    other = build.table(3, 3, 4, "job.limits.memory_bytes=65536", root="small memory")
    assert content(other) == content(usual)
    assert files(other) == files(usual)
