"""Records of units: what runs of earlier versions hold is read, and written the same way."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from engines.contract.job import ItemRange, ShardUnit, Unit, UnitContext
from pipeline import records as records_module
from pipeline.contracts.layers import layer_rows
from pipeline.records import Records, make_record, read_records
from storage.layout import RunLayout


@pytest.fixture
def ctx(tmp_path: Path) -> UnitContext:
    layout = RunLayout(tmp_path)
    layout.units.mkdir()
    layout.summary.write_text("{}")
    return UnitContext(layout, tmp_path, tmp_path, "x")


def record_of(number: int, ctx: UnitContext, states_count: int = 7) -> dict[str, object]:
    unit = ItemRange(f"{number:06d}", number, number + 1)
    return make_record(unit, ctx, ctx.layout.summary, {"states_count": states_count})


def files(ctx: UnitContext) -> list[str]:
    return sorted(path.name for path in ctx.layout.units.iterdir())


@pytest.mark.parametrize(
    ("unit", "values"),
    [
        (ItemRange("000001", 5, 10), {"name": "000001", "kind": "sweep", "first": 5, "last": 10}),
        (
            ShardUnit("expand-L03-S001", "expand", 3, 1),
            {"name": "expand-L03-S001", "kind": "expand", "first": 3, "last": 1},
        ),
    ],
)
def test_keys_of_records_stay(ctx: UnitContext, unit: Unit, values: dict[str, object]) -> None:
    """Files in runs that exist hold these."""
    Records(ctx.layout).add(make_record(unit, ctx, ctx.layout.summary, {"states_count": 7}))
    (record,) = read_records(ctx.layout)
    assert record["unit"] == values
    assert (record["path"], record["size_bytes"], record["figures"]) == (
        "summary.json",
        2,
        {"states_count": 7},
    )


def test_records_of_earlier_versions_are_read_and_those_of_now_come_before_them(ctx: UnitContext) -> None:
    """They had a file for each unit."""
    for number in range(3):
        (ctx.layout.units / f"{number:06d}.json").write_text(json.dumps(record_of(number, ctx)))
    records = Records(ctx.layout)
    assert len(records) == 3
    records.add(record_of(1, ctx, states_count=8))
    found = [record["figures"]["states_count"] for record in read_records(ctx.layout)]
    assert found == [record["figures"]["states_count"] for record in Records(ctx.layout)] == [7, 8, 7]


def test_a_file_that_is_full_is_followed_by_another_and_goes_when_nothing_in_it_counts(
    ctx: UnitContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    line_bytes = len(json.dumps(record_of(0, ctx)))
    monkeypatch.setattr(records_module, "FULL_BYTES", 3 * line_bytes)
    records = Records(ctx.layout)
    for number in range(8):
        records.add(record_of(number, ctx))
    assert files(ctx) == [f"records-00000{number}.jsonl" for number in (1, 2, 3)]
    records.drop(f"{number:06d}" for number in range(3))
    assert files(ctx) == [f"records-00000{number}.jsonl" for number in (2, 3)]
    for number in (3, 4, 5):
        records.add(record_of(number, ctx))
    names = [f"{number:06d}" for number in range(3, 8)]
    assert [record["unit"]["name"] for record in read_records(ctx.layout)] == names
    assert "records-000002.jsonl" not in files(ctx)


def test_what_counts_no_longer_does_not_pile_up(ctx: UnitContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of units that become blocks, of which each file has a record."""
    monkeypatch.setattr(records_module, "FULL_BYTES", 3 * len(json.dumps(record_of(0, ctx))))
    records = Records(ctx.layout)
    for number in range(600):
        records.add(record_of(number, ctx))
        if number % 3:
            records.drop([f"{number - 1:06d}"])
        assert len(files(ctx)) <= 2 * (len(records) // 3 + 2) + records_module.FEW_COUNT
    found = {record["unit"]["name"]: record for record in read_records(ctx.layout)}
    assert {name: found[name] for name in records.names()} == {
        record["unit"]["name"]: record for record in records
    }
    assert len(found) < 3 * len(records)


def test_drivers_that_are_killed_often_leave_few_files(ctx: UnitContext) -> None:
    for number in range(40):
        Records(ctx.layout).add(record_of(number, ctx))
    assert len(files(ctx)) <= records_module.FEW_COUNT + 2
    assert len(read_records(ctx.layout)) == 40


@pytest.mark.parametrize("left_bytes", [0, 1, 100, -1, -2])
def test_a_file_cut_short_loses_no_other_record(ctx: UnitContext, left_bytes: int) -> None:
    with closing(Records(ctx.layout)) as records:
        for number in range(5):
            records.add(record_of(number, ctx))
    (path,) = ctx.layout.units.iterdir()
    path.write_bytes(path.read_bytes()[:left_bytes])
    whole = path.read_text().count("\n")
    assert len(read_records(ctx.layout)) in (whole, whole + 1)
    again = Records(ctx.layout)
    again.add(record_of(9, ctx))
    assert len(read_records(ctx.layout)) == len(again)


def test_rows_of_layers_come_from_records_as_first_written() -> None:
    plan = {
        "run_id": "x", "job": {"name": "t", "color": "red"}, "layers": [{"layer": 3}], "phases": [["evaluate", 3, 1]],
    }  # fmt: skip
    text = (
        '{"unit": {"name": "evaluate-L03-S001", "kind": "evaluate", "first": 3, "last": 1}, "attempt": 1,'
        ' "path": "shards/L03-S001.lmdb", "size_bytes": 9, "sha256": "", "figures": {"states_count": 5}}'
    )
    (row,) = layer_rows(plan, [json.loads(text)], {"color": "colour"})
    assert (row["layer"], row["shard"], row["size_bytes"], row["states_count"]) == (3, 1, 9, 5)
    assert row["colour"] == "red"
