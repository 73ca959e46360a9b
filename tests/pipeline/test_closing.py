"""How ``run`` ends: what came out, what it took, what to type next."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from toy_helpers import Yamafuda, compose

from engines.contract.registry import engine_class, job_names
from engines.statistics.intervals import won_shares
from engines.statistics.wins import wins_result
from pipeline.closing import query_worth_asking, result_of
from pipeline.run import plan_run, run_job
from pipeline.runners.serial import SerialRunner


def test_a_run_tells_what_came_out_and_what_is_next(yamafuda: Yamafuda) -> None:
    done = yamafuda("run", "job=toy_sweep")
    came_out, took, following = done.stderr.splitlines()
    assert came_out == "20 items: won 7, lost 9, undecided 4"
    assert took.startswith("took ")
    assert took.endswith(" s: 4 units")
    assert following == (
        "next: yamafuda query 'SELECT outcome, count(*) AS items FROM toy_sweep GROUP BY ALL ORDER BY ALL'"
    )
    assert Path(done.stdout.strip()).is_dir()
    assert done.stdout.count("\n") == 1
    again = yamafuda("run", "job=toy_sweep")
    assert again.stderr.splitlines()[:2] == [came_out, "already done: nothing was left to compute"]
    assert again.stdout == done.stdout


def test_a_table_can_be_exported_next(yamafuda: Yamafuda) -> None:
    done = yamafuda("run", "job=toy_table")
    *_, query, export = done.stderr.splitlines()
    assert "SELECT layer, sum(states_count) AS states FROM toy_table" in query
    assert export == f"      yamafuda export {Path(done.stdout.strip()).name}"
    assert yamafuda(*export.split()[1:]).returncode == 0


@pytest.mark.parametrize("records", ["false", "true"])
def test_only_what_can_be_exported_is_exported_next(yamafuda: Yamafuda, records: str) -> None:
    done = yamafuda(
        "run", "job=daifugo_tournament", "job.players=[rule]", "job.games=1", f"job.records={records}"
    )
    assert done.stderr.startswith("1 game, points a game: rule ")
    export = [line for line in done.stderr.splitlines() if " export " in line]
    assert len(export) == (records == "true")
    for line in export:
        assert yamafuda(*line.split()[1:]).returncode == 0


def test_the_query_that_is_told_can_be_asked(yamafuda: Yamafuda) -> None:
    for job in ("toy_sweep", "toy_table"):
        (line,) = [line for line in yamafuda("run", f"job={job}").stderr.splitlines() if " query " in line]
        asked = yamafuda("query", line.split("'")[1])
        assert (asked.returncode, asked.stderr) == (0, "")


def test_a_series_says_where_it_is(yamafuda: Yamafuda) -> None:
    done = yamafuda("run", "-m", "job=toy_sweep", "job.seed=1,2", "job.items=10")
    lines = done.stderr.splitlines()
    heads = [number for number, line in enumerate(lines) if " of 2: " in line]
    assert [lines[number] for number in heads] == [
        f"{number} of 2: job=toy_sweep job.seed={number} job.items=10" for number in (1, 2)
    ]
    assert [line.startswith("next: ") for line in lines].index(True) > heads[1]
    assert done.stdout.count("\n") == 2


def test_json_has_the_same_figures(yamafuda: Yamafuda) -> None:
    told = [json.loads(yamafuda("run", "job=toy_sweep", "--json").stdout) for _ in range(2)]
    assert [each["was_done"] for each in told] == [False, True]
    for each in told:
        assert each["result"] == {"items_count": 20, "outcomes": {"lost": 9, "undecided": 4, "won": 7}}


def test_of_a_run_with_failed_units_what_is_there_is_told(
    yamafuda: Yamafuda, faults: Callable[..., str]
) -> None:
    done = yamafuda("run", "job=toy_sweep", "job.limits.retries_count=0", faults(raise_7=9))
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert "15 items: won 5, lost 7, undecided 3" in lines
    assert any(line.startswith("some units failed; see ") for line in lines)
    assert not any(line.startswith("next: ") for line in lines)


def test_a_summary_of_an_earlier_version_tells_what_it_can() -> None:
    config = compose("job=toy_sweep")
    run_job(config, SerialRunner())
    run = plan_run(config)
    assert result_of(run.engine, run.layout).lines
    for text in ('{"job": {}}', '{"job": {}, "items_count": 20, "outcomes": null}'):
        run.layout.summary.write_text(text)
        assert result_of(run.engine, run.layout).lines == []
    run.layout.summary.unlink()
    assert result_of(run.engine, run.layout).lines == []


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ((62, 38, 100), "won 62, lost 38 of 100 deals: 62.0 % won (95% interval: 52.2 to 70.9 %)"),
        (
            (890, 90, 1000),
            "won 890, lost 90, undecided 20 of 1,000 deals: 89.0 to 91.0 % won (95% interval: 86.9 to 92.6 %)",
        ),
        ((0, 3, 3), "won 0, lost 3 of 3 deals: 0.0 % won (95% interval: 0.0 to 56.1 %)"),
    ],
)
def test_deals_won_and_lost(counts: tuple[int, int, int], line: str) -> None:
    summary = won_shares(*counts)
    result = wins_result(summary | {"other": 1})
    assert (result.lines, result.figures) == ([line], summary)


@pytest.mark.parametrize("kind", job_names())
def test_what_is_to_be_asked_next_can_be_asked(kind: str, yamafuda: Yamafuda) -> None:
    asked = yamafuda("query", query_worth_asking(engine_class(kind), kind))
    assert asked.returncode == 0, asked.stderr
