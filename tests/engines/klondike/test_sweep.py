"""``job=klondike_sweep`` and ``job=klondike_deals`` through the serial runner: rows, files, attempts, refusals."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from klondike_helpers import position_of, told
from run_helpers import rows_of, run_of, summary

from engines.contract.registry import job_from_mapping
from engines.klondike import core, deals
from engines.klondike.core import Mode
from engines.klondike.deals import KlondikeDealsJob
from engines.klondike.paper import published
from engines.klondike.rules import REPORT, Move, Position, RedealRule, Rules
from engines.klondike.solution import read_solutions, replay
from engines.klondike.sweep import KlondikeSweep, KlondikeSweepJob
from engines.klondike.text import format_deal
from engines.solitaire.found import Found
from engines.solitaire.job import DEALS_OF_SEED
from engines.solitaire.limits import Bounds
from pipeline.config import composing
from pipeline.dry_run import dry_run
from pipeline.upkeep import export_run, verify_run
from storage.errors import UserError

pytestmark = pytest.mark.usefixtures("workspace")

USUAL = ["redeal_rule=standard", "foundation_back=true", "limits.states=20000"]

LOST = "stock: C2 C5 / 0: | C3 / 1: CA | C4"
WON = "stock: C2 D3 DA / 0: | C3 / 1: CA | D2"
ONE_REDEAL = "waste: C2 C5 / 0: | C3 / 1: C4 | CA"
"""Won with one card dealt at a time and one redeal."""


def test_one_row_a_deal() -> None:
    run = run_of(
        "klondike_sweep", "deals=12", "seed=7", "first=3", "deal_texts=true", "solution_texts=true", *USUAL
    )
    rows = rows_of(run)
    assert [(row["index"], row["deal_index"], row["seed"]) for row in rows] == [
        (i, i + 3, 7) for i in range(12)
    ]
    outcomes = set()
    for row in rows:
        deal = position_of(row["deal"])
        assert deal == core.random_deal(7, row["deal_index"])
        assert [row[name] for name in ("draw", "redeals", "redeal_rule", "deal_last", "foundation_back", "mode")] == [
            3, None, "standard", True, True, "decide"
        ]  # fmt: skip
        assert row["states_count"] > 0
        assert row["peak_bytes"] > 0
        outcomes.add(row["outcome"])
        assert (row["limit"] is None) == (row["outcome"] != "undecided")
        if row["outcome"] == "won":
            (solution,) = read_solutions(row["solution"])
            assert solution is not None
            found = replay(deal, solution, Rules())
            assert (found.problem, found.ending, found.moves_count) == (None, "won", row["moves_count"])
            assert found.counts["redeals_count"] == row["redeals_count"]
        else:
            assert row["solution"] is row["moves_count"] is row["redeals_count"] is None
    assert "won" in outcomes
    assert verify_run(str(run), 10) == []


def test_texts_are_written_on_request_only() -> None:
    (row,) = rows_of(run_of("klondike_sweep", "deals=1", *USUAL))
    assert (row["deal"], row["solution"]) == (None, None)


def test_the_summary_sums_the_rows_up() -> None:
    run = run_of("klondike_sweep", "deals=20", *USUAL)
    figures, rows = summary(run), rows_of(run)
    won = [row for row in rows if row["outcome"] == "won"]
    assert (figures["deals_count"], figures["won_count"]) == (20, len(won))
    states = [row["states_count"] for row in rows if row["outcome"] != "undecided"]
    assert figures["states_mean"] == sum(states) / len(states)
    assert figures["moves_max"] == max(row["moves_count"] for row in won)
    assert figures["redeals_mean"] == sum(row["redeals_count"] for row in won) / len(won)
    assert figures["won_share_low"] < figures["won_share_min"] <= figures["won_share_max"]
    assert figures["deal_s_median"] <= figures["deal_s_p99"] <= figures["deal_s_max"]
    assert (figures["published_won_share"], figures["published_won_share_high"]) == (
        0.81945,
        0.81945 + 0.00084,
    )


def test_deals_do_not_depend_on_where_a_sweep_begins_or_how_it_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = rows_of(run_of("klondike_sweep", "deals=9", *USUAL))
    monkeypatch.setattr(KlondikeSweep, "unit_items_count", lambda sweep: 2)
    part = run_of("klondike_sweep", "deals=3", "first=5", *USUAL)
    assert len(list((part / "data").iterdir())) == 2
    differ = ("run_id", "index")
    assert [{key: row[key] for key in row if key not in differ} for row in rows_of(part)] == [
        {key: row[key] for key in row if key not in differ} for row in whole[5:8]
    ]


def test_deals_of_a_file() -> None:
    deals = [core.random_deal(1, 0), position_of(LOST), position_of(WON)]
    lines = list(map(format_deal, deals))
    Path("deals.txt").write_text("\n".join([lines[0], LOST, WON]))
    words = ["file=deals.txt", "deal_texts=true", *USUAL]
    run = run_of("klondike_sweep", *words)
    rows = rows_of(run)
    assert [row["deal"] for row in rows] == lines
    assert [row["outcome"] for row in rows[1:]] == ["lost", "won"]
    assert {row["seed"] for row in rows} == {None}
    assert "published_won_share" not in summary(run)
    assert [row["deal"] for row in rows_of(run_of("klondike_sweep", *words, "first=2"))] == lines[2:]
    # The same file again is the same run, another file is another one.
    assert run_of("klondike_sweep", *words) == run
    Path("deals.txt").write_text(f"{LOST}\n{WON}")
    other = run_of("klondike_sweep", *words)
    assert other != run
    assert len(rows_of(other)) == 2
    assert verify_run(str(run), 10) == []


def test_a_file_that_changes_under_a_run_is_noticed() -> None:
    Path("deals.txt").write_text(LOST)
    values = {"name": "klondike_sweep", "file": "deals.txt", "file_sha256": "0" * 64}
    with pytest.raises(UserError, match=r"deals.txt: is not the file that the run began with"):
        KlondikeSweep(job_from_mapping("klondike_sweep", values)).items_count()


def test_larger_limits_take_the_undecided_deals_again() -> None:
    words = ["deals=25", "redeal_rule=standard", "foundation_back=true"]
    first = run_of("klondike_sweep", *words, "limits.states=300")
    undecided = [row["index"] for row in rows_of(first) if row["outcome"] == "undecided"]
    assert 0 < len(undecided) < 25
    assert run_of("klondike_sweep", *words, "limits.states=20000") == first
    second = rows_of(first)
    assert [row["index"] for row in second if row["attempt"] == 2] == undecided
    left = [row["index"] for row in second if row["outcome"] == "undecided"]
    assert len(left) < len(undecided)
    parts = sorted((first / "data").glob("*-a2.parquet"))
    again = {index for part in parts for index in pq.read_table(part)["index"].to_pylist()}
    assert again >= set(undecided)
    assert pq.read_table(first / "data")["index"].to_pylist() == [*range(25)]
    assert summary(first)["open_count"] == len(left)


def test_deals_that_can_be_won_by_difficulty() -> None:
    run = run_of("klondike_deals", "deals=15", "levels=[60,1000]", *USUAL)
    rows = rows_of(run)
    won = [row for row in rows if row["outcome"] == "won"]
    assert won
    for row in rows:
        names = ("difficulty", "moves_count", "deal", "solution")
        if row["outcome"] != "won":
            assert all(row[name] is None for name in (*names, "redeals_needed_count"))
            continue
        deal = position_of(row["deal"])
        assert deal == core.random_deal(1, row["deal_index"])
        assert row["difficulty"] == 1 + (row["states_count"] >= 60) + (row["states_count"] >= 1000)
        (solution,) = read_solutions(row["solution"])
        assert solution is not None
        found = replay(deal, solution, Rules())
        assert (found.problem, found.ending, found.moves_count) == (None, "won", row["moves_count"])
        needed = row["redeals_needed_count"]
        if needed is None:
            assert row["limit"] is not None
            continue
        assert found.counts["redeals_count"] == needed
        if needed:
            fewer = replace(Rules(), redeals=needed - 1)
            assert core.search(deal, fewer, Mode.decide, Bounds()).outcome == "lost"
    figures = summary(run)
    assert sum(figures["difficulties"].values()) == figures["won_count"] == len(won)
    assert sum(figures["redeals_needed_counts"].values()) <= len(won)

    written = export_run(str(run), Path("served"))
    served = [row for path in written for row in pq.read_table(path).to_pylist()]
    assert sorted(row["deal_index"] for row in served) == [row["deal_index"] for row in won]
    for path in written:
        table = pq.read_table(path)
        assert set(table["difficulty"].to_pylist()) == {int(path.stem.partition("-")[2])}
        needed_counts = [count for count in table["redeals_needed_count"].to_pylist() if count is not None]
        assert needed_counts == sorted(needed_counts)


def test_the_fewest_redeals_are_found_even_where_the_first_solution_has_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    search = core.search

    def watched(deal: Position, rules: Rules, mode: Mode, bounds: Bounds) -> Found[Move]:
        asked.append(rules.redeals)
        return search(deal, rules, mode, bounds)

    monkeypatch.setattr(deals, "search", watched)
    Path("deals.txt").write_text(f"{WON}\n{ONE_REDEAL}")
    rows = rows_of(run_of("klondike_deals", "file=deals.txt", "draw=1"))
    assert [row["redeals_needed_count"] for row in rows] == [0, 1]
    assert asked[0] is None
    assert asked[-1] == 0


@pytest.mark.parametrize("levels", ["[10,10]", "[10,5]", "[0]"])
def test_levels_must_ascend(levels: str) -> None:
    with pytest.raises(UserError, match=r"job.levels: must be up to"):
        run_of("klondike_deals", f"levels={levels}")


def estimate(*words: str) -> dict[str, Any]:
    """What a dry run tells."""
    with composing(None) as composer:
        return dry_run(composer.compose(list(words)))


def test_a_dry_run_tells_units_and_time() -> None:
    assert estimate("job=klondike_sweep")["units_count"] == 32
    words = ["job=klondike_sweep", "job.deals=1000000", "job.redeals=2"]
    million = estimate(*words)
    assert million["items_count"] == 1_000_000
    texts = estimate(*words, "job.deal_texts=true")
    assert million["disk_bytes"] < texts["disk_bytes"]
    assert (
        estimate("job=klondike_deals", "job.deals=20000", "job.redeals=2")["core_s"] > million["core_s"] / 50
    )


SERIES = [
    ["job.redeals=0,1,2,3,4,5,null"],
    ["job.redeals=0,1,2,null", "job.draw=1"],
    ["job.redeal_rule=standard", "job.foundation_back=false,true", "job.draw=1,3"],
    ["job.redeals=2,null", "job.deal_last=false"],
]
"""Of the table of rates, as ``klondike_rates.yaml`` has them."""


def test_the_series_of_the_table_of_rates() -> None:
    """Sixteen sets of rules, all published ones among them."""
    configured = (Path(str(resources.files("conf"))) / "job" / "klondike_rates.yaml").read_text()
    plans: dict[tuple[Any, ...], dict[str, Any]] = {}
    swept_rules = []
    with composing(None) as composer:
        for words in SERIES:
            assert f"-m job=klondike_rates {' '.join(words)}" in configured
            for config in map(composer.compose, composer.expand(["job=klondike_rates", *words])):
                swept = config.job
                assert isinstance(swept, KlondikeSweepJob)
                assert (swept.deals, swept.first, swept.seed, swept.mode) == (20_000, 0, 1, Mode.decide)
                assert (swept.limits.states, swept.limits.time_s) == (None, None)
                swept_rules.append(swept.options())
                plans[told(swept.options())] = dry_run(config)
    assert len(plans) == len({plan["run"] for plan in plans.values()}) == 16
    assert len({published(rules) for rules in swept_rules} - {None}) == 6
    for plan in plans.values():
        assert plan["items_count"] == 20_000
        assert 20 < plan["core_s"] < 20_000
        assert plan["core_s"] / plan["units_count"] <= 6
        assert plan["units_count"] >= 32
        assert 20 < plan["disk_bytes"] / 20_000 < 500
    million = estimate("job=klondike_million", "job.redeals=2")
    assert (million["items_count"], million["run"] == plans[told(replace(REPORT, redeals=2))]["run"]) == (
        1_000_000,
        False,
    )
    assert million["core_s"] == pytest.approx(
        50 * plans[told(replace(REPORT, redeals=2))]["core_s"], rel=0.01
    )


def test_jobs_survive_plain_values() -> None:
    """As a worker gets them: words instead of enumerations."""
    found = job_from_mapping("klondike_deals", {"name": "klondike_deals", "redeal_rule": "standard"})
    assert isinstance(found, KlondikeDealsJob)
    assert found.options() == replace(REPORT, redeal_rule=RedealRule.standard)
    assert found.deals_count() == DEALS_OF_SEED
