"""What all runs of a solitaire have found together: each deal once, from the sweeps that decide deals of a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from run_helpers import rows_of, run_of

from engines.solitaire.figures import figures
from engines.solitaire.pools import Pool, each_once, pools
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.sweep import SuperpuzzSweep

pytestmark = pytest.mark.usefixtures("workspace")


def swept(*words: str) -> list[dict[str, Any]]:
    """The rows of a sweep."""
    return rows_of(run_of("superpuzz_sweep", *words))


def found() -> list[Pool]:
    return pools(Superpuzz(), Path("results"))


def told(rows: list[dict[str, Any]]) -> list[tuple[int, int, str, int]]:
    """Of each deal what pools must have of it."""
    return [(row["seed"], row["deal_index"], row["outcome"], row["states_count"]) for row in rows]


def test_without_runs_there_are_none() -> None:
    assert found() == []


def test_a_deal_of_several_runs_counts_once_as_decided_if_one_decides_it() -> None:
    weak = swept("columns=5", "deals=30", "limits.states=200")
    strong = swept("columns=5", "deals=20", "first=20")
    other = swept("columns=5", "deals=3", "seed=0")
    (pool,) = found()
    assert {row["outcome"] for row in weak[:20]} > {"undecided"}
    assert any(row["outcome"] == "undecided" for row in weak[20:])
    assert all(row["outcome"] != "undecided" for row in strong)
    # By seed and index, whichever run was first.
    assert told(pool.rows.to_pylist()) == told(other) + told(weak[:20]) + told(strong)
    assert (pool.sizes, pool.told, pool.unfinished) == ({"columns": 5}, {"columns": 5}, [])


def test_moves_that_an_earlier_version_counted_otherwise_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = swept("columns=4", "deals=20")
    (before,) = found()
    monkeypatch.setattr(SuperpuzzSweep, "counted_since", SuperpuzzSweep.version + 1)
    (after,) = found()
    won_count = sum(row["outcome"] == "won" for row in rows)
    assert before.rows["moves_count"].null_count == 20 - won_count < 20
    assert after.rows["moves_count"].null_count == 20
    known, left = (figures(Superpuzz(), pool.rows, None) for pool in (before, after))
    assert left["won_count"] == known["won_count"] == won_count
    gone = {name for name, value in known.items() if value is not None and left[name] is None}
    assert gone == {name for name in known if name.startswith("moves_")}


def test_of_a_deal_that_is_there_twice_the_decided_row_stays_wherever_it_stands() -> None:
    rows = [
        (seed, index, outcome) for seed in (1, 2) for index in range(3) for outcome in ("undecided", "won")
    ]
    for order in (rows, rows[::-1]):
        seeds, indices, outcomes = zip(*order, strict=True)
        table = pa.table({"seed": seeds, "deal_index": indices, "outcome": outcomes})
        found = each_once(table).select(["seed", "deal_index", "outcome"]).to_pylist()
        assert [tuple(row.values()) for row in found] == rows[1::2]


def test_sizes_are_pools_of_their_own_in_their_order() -> None:
    rows = {columns: swept(f"columns={columns}", "deals=4") for columns in (10, 2, 4)}
    assert [pool.sizes["columns"] for pool in found()] == [2, 4, 10]
    assert [told(pool.rows.to_pylist()) for pool in found()] == [told(rows[n]) for n in (2, 4, 10)]


def test_other_modes_and_files_stay_out() -> None:
    deals = [row["deal"] for row in swept("columns=3", "deals=5", "mode=census")]
    swept("columns=3", "deals=5", "mode=shortest")
    Path("deals").write_text("\n".join(deals))
    swept("columns=3", "deals=null", "file=deals")
    assert found() == []


def test_of_a_run_that_is_not_done_what_is_before_the_gap_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SuperpuzzSweep, "unit_items_count", lambda sweep: 5)
    run = run_of("superpuzz_sweep", "columns=3", "deals=20")
    rows = rows_of(run)
    (run / "data" / "part-000002.parquet").unlink()
    (pool,) = found()
    assert told(pool.rows.to_pylist()) == told(rows[:10])
    assert pool.unfinished == [f"{run.name}: not done, 10 of 20 deals count"]
    (run / "data" / "part-000000.parquet").unlink()
    assert found() == []


def test_a_run_without_its_last_deal_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SuperpuzzSweep, "unit_items_count", lambda sweep: 5)
    run = run_of("superpuzz_sweep", "columns=3", "deals=11")
    (run / "data" / "part-000002.parquet").unlink()
    (pool,) = found()
    assert pool.unfinished == [f"{run.name}: not done, 10 of 11 deals count"]


def test_old_runs_have_columns_by_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of("superpuzz_sweep", "columns=3", "deals=9")
    rows = rows_of(run)
    run_of("superpuzz_sweep", "columns=3", "deals=4", "first=7")
    (pool,) = found()
    (part,) = (run / "data").iterdir()
    table = pq.read_table(part)
    names = ["nodes_count" if name == "states_count" else name for name in table.column_names]
    old = table.rename_columns(names).replace_schema_metadata(pq.read_schema(part).metadata)
    pq.write_table(old, part)
    monkeypatch.setattr(SuperpuzzSweep, "renamed", {"states_count": "nodes_count"})
    (same,) = found()
    assert same.rows.equals(pool.rows)
    assert told(same.rows.to_pylist())[:9] == told(rows)
