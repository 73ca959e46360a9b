"""Parquet parts: first writer wins, the highest attempt counts, every reader agrees, one digest for one
content.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage import publish
from storage.columns import common_columns
from storage.dataset import (
    Provenance,
    current_rows_sql,
    dataset_provenance,
    open_dataset,
    part_paths,
    read_rows,
    write_part,
)
from storage.errors import DamagedFileError, DiskFullError, UserError
from storage.layout import RunLayout
from storage.rowdigest import content_digest, rows_digest

PROVENANCE = Provenance("ab12", 3, {"name": "play", "stacks": 3})
SCHEMA = pa.schema(
    [*common_columns(), pa.field("moves_count", pa.int16()), pa.field("hands", pa.list_(pa.uint8()))]
)


def make_rows(indices: Sequence[int], attempt: int = 1, outcome: str = "won", **over: Any) -> pa.Table:
    rows = [
        {
            "run_id": "ab12",
            "attempt": attempt,
            "seed": 2**64 - 1,
            "index": index,
            "outcome": outcome if index % 3 else "lost",
            "elapsed_s": index / 7,
            "host": "a",
            "moves_count": index % 100 if index % 5 else None,
            "hands": [index % 256] * (index % 4) if index % 7 else None,
            **over,
        }
        for index in indices
    ]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def write(
    run: Path, unit: str, rows: pa.Table, attempt: int = 1, provenance: Provenance = PROVENANCE
) -> bool:
    layout = RunLayout(run)
    return write_part(layout.part(unit, attempt), layout.staging, rows, provenance) is not None


def test_parts_come_back_with_their_provenance(tmp_path: Path) -> None:
    assert write(tmp_path, "u1", make_rows(range(10, 20)))
    assert write(tmp_path, "u0", make_rows(range(10)))
    assert not write(tmp_path, "u0", make_rows(range(10), outcome="late"))
    assert [Path(path).name for path in part_paths(tmp_path)] == ["part-u0.parquet", "part-u1.parquet"]
    rows = read_rows(tmp_path)
    assert rows.select(SCHEMA.names).to_pylist() == make_rows(range(20)).to_pylist()
    assert read_rows(tmp_path, ["outcome"]).column_names == ["outcome"]
    assert dataset_provenance(tmp_path) == PROVENANCE
    assert list((tmp_path / "staging").iterdir()) == []
    assert read_rows(tmp_path.as_uri()).equals(rows)


def test_the_file_is_laid_out_for_point_queries(tmp_path: Path) -> None:
    write(tmp_path, "u0", pa.concat_tables([make_rows([0]), make_rows(range(1, 130_000))]))
    stored = pq.ParquetFile(RunLayout(tmp_path).part("u0", 1))
    assert [stored.metadata.row_group(i).num_rows for i in range(stored.num_row_groups)] == [122_880, 7_120]
    columns = {
        stored.metadata.row_group(0).column(i).path_in_schema: i for i in range(stored.metadata.num_columns)
    }
    for name in ("seed", "index", "moves_count"):
        column = stored.metadata.row_group(0).column(columns[name])
        assert column.encodings[0] == "DELTA_BINARY_PACKED" or "DELTA_BINARY_PACKED" in column.encodings
        assert column.compression == "ZSTD"
    metadata = stored.schema_arrow.metadata
    assert json.loads(metadata[b"yamafuda.job"]) == {"name": "play", "stacks": 3}
    assert json.loads(metadata[b"yamafuda.volatile"]) == ["elapsed_s", "peak_bytes", "attempt", "host"]


def test_the_highest_attempt_counts_for_every_reader(tmp_path: Path) -> None:
    write(tmp_path, "u0", make_rows(range(10), outcome="undecided"))
    write(tmp_path, "u1", make_rows(range(10, 20)))
    write(tmp_path, "u0", make_rows([2, 4], attempt=2, outcome="undecided"), 2)
    write(tmp_path, "u0", make_rows([4], attempt=3), 3)
    rows = read_rows(tmp_path)
    assert rows["index"].to_pylist() == list(range(20))
    assert [rows["attempt"][i].as_py() for i in (1, 2, 4, 12)] == [1, 2, 3, 1]
    assert [rows["outcome"][i].as_py() for i in (2, 4)] == ["undecided", "won"]
    assert open_dataset(tmp_path).count_rows() == 23
    query = current_rows_sql(f"{tmp_path}/data/*.parquet")
    found = duckdb.sql(f'SELECT "index", attempt, seed FROM ({query}) ORDER BY "index"').fetchall()
    expected = zip(
        rows["index"].to_pylist(), rows["attempt"].to_pylist(), rows["seed"].to_pylist(), strict=True
    )
    assert found == list(expected)
    assert pl.scan_parquet(tmp_path / "data").collect().height == 23


def test_items_of_several_rows_have_all_rows_of_their_highest_attempt(tmp_path: Path) -> None:
    """And these in the order in which they were written, whatever else they could be sorted by."""
    write(tmp_path, "u0", make_rows([1, 1, 1, 2, 2]))
    write(tmp_path, "u1", make_rows([0, 0]))
    again = make_rows([1, 1], attempt=2).to_pylist()
    again[0]["moves_count"], again[1]["moves_count"] = 9, 4
    write(tmp_path, "u0", pa.Table.from_pylist(again, schema=SCHEMA), 2)
    rows = read_rows(tmp_path, ["index", "attempt", "moves_count"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        (0, 1, None), (0, 1, None), (1, 2, 9), (1, 2, 4), (2, 1, 2), (2, 1, 2),
    ]  # fmt: skip
    query = current_rows_sql(f"{tmp_path}/data/*.parquet")
    counted = duckdb.sql(
        f'SELECT "index", attempt, count(*) FROM ({query}) GROUP BY ALL ORDER BY 1'
    ).fetchall()
    assert counted == [(0, 1, 2), (1, 2, 2), (2, 1, 2)]
    assert content_digest(tmp_path) == slow_digest(read_rows(tmp_path).to_pylist())


def test_a_glob_with_a_quote_is_quoted(tmp_path: Path) -> None:
    run = tmp_path / "it's"
    write(run, "u0", make_rows(range(3)))
    assert len(duckdb.sql(current_rows_sql(f"{run}/data/*.parquet")).fetchall()) == 3


def test_schemas_only_grow(tmp_path: Path) -> None:
    write(tmp_path, "u0", make_rows(range(3)).drop(["hands"]))
    write(tmp_path, "u1", make_rows(range(3, 6)))
    rows = read_rows(tmp_path)
    assert rows["hands"].to_pylist() == [None, None, None, [3, 3, 3], [], [5]]
    assert len(duckdb.sql(current_rows_sql(f"{tmp_path}/data/*.parquet")).fetchall()) == 6


def slow_digest(rows: list[dict[str, Any]]) -> str:
    """The definition in storage/FORMAT.md for the columns of SCHEMA, value by value; at most one chunk."""
    kinds = {"attempt": "int32", "seed": "uint64", "index": "uint64", "elapsed_s": "double"}
    kinds |= {"run_id": "string", "outcome": "string", "host": "string"}
    kinds |= {"moves_count": "int16", "hands": "list<uint8>"}
    codes = {"int32": "<i", "uint64": "<Q", "int16": "<h"}
    names = sorted(set(kinds) - {"elapsed_s", "attempt", "host"})
    header = json.dumps([[name, kinds[name]] for name in names], separators=(",", ":"))
    data = b"yamafuda rows 1\n" + header.encode() + b"\n"
    for name in names:
        values = [row[name] for row in rows]
        data += bytes(value is not None for value in values)
        if kinds[name] == "string":
            texts = [value.encode() for value in values]
            data += b"".join(struct.pack("<q", len(text)) for text in texts) + b"".join(texts)
        elif name == "hands":
            hands = [value or [] for value in values]
            data += b"".join(struct.pack("<q", len(hand)) for hand in hands)
            cards = [card for hand in hands for card in hand]
            data += bytes([1] * len(cards)) + bytes(cards)
        else:
            data += b"".join(struct.pack(codes[kinds[name]], value or 0) for value in values)
    return hashlib.sha256(data + struct.pack("<Q", len(rows))).hexdigest()


@settings(max_examples=15, deadline=None)
@given(
    cuts=st.sets(st.integers(1, 39), max_size=5),
    retried=st.sets(st.integers(0, 39)),
    order=st.randoms(use_true_random=False),
)
def test_content_digest_depends_on_the_content_alone(
    cuts: set[int], retried: set[int], order: Random
) -> None:
    """However rows are cut into units and whichever items took a second attempt."""
    edges = [0, *sorted(cuts), 40]
    with TemporaryDirectory() as name:
        run = Path(name)
        for unit, (begin, end) in enumerate(pairwise(edges)):
            rows = make_rows(range(begin, end)).to_pylist()
            order.shuffle(rows)
            for row in rows:
                row["outcome"] = "undecided" if row["index"] in retried else row["outcome"]
                row["host"] = "b"
            write(run, f"u{unit}", pa.Table.from_pylist(rows, schema=SCHEMA))
        if retried:
            write(run, "again", make_rows(sorted(retried), attempt=2, elapsed_s=9.0), 2)
        assert content_digest(run) == slow_digest(make_rows(range(40)).to_pylist())


def test_content_digest_is_pinned(tmp_path: Path) -> None:
    write(tmp_path, "u0", make_rows(range(40)))
    assert content_digest(tmp_path) == "677d07d409ae333ac8f4b8a454bbcd72b4615a235377ef198a10b731e2d95df9"


def test_content_digest_sees_every_change() -> None:
    table = make_rows(range(40)).drop(["elapsed_s"])
    digests = {rows_digest(table)}
    for name, value in (
        ("outcome", "Won"),
        ("moves_count", 99),
        ("moves_count", None),
        ("hands", [1, 2]),
        ("hands", None),
        ("hands", []),
        ("seed", 0),
    ):
        rows = table.to_pylist()
        rows[11][name] = value
        digests.add(rows_digest(pa.Table.from_pylist(rows, schema=table.schema)))
    digests.add(
        rows_digest(table.rename_columns([name.replace("seed", "deal") for name in table.column_names]))
    )
    digests.add(rows_digest(table[:39]))
    digests.add(rows_digest(table[:0]))
    moved = pa.table({"a": ["xy", "z"]}), pa.table({"a": ["x", "yz"]}), pa.table({"a": ["", "xyz"]})
    digests |= {rows_digest(other) for other in moved}
    assert len(digests) == 14


def test_content_digest_does_not_see_encodings_and_chunks() -> None:
    table = make_rows(range(40))
    coded = table.set_column(4, "outcome", table["outcome"].dictionary_encode())
    large = table.cast(
        pa.schema(
            [
                pa.field(field.name, {"hands": pa.large_list(pa.uint8())}.get(field.name, field.type))
                for field in table.schema
            ]
        )
    )
    chunked = pa.concat_tables([table[:7], table[7:8], table[8:]])
    turned = table.select(table.column_names[::-1])
    assert {rows_digest(other) for other in (table, coded, large, chunked, turned)} == {rows_digest(table)}
    with pytest.raises(ValueError, match="no place in a content digest"):
        rows_digest(pa.table({"a": pa.array([None], pa.null())}))


def test_rows_that_readers_could_not_tell_apart_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="attempt is missing"):
        write(tmp_path, "u0", make_rows([1]).drop(["attempt"]))
    for name in ("run_id", "attempt", "index", "hands"):
        place = SCHEMA.get_field_index(name)
        column = pa.nulls(3, SCHEMA.field(name).type)
        rows = make_rows(range(3)).set_column(
            place, SCHEMA.field(name).with_nullable(name != "hands"), column
        )
        with pytest.raises(ValueError, match=f"{name} has nulls"):
            write(tmp_path, "u0", rows)
    assert not (tmp_path / "data").exists()


def test_unusable_datasets_are_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no Parquet files"):
        read_rows(tmp_path)
    write(tmp_path, "u0", make_rows([1]))
    part = RunLayout(tmp_path).part("x", 1)
    part.write_bytes(b"PAR1")
    with pytest.raises(DamagedFileError, match="no readable Parquet"):
        read_rows(tmp_path)
    pq.write_table(make_rows([2]), part)
    with pytest.raises(DamagedFileError, match="no yamafuda metadata"):
        read_rows(tmp_path)
    newer = {**PROVENANCE.metadata(), b"yamafuda.schema_version": b"2"}
    pq.write_table(make_rows([2]).replace_schema_metadata(newer), part)
    with pytest.raises(DamagedFileError, match="schema version 2 is newer"):
        read_rows(tmp_path)
    part.unlink()
    write(tmp_path, "x", make_rows([2]), provenance=Provenance("cd34", 3, {}))
    with pytest.raises(DamagedFileError, match="more than one run"):
        read_rows(tmp_path)


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """/dev/full answers every write as a full disk does."""
    (tmp_path / "staging").mkdir()
    monkeypatch.setattr(publish, "temporary_name", lambda name: "full")
    (tmp_path / "staging" / "full").symlink_to("/dev/full")
    noise = np.random.default_rng(1).integers(0, 2**62, 20_000)
    rows = make_rows(range(20_000)).append_column("noise", pa.array(noise))
    with pytest.raises(DiskFullError, match=r"part-u0\.parquet: no room left"):
        write(tmp_path, "u0", rows)
    assert list((tmp_path / "staging").iterdir()) == []
    assert not (tmp_path / "data").exists()
