"""HE's tables: the file column by column, sums, and files that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_helpers import Run
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.daifugo import core, he_table
from engines.daifugo.he_table import COUNT_COLUMNS, HeTable, Source
from storage.errors import DamagedFileError, UserError

pytestmark = pytest.mark.usefixtures("workspace")


def random_table(seed: int, largest: int = 1000) -> HeTable:
    """Any counts that may be; some classes were not seen."""
    chance = np.random.default_rng(seed)
    seen = chance.integers(0, largest, 256, np.uint64, endpoint=True) * chance.integers(0, 2, 256, np.uint64)
    seen[chance.integers(256)] = 7
    held = chance.integers(0, seen[:, None], (256, 15), np.uint64, endpoint=True)
    return HeTable(seen, held, (Source("rule", ("rule",) * 5, 10, seed, 1),))


def same(a: HeTable, b: HeTable) -> bool:
    return np.array_equal(a.seen, b.seen) and np.array_equal(a.held, b.held) and a.sources == b.sources


@given(st.integers(0, 2**32), st.sampled_from([1, 1000, 1 << 40]))
@settings(max_examples=15, deadline=None)
def test_a_file_gives_the_table_back(seed: int, largest: int) -> None:
    table = random_table(seed, largest)
    he_table.save(Path("t.parquet"), table)
    assert same(he_table.load("t.parquet"), table)
    content = Path("t.parquet").read_bytes()
    he_table.save(Path("t.parquet"), he_table.load(Path("t.parquet")))
    assert Path("t.parquet").read_bytes() == content
    assert [path.name for path in Path().iterdir()] == ["t.parquet"]


def test_columns_are_those_that_are_told() -> None:
    table = random_table(1)
    he_table.save(Path("t.parquet"), table)
    rows = pq.read_table("t.parquet")
    ranks = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
    items = [*(f"rank_{rank}" for rank in ranks), "group", "sequence"]
    assert rows.column_names == [
        "class",
        "seen_count",
        *(f"{item}_count" for item in items),
        *(f"{item}_share" for item in items),
    ]
    assert rows.schema.field("class").type == pa.uint16()
    assert {rows.schema.field(name).type for name in COUNT_COLUMNS} == {pa.uint64()}
    assert {rows.schema.field(f"{item}_share").type for item in items} == {pa.float64()}
    assert rows["class"].to_pylist() == list(range(256))
    for row in rows.to_pylist():
        for item in items:
            if row["seen_count"]:
                assert row[f"{item}_share"] == row[f"{item}_count"] / row["seen_count"]
            else:
                assert row[f"{item}_share"] is None
    assert rows["rank_J_count"].to_pylist() == table.held[:, 8].tolist()
    about = json.loads(pq.read_schema("t.parquet").metadata[b"yamafuda.daifugo_he"])
    assert about == {
        "version": 1,
        "sources": [
            {"player": "rule", "players": ["rule"] * 5, "games_count": 10, "seed": 1, "engine_version": 1}
        ],
    }


@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=4, unique=True))
@settings(max_examples=15, deadline=None)
def test_a_merged_table_is_the_sum(seeds: list[int]) -> None:
    tables = [random_table(seed) for seed in seeds]
    merged = he_table.merge(tables)
    for number in range(256):
        assert merged.seen[number] == sum(int(table.seen[number]) for table in tables)
        assert merged.held[number].tolist() == [
            sum(int(table.held[number, item]) for table in tables) for item in range(15)
        ]
    assert [source.seed for source in merged.sources] == seeds
    # Also if another version counted them.
    later = replace(tables[0], sources=(replace(tables[0].sources[0], engine_version=99),))
    for twice in (tables[0], later):
        with pytest.raises(
            UserError, match=f"--merged: 10 games of rule .seed {seeds[0]}. are in two of the tables"
        ):
            he_table.merge([merged, twice])


def test_rows_of_several_blocks_are_summed() -> None:
    tables = [random_table(seed) for seed in range(3)]
    rows = pa.concat_tables([he_table.to_rows(table).replace_schema_metadata(None) for table in tables])
    pq.write_table(rows.select(["sequence_count", "class", *COUNT_COLUMNS[:-1]]), "blocks.parquet")
    found = he_table.load("blocks.parquet")
    assert np.array_equal(found.held, he_table.merge(tables).held)
    assert found.sources == ()


def test_the_core_takes_a_table_and_its_classes_that_were_not_seen() -> None:
    table = random_table(3)
    assert (table.seen == 0).any()
    assert np.isnan(table.shares()[table.seen == 0]).all()
    core.he_generator(table.seen, table.held)


def replaced(name: str, make: Callable[[pa.Table], pa.Array]) -> Callable[[pa.Table], pa.Table]:
    return lambda rows: rows.set_column(rows.column_names.index(name), name, make(rows))


def first_is(value: Any, kind: pa.DataType) -> Callable[[pa.Table], pa.Array]:
    return lambda rows: pa.array([value] + [0] * (len(rows) - 1), kind)


def without_hands(rows: pa.Table) -> pa.Table:
    return pa.table({name: rows["class"] if name == "class" else [0] * 256 for name in rows.column_names})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows.slice(1), "t.parquet: has 255 rows, 0 to 1 of a class; a table has all 256"),
        (lambda rows: rows.slice(0, 0), "t.parquet: has 0 rows"),
        (lambda rows: pa.concat_tables([rows, rows.slice(0, 1)]), "has 257 rows, 1 to 2 of a class"),
        (lambda rows: rows.drop_columns(["rank_A_count"]), "column rank_A_count is missing"),
        (lambda rows: rows.drop_columns(["class"]), "column class is missing"),
        (lambda rows: rows.append_column("class", rows["class"]), "column class is there twice"),
        (replaced("rank_3_count", first_is(-1, pa.int64())), "column rank_3_count: -1 is not in 0..2"),
        (replaced("seen_count", first_is(1 << 60, pa.uint64())), "seen_count: 1152921504606846976 is not in"),
        (replaced("seen_count", first_is(None, pa.int64())), "seen_count: must be whole numbers; it is int64 with 1"),
        (replaced("group_count", first_is(0.5, pa.float64())), "group_count: must be whole numbers; it is double"),
        (replaced("class", first_is(256, pa.int64())), "column class: 256 is not in 0..255"),
        (replaced("seen_count", first_is(0, pa.int64())), "is more than seen_count"),
        (without_hands, "no hand was ever seen"),
        (
            lambda rows: rows.replace_schema_metadata({"yamafuda.daifugo_he": '{"version": 2, "sources": []}'}),
            "version 2 is newer than this yamafuda's 1",
        ),
        (lambda rows: rows.replace_schema_metadata({"yamafuda.daifugo_he": "[]"}), "its metadata cannot be read"),
        (
            lambda rows: rows.replace_schema_metadata({"yamafuda.daifugo_he": '{"version": true, "sources": []}'}),
            "its metadata cannot be read: version true",
        ),
    ],
)  # fmt: skip
def test_what_is_no_table_is_one_clear_line(
    change: Callable[[pa.Table], pa.Table], message: str, yamafuda: Run
) -> None:
    pq.write_table(change(he_table.to_rows(random_table(2))), "t.parquet")
    status, out, err = yamafuda("daifugo-tables", "t.parquet", "--merged", "all.parquet")
    assert (status, out) == (2, "")
    assert err.startswith("yamafuda: t.parquet: ")
    assert message in err
    assert err.count("\n") == 1
    assert not Path("all.parquet").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"player": 3},
        {"seed": "1"},
        {"players": [1, 2]},
        {"players": "rule"},
        {"games_count": 1.5},
        {"engine_version": True},
    ],
)
def test_sources_of_other_types(change: dict[str, Any]) -> None:
    rows = he_table.to_rows(random_table(1))
    about = json.loads(rows.schema.metadata[b"yamafuda.daifugo_he"])
    about["sources"][0] |= change
    pq.write_table(rows.replace_schema_metadata({"yamafuda.daifugo_he": json.dumps(about)}), "t.parquet")
    with pytest.raises(DamagedFileError, match="its metadata cannot be read: not a source"):
        he_table.load("t.parquet")


def test_damaged_and_missing_files() -> None:
    he_table.save(Path("t.parquet"), random_table(1))
    content = Path("t.parquet").read_bytes()
    for place, part in {
        "short.parquet": content[:-50],
        "middle.parquet": content[:400] + bytes(3000) + content[3400:],
        "text.parquet": b"no table",
        "empty.parquet": b"",
    }.items():
        Path(place).write_bytes(part)
        with pytest.raises(DamagedFileError, match=f"{place}: is no readable Parquet file"):
            he_table.load(place)
    Path("folder").mkdir()
    for place, message in {
        "none.parquet": "there is no such table",
        "folder": "is neither a table nor",
    }.items():
        with pytest.raises(UserError, match=message):
            he_table.load(place)
    with pytest.raises(UserError, match="only a run has players"):
        he_table.load("t.parquet", "rule")
    with pytest.raises(UserError, match="its folder is not there"):
        he_table.save(Path("nowhere/t.parquet"), random_table(1))
