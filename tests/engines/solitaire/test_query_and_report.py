"""``query`` counts what ``report`` counts: overlapping runs, attempts, open deals, runs that are not finished."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_helpers import run_of

from engines.solitaire.pools import pools
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.sweep import SuperpuzzSweep
from pipeline.query.answer import answer
from pipeline.query.fence import statements

pytestmark = pytest.mark.usefixtures("workspace")


def reported() -> list[tuple[int, int, int, str]]:
    """Every deal that reports count: columns, seed, index, outcome."""
    return sorted(
        (pool.sizes["columns"], row["seed"], row["deal_index"], row["outcome"])
        for pool in pools(Superpuzz(), Path("results"))
        for row in pool.rows.to_pylist()
    )


def queried(with_unfinished: bool = False) -> list[tuple[int, int, int, str]]:
    """The same from the view."""
    (statement,) = statements(
        "SELECT columns, seed, deal_index, outcome FROM superpuzz_sweep "
        "WHERE mode = 'decide' AND seed IS NOT NULL ORDER BY ALL"
    )
    return list(answer(statement, with_unfinished).rows)


def test_query_and_report_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    run_of("superpuzz_sweep", "columns=5", "deals=40", "limits.states=200")
    run_of("superpuzz_sweep", "columns=5", "deals=40", "limits.states=300")  # its second attempt
    assert len({outcome for *_, outcome in queried()}) > 1
    assert queried() == reported()
    run_of("superpuzz_sweep", "columns=5", "deals=20", "first=30", "solution_texts=true")
    run_of("superpuzz_sweep", "columns=5", "deals=10", "seed=3")
    run_of("superpuzz_sweep", "columns=4", "deals=10")
    run_of("superpuzz_sweep", "columns=4", "deals=5", "mode=census")
    found = queried()
    assert found == reported()
    assert len(found) == len(set(found)) == 70
    assert any(outcome == "undecided" for *_, outcome in found)
    monkeypatch.setattr(SuperpuzzSweep, "unit_items_count", lambda sweep: 5)
    unfinished = run_of("superpuzz_sweep", "columns=3", "deals=20")
    (unfinished / "data" / "part-000002.parquet").unlink()
    (unfinished / "manifest.json").unlink()
    assert queried() == found
    with_first = queried(with_unfinished=True)
    assert with_first == reported()
    assert len(with_first) == 80
