"""Records of units: what runs of earlier versions hold is read, and written the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.contract.job import ItemRange, ShardUnit, Unit, UnitContext
from pipeline.contracts.layers import layer_rows
from pipeline.records import make_record, read_record, write_record
from storage.layout import RunLayout


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
def test_keys_of_records_stay(tmp_path: Path, unit: Unit, values: dict[str, object]) -> None:
    """Files in runs that exist hold these."""
    layout = RunLayout(tmp_path)
    layout.units.mkdir()
    layout.summary.write_text("{}")
    ctx = UnitContext(layout, tmp_path, tmp_path, "x")
    write_record(make_record(unit, ctx, layout.summary, {"states_count": 7}), ctx)
    record = read_record(layout.unit_record(unit.name))
    assert record is not None
    assert record["unit"] == values
    assert (record["path"], record["size_bytes"], record["figures"]) == (
        "summary.json",
        2,
        {"states_count": 7},
    )


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
