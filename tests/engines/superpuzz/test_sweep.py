"""``job=superpuzz_sweep`` through the serial runner: rows, resuming, attempts, what is refused."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from run_helpers import rows_of, run_of, summary
from superpuzz_helpers import deal_of

from engines.contract.registry import job_from_mapping
from engines.solitaire.found import Found
from engines.solitaire.limits import PROCESS_BYTES, Bounds
from engines.superpuzz import core, rules
from engines.superpuzz.core import Mode
from engines.superpuzz.deal import Deal
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.replay import replay
from engines.superpuzz.rows import format_deal
from engines.superpuzz.rules import Move, Position
from engines.superpuzz.solution import read_solutions
from engines.superpuzz.sweep import SuperpuzzSweep, SuperpuzzSweepJob
from pipeline.attempts import settle_attempt
from pipeline.config import composing
from pipeline.dry_run import dry_run
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.errors import UserError
from storage.layout import run_folders
from storage.manifest import verify_manifest

pytestmark = pytest.mark.usefixtures("workspace")


def test_one_row_a_deal() -> None:
    run = run_of("superpuzz_sweep", "columns=3", "deals=30", "seed=7", "mode=census")
    rows = rows_of(run)
    assert [(row["index"], row["deal_index"]) for row in rows] == [(i, i) for i in range(30)]
    outcomes = set()
    for row in rows:
        deal = deal_of(row["deal"])
        assert deal == core.random_deal(7, row["deal_index"], 3)
        states = [state for state, _ in rules.reachable(deal.position)]
        assert row["states_count"] == len(states)
        assert row["wins_count"] == sum(map(rules.is_won, states))
        assert (row["columns"], row["mode"], row["limit"]) == (3, "census", None)
        assert row["peak_bytes"] > 0
        outcomes.add(row["outcome"])
        if row["outcome"] == "won":
            (solution,) = read_solutions(row["solution"])
            assert solution is not None
            found = replay(deal, solution)
            assert (found.problem, found.remark, len(found.moves)) == (None, "", row["moves_count"])
            assert 1 <= row["states_before_win_count"] <= row["states_count"]
        else:
            assert row["wins_count"] == 0
            assert row["solution"] is row["moves_count"] is row["states_before_win_count"] is None
    assert outcomes == {"won", "lost"}
    assert list(verify_manifest(run)) == []


def test_the_summary_sums_the_rows_up() -> None:
    run = run_of("superpuzz_sweep", "columns=3", "deals=40", "mode=census")
    figures, rows = summary(run), rows_of(run)
    assert figures["deals_count"] == 40
    assert figures["won_count"] == sum(row["outcome"] == "won" for row in rows)
    assert figures["states_mean"] == sum(row["states_count"] for row in rows) / 40
    assert figures["won_share_low"] < figures["won_share_min"] == figures["won_share_max"]
    assert figures["paper_states_mean"] == 3064
    assert abs(figures["states_z"]) < 4


def test_deals_do_not_depend_on_where_a_sweep_begins() -> None:
    whole = rows_of(run_of("superpuzz_sweep", "columns=3", "deals=9", "mode=shortest"))
    part = rows_of(run_of("superpuzz_sweep", "columns=3", "deals=3", "first=5", "mode=shortest"))
    differ = ("run_id", "index")
    assert [{key: row[key] for key in row if key not in differ} for row in part] == [
        {key: row[key] for key in row if key not in differ} for row in whole[5:8]
    ]


def test_a_run_goes_on_where_it_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["columns=3", "deals=12", "mode=census"]
    monkeypatch.setattr(SuperpuzzSweep, "unit_items_count", lambda sweep: 4)
    searched: list[Deal] = []
    search = core.search

    def interrupted(deal: Deal, *rest: Any) -> Found[Move]:
        searched.append(deal)
        if len(searched) == 7:
            raise KeyboardInterrupt
        return search(deal, *rest)

    with monkeypatch.context() as patch:
        patch.setattr("engines.superpuzz.core.search", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_of("superpuzz_sweep", *words)
    (run,) = run_folders([Path("results").resolve()])
    assert [path.name for path in (run / "data").iterdir()] == ["part-000000.parquet"]
    assert run_of("superpuzz_sweep", *words) == run
    assert (summary(run)["units_computed_count"], summary(run)["units_skipped_count"]) == (2, 1)
    assert [row["index"] for row in rows_of(run)] == list(range(12))
    digest = summary(run)["content_digest"]
    monkeypatch.setenv("YAMAFUDA_RESULTS", "elsewhere")
    assert summary(run_of("superpuzz_sweep", *words))["content_digest"] == digest


def test_deals_of_a_file() -> None:
    """The names of kings that the file has are kept."""
    deals = [core.random_deal(1, index, 3) for index in range(4)]
    deals[2] = Deal(deals[2].position, deals[2].kings[::-1])
    lines = [format_deal(deal, " / ") for deal in deals]
    Path("deals.txt").write_text("\n".join([*lines[:3], format_deal(deals[3])]))
    words = ["columns=3", "file=deals.txt"]
    run = run_of("superpuzz_sweep", *words, "deals=null")
    rows = rows_of(run)
    assert [row["deal"] for row in rows] == lines
    assert {(row["seed"], row["columns"]) for row in rows} == {(None, 3)}
    of_seed = rows_of(run_of("superpuzz_sweep", "columns=3", "deals=4"))
    assert [row["outcome"] for row in rows] == [row["outcome"] for row in of_seed]
    for deal, row in zip(deals, rows, strict=True):
        if row["outcome"] == "won":
            (solution,) = read_solutions(row["solution"])
            assert solution is not None
            found = replay(deal, solution)
            assert (found.problem, found.remark) == (None, "")
    part = rows_of(run_of("superpuzz_sweep", *words, "deals=2", "first=1", "mode=census"))
    assert [row["deal"] for row in part] == lines[1:3]
    assert "paper_states_mean" not in summary(run_of("superpuzz_sweep", *words, "deals=4", "mode=census"))
    # The same file again is the same run.
    assert run_of("superpuzz_sweep", *words, "deals=null") == run
    assert list(verify_manifest(run)) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["columns=2"], "job.deals: {file} has 2 deals, not 100 from 0 on (null: all)"),
        (["deals=null"], "job.columns: is 13, but 2 in deal 1 of {file}"),
        (["columns=2", "deals=1", "first=2"], "job.deals: {file} has 2 deals, not 1 from 2 on (null: all)"),
        (["columns=2", "deals=null", "file=other"], "{other}: cannot be read: No such file or directory"),
    ],
)
def test_files_that_do_not_go_with_the_job(words: list[str], message: str) -> None:
    Path("deals.txt").write_text("CA D2 / SA HA / C2 S2 / DA H2\nCA D2 / SA HA / C2 S2 / DA H2\n")
    with pytest.raises(UserError) as caught:
        run_of("superpuzz_sweep", "file=deals.txt", *words)
    assert str(caught.value) == message.format(
        file=Path("deals.txt").resolve(), other=Path("other").resolve()
    )


def test_texts_can_be_left_out() -> None:
    (row,) = rows_of(
        run_of("superpuzz_sweep", "columns=2", "deals=1", "deal_texts=false", "solution_texts=false")
    )
    assert (row["outcome"], row["deal"], row["solution"]) == ("won", None, None)


def test_larger_limits_take_the_undecided_deals_again() -> None:
    words = ["columns=4", "deals=20", "seed=3", "mode=census"]
    first = run_of("superpuzz_sweep", *words, "limits.states=3000")
    before = rows_of(first)
    undecided = [row["index"] for row in before if row["outcome"] == "undecided"]
    assert 0 < len(undecided) < 20
    assert {row["limit"] for row in before} == {None, "states"}
    assert {row["states_count"] for row in before if row["limit"]} == {3000}
    # A win that was found before the limit is kept, but its deal has more states.
    assert any(before[index]["solution"] for index in undecided)
    known = [row["states_count"] for row in before if row["limit"] is None]
    assert summary(first)["states_mean"] == sum(known) / len(known)

    assert run_of("superpuzz_sweep", *words, "limits.states=30000") == first
    second = rows_of(first)
    assert [row["index"] for row in second if row["attempt"] == 2] == undecided
    assert [row for row in second if row["attempt"] == 1] == [
        row for row in before if row["index"] not in undecided
    ]
    left = [row["index"] for row in second if row["outcome"] == "undecided"]
    assert 0 < len(left) < len(undecided)
    parts = sorted((first / "data").glob("*-a2.parquet"))
    again = {index for part in parts for index in pq.read_table(part)["index"].to_pylist()}
    assert again >= set(undecided)
    assert pq.read_table(first / "data")["index"].to_pylist() == [*range(20)]

    assert run_of("superpuzz_sweep", *words, "limits.states=null") == first
    third = rows_of(first)
    assert [row["index"] for row in third if row["attempt"] == 3] == left
    assert summary(first)["outcomes"].keys() == {"won", "lost"}
    assert list(verify_manifest(first)) == []
    once = rows_of(run_of("superpuzz_sweep", *words, "limits.states=null", "limits.time_s=1000"))
    assert once == third

    # Smaller limits again: the third attempt is complete, nothing is computed.
    run_of("superpuzz_sweep", *words, "limits.states=10")
    assert rows_of(first) == third


def test_more_memory_is_a_further_attempt_and_less_is_none() -> None:
    words = ["columns=8", "deals=3", "mode=census", "limits.states=null"]
    least = 2 * PROCESS_BYTES
    tiny = run_of("superpuzz_sweep", *words, f"limits.memory_bytes={least}", "limits.time_s=0.001")
    assert {row["limit"] for row in rows_of(tiny)} == {"time"}
    run_of("superpuzz_sweep", *words, f"limits.memory_bytes={2 * least}", "limits.time_s=0.001")
    assert {row["attempt"] for row in rows_of(tiny)} == {2}
    run_of("superpuzz_sweep", *words, f"limits.memory_bytes={least}", "limits.time_s=0.001")
    assert summary(tiny)["job"]["limits"]["memory_bytes"] == 2 * least
    assert {row["attempt"] for row in rows_of(tiny)} == {2}


def test_memory_of_the_process_is_not_the_search_s(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def search(deal: Deal, mode: Mode, bounds: Bounds, *_: Any) -> Found[Move]:
        asked.append((mode, bounds))
        return Found("undecided", "memory", 1, 1, 0.0, None, dict.fromkeys(Superpuzz.counts))

    monkeypatch.setattr("engines.superpuzz.core.search", search)
    run = run_of("superpuzz_sweep", "deals=2", "limits.memory_bytes=1000000000", "limits.time_s=2.5")
    assert asked == [(Mode.decide, Bounds(100_000_000, 1_000_000_000 - PROCESS_BYTES, 2.5))] * 2
    assert [(row["outcome"], row["limit"]) for row in rows_of(run)] == [("undecided", "memory")] * 2
    assert summary(run)["open_count"] == 2
    assert len(list((run / "data").iterdir())) == 2  # full-size deals are a unit each


def test_a_failing_search_is_a_failed_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.superpuzz.core.check_win", _refuse)
    with composing(None) as composer:
        config = composer.compose(
            [
                "job=superpuzz_sweep",
                "job.columns=2",
                "job.deals=2",
                "job.mode=census",
                "job.limits.retries_count=0",
            ]
        )
    status, run = run_job(config, SerialRunner())
    assert status == 1
    (failure,) = (run / "failed").iterdir()
    assert "against the rules" in json.loads(failure.read_text())["reason"]


def _refuse(position: Position, moves: object) -> None:
    raise RuntimeError(f"{format_deal(Deal(position, (0, 1, 2, 3)), ' / ')} {moves}: against the rules")


def test_a_dry_run_tells_at_most_what_limits_allow() -> None:
    def estimate(*words: str) -> dict[str, Any]:
        with composing(None) as composer:
            return dry_run(composer.compose(["job=superpuzz_sweep", *(f"job.{word}" for word in words)]))

    assert estimate("deals=100", "limits.time_s=1", "limits.states=null")["core_s"] < 100
    limited = [estimate("deals=100", f"limits.states={states}")["core_s"] for states in (100_000, 10_000_000)]
    assert limited[0] < limited[1] < estimate("deals=100", "limits.states=null")["core_s"]
    assert estimate("deals=100")["units_count"] == 100
    assert estimate("columns=6", "deals=1000", "mode=census")["core_s"] == pytest.approx(430, abs=10)
    assert estimate("columns=2", "deals=10")["core_s"] < 1


def test_configured_jobs() -> None:
    """The paper's tables as a series of sizes; full-size deals as a series of attempts at one and the same run."""
    attempts = "job=superpuzz_full,superpuzz_full_10min,superpuzz_full_2h"
    with composing(None) as composer:
        (census,) = map(composer.compose, composer.expand(["job=superpuzz_census"]))
        full = list(map(composer.compose, composer.expand([attempts])))
    assert isinstance(census.job, SuperpuzzSweepJob)
    assert (census.job.mode, census.job.deals, census.job.seed) == (Mode.census, 1000, 1)
    assert (census.job.limits.states, census.job.limits.time_s) == (None, None)
    assert len({dry_run(config)["run"] for config in full}) == 1
    settled: list[dict[str, Any]] = []
    for number, config in enumerate(full, start=1):
        job = config.job
        assert isinstance(job, SuperpuzzSweepJob)
        assert (job.columns, job.deals, job.first, job.seed, job.mode) == (13, 1000, 0, 1, Mode.decide)
        assert job.limits.states is None
        assert settle_attempt(job.limits, settled) == (number, job.limits)
        settled.append(asdict(job.limits))
    assert [limits["time_s"] for limits in settled] == [60, 600, 7200]
    # The whole series once more goes on with the last attempt.
    assert settle_attempt(full[0].job.limits, settled) == (3, full[2].job.limits)


def test_jobs_survive_plain_values() -> None:
    """As a worker gets them: words instead of enumerations."""
    job = job_from_mapping("superpuzz_sweep", {"name": "superpuzz_sweep", "columns": 2, "mode": "census"})
    assert SuperpuzzSweep(job).unit_items_count() > 100
