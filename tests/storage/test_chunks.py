"""Rows are read some at a time as they are all at once, wherever parts and row groups begin."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from storage.chunks import ROW_GROUP_COUNT, chunks, iter_batches
from storage.dataset import Provenance, current_tables, open_dataset, read_rows
from storage.layout import RunLayout

PROVENANCE = Provenance("ab12", 1, {"name": "play"})


def write(run: Path, unit: int, attempt: int, index: list[int], group_count: int) -> None:
    rows = pa.table(
        {
            "run_id": ["ab12"] * len(index),
            "attempt": pa.array([attempt] * len(index), pa.int32()),
            "index": pa.array(index, pa.uint64()),
            "row": [f"{unit}-{attempt}-{place}" for place in range(len(index))],
        }
    ).replace_schema_metadata(PROVENANCE.metadata())
    path = RunLayout(run).part(f"{unit:06d}", attempt)
    assert isinstance(path, Path)
    path.parent.mkdir(exist_ok=True)
    pq.write_table(rows, path, row_group_size=group_count)


def make(run: Path, chance: Random, unit_items: int) -> list[str]:
    """Items of one to nine rows in small row groups, some of them again in a second or third attempt."""
    expected: dict[int, list[str]] = {}
    for unit in range(6):
        for attempt in range(1, chance.choice([1, 1, 2, 3]) + 1):
            items = range(unit * unit_items, (unit + 1) * unit_items)
            taken = items if attempt == 1 else sorted(chance.sample(items, unit_items // 3))
            index = [item for item in taken for _ in range(chance.randint(1, 9))]
            write(run, unit, attempt, index, chance.choice([5, 7, 40]))
            for item in taken:
                places = [place for place, each in enumerate(index) if each == item]
                expected[item] = [f"{unit}-{attempt}-{place}" for place in places]
    return [row for item in sorted(expected) for row in expected[item]]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("least_count", [1, 30, 10_000])
def test_chunks_have_the_rows_of_the_whole(tmp_path: Path, seed: int, least_count: int) -> None:
    expected = make(tmp_path, Random(seed), 12)
    dataset = open_dataset(tmp_path)
    tables = list(current_tables(dataset, ["row"], least_count))
    assert [row for table in tables for row in table["row"].to_pylist()] == expected
    assert read_rows(tmp_path, ["row"])["row"].to_pylist() == expected
    if least_count == 1:
        assert len(tables) > 6
        assert max(map(len, tables)) < len(expected) / 2


def test_an_item_that_fills_many_row_groups_is_read_some_at_a_time(tmp_path: Path) -> None:
    write(tmp_path, 0, 1, [0] * 100 + [1] * 3, 10)
    sizes = [len(chunk.to_table()) for chunk in chunks(open_dataset(tmp_path), 20)]
    assert max(sizes) <= 30
    # Not so where a later attempt has it, too: which of its rows count is known of all of them together.
    write(tmp_path, 1, 2, [0] * 4, 10)
    assert len(next(iter(chunks(open_dataset(tmp_path), 20))).to_table()) >= 104
    assert len(read_rows(tmp_path)) == 7


@pytest.mark.parametrize(
    "counts", [[], [0], [1], [ROW_GROUP_COUNT], [ROW_GROUP_COUNT + 1, 5], [7, ROW_GROUP_COUNT]]
)
def test_batches_are_full_but_for_the_last(counts: list[int]) -> None:
    tables = [pa.table({"a": range(count)}) for count in counts]
    batches = list(iter_batches(tables))
    assert [len(batch) for batch in batches[:-1]] == [ROW_GROUP_COUNT] * (len(batches) - 1)
    assert [each for batch in batches for each in batch["a"].to_pylist()] == [
        each for table in tables for each in table["a"].to_pylist()
    ]
