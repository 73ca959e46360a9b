"""Items of several rows: counted as items, read and computed anew as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import toy
from toy_helpers import compose, records, summary

from pipeline.run import DONE, FAILED, run_job
from pipeline.runners.base import Runner
from pipeline.runners.serial import SerialRunner
from storage.dataset import read_rows

pytestmark = pytest.mark.ray

Faults = Callable[..., str]
ITEMS = 20
ROWS = sum(map(toy.hands_count, range(ITEMS)))


def rows_of(run: Path) -> list[tuple[int, int, int]]:
    table = read_rows(run, ["index", "steps_count", "attempt"])
    return [tuple(row.values()) for row in table.to_pylist()]


def expected(limit: int, again: set[int] = frozenset()) -> list[tuple[int, int, int]]:  # type: ignore[assignment]
    return [
        (index, min(toy.steps(1, index) + place, limit), 2 if index in again else 1)
        for index in range(ITEMS)
        for place in range(toy.hands_count(index))
    ]


def undecided(limit: int) -> set[int]:
    return {index for index in range(ITEMS) if toy.steps(1, index) + toy.hands_count(index) - 1 > limit}


def suffixes(again: set[int]) -> dict[int, str]:
    """Of each unit's part, when the items ``again`` were taken a second time."""
    return {unit: "-a2" if again & set(range(5 * unit, 5 * unit + 5)) else "" for unit in range(ITEMS // 5)}


def test_items_and_rows_are_counted_apart(runner: Runner) -> None:
    status, run = run_job(compose("job=toy_hands"), runner)
    assert status == DONE
    assert rows_of(run) == expected(10)
    figures = summary(run)
    assert (figures["items_count"], figures["rows_count"]) == (ITEMS, ROWS)
    assert sum(figures["outcomes"].values()) == ROWS
    assert records(run)["000001"]["figures"]["rows_count"] == sum(map(toy.hands_count, range(5, 10)))


def test_a_failed_unit_is_taken_again_alone(runner: Runner, faults: Faults) -> None:
    words = ["job=toy_hands", faults(raise_7=3)]
    status, run = run_job(compose(*words), runner)
    assert status == FAILED
    assert rows_of(run) == [row for row in expected(10) if not 5 <= row[0] < 10]
    assert summary(run)["items_count"] == ITEMS - 5
    assert run_job(compose(*words), runner) == (DONE, run)
    assert summary(run)["units_computed_count"] == 1
    assert rows_of(run) == expected(10)


def test_a_further_attempt_takes_all_rows_of_items_that_have_an_undecided_one(runner: Runner) -> None:
    _, run = run_job(compose("job=toy_hands", "job.limits.steps_count=6"), runner)
    first = read_rows(run)
    mixed = [
        index for index in range(ITEMS)
        if len(set(first.filter(pa.compute.equal(first["index"], index))["outcome"].to_pylist())) == 2
    ]  # fmt: skip
    assert mixed
    assert run_job(compose("job=toy_hands", "job.limits.steps_count=99"), runner) == (DONE, run)
    names = {path.name for path in (run / "data").iterdir()}
    assert names == {f"part-{unit:06d}{suffix}.parquet" for unit, suffix in suffixes(undecided(6)).items()}
    assert pq.ParquetDataset(run / "data").read().num_rows == ROWS
    assert rows_of(run) == expected(99, undecided(6))
    figures = summary(run)
    assert (figures["items_count"], figures["rows_count"], figures["outcomes"]) == (
        ITEMS,
        ROWS,
        {"won": ROWS},
    )


def test_an_item_without_a_row_fails_its_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy.ToyHands, "gap", 7)
    status, run = run_job(compose("job=toy_hands", "job.limits.retries_count=0"), SerialRunner())
    assert status == FAILED
    (failure,) = (run / "failed").iterdir()
    assert json.loads(failure.read_text())["reason"] == "ValueError: index: item 7 has no row"


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        (pa.array([0, 1, 2, 3, 5], pa.uint64()), "item 4 has no row"),
        (pa.array([0, 1, 2, 3, 4, 5], pa.uint64()), "item 5 was not asked for"),
        (pa.array([1, 0, 2, 3, 4], pa.uint64()), "must ascend"),
        (pa.array([0, 1, 2, 3, 4], pa.int64()), "must be uint64"),
        (pa.array([0, 1, 2, 3, 4, None], pa.uint64()), "without nulls"),
        (None, "6 rows for 5 items"),
    ],
)
def test_an_index_that_is_not_one(
    monkeypatch: pytest.MonkeyPatch, index: pa.Array | None, reason: str
) -> None:
    count = 6 if index is None else len(index)
    rows = {"outcome": pa.nulls(count, pa.string()), "elapsed_s": pa.nulls(count, pa.float64())}
    rows |= {"steps_count": pa.nulls(count, pa.int64())} | ({} if index is None else {"index": index})
    monkeypatch.setattr(toy.ToyHands, "run", lambda *_: pa.record_batch(rows))
    words = ["job=toy_hands", "job.items=5", "job.limits.retries_count=0"]
    status, run = run_job(compose(*words), SerialRunner())
    assert status == FAILED
    (failure,) = (run / "failed").iterdir()
    assert reason in json.loads(failure.read_text())["reason"]
