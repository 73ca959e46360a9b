"""Reports as pages: of one run of every kind of job the tables are what their queries make, and pages are sound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_helpers import run_of
from section_helpers import assert_page_is_sound, assert_queries_make

from engines.contract.game import REPORT, Roots
from engines.contract.registry import games
from engines.contract.section import Section
from pipeline.report.content import Content, of_game, of_runs
from pipeline.report.page import page

HERE = Path("results")
ROOTS = Roots(HERE, HERE)
PLAYERS = ["players=[rand,rand,rand,rand,rand]", "variants=[rand@3,rand_d@1500]"]
JOBS: dict[str, list[list[str]]] = {
    "superpuzz": [
        ["superpuzz_sweep", "columns=2", "deals=20", "mode=census"],
        ["superpuzz_sweep", "columns=3", "deals=20", "mode=census"],
        ["superpuzz_sweep", "columns=4", "deals=20"],
        ["superpuzz_redeals", "columns=4", "deals=3"],
    ],
    "stackgame": [
        ["stackgame_table", "cards=2"],
        ["stackgame_table", "cards=3"],
        ["stackgame_play", "cards=3", "games=20"],
    ],
    "calculation": [
        ["calculation_sweep", "ranks=4", "keep=5", "deals=20"],
        ["calculation_sweep", "ranks=4", "keep=5", "deals=30", "value=max"],
        ["calculation_open", "ranks=4", "deals=5"],
        ["calculation_best", "stacks=3"],
    ],
    "tricks": [
        ["tricks_table", "cards=3"],
        ["tricks_table", "cards=3", "points=lowest", "aim=fewest"],
        ["tricks_table", "cards=2", "points=anywhere"],
        ["tricks_theorems", "cards=3"],
    ],
    "daifugo": [
        [
            "daifugo_tournament",
            "games=4",
            "rank_period=2",
            "players=[rule,rule,rule,rule,rand@2]",
            "variants=[rule]",
        ],
        ["daifugo_estimate", "games=2", "worlds=3", "generators=[rand,rand_d]"],
        ["daifugo_learn", "games=3"],
        ["daifugo_policy", "games=1000", "every=10"],
        ["daifugo_uecda", "games=2", "rank_period=2"],
    ],
    "klondike": [
        ["klondike_sweep", "deals=10", "limits.states=300"],
        ["klondike_sweep", "deals=10", "limits.states=300", "deal_last=false"],
        ["klondike_deals", "deals=5", "limits.states=300"],
        ["klondike_blind", "deals=1", "samples=1", "search_states=10", "limits.states=100"],
    ],
}
"""Of each game runs of all its kinds of jobs."""
GAMES = {game.name: game for game in games()}

pytestmark = pytest.mark.usefixtures("workspace")


def sections_of(content: Content) -> list[Section]:
    """All of a report."""
    return [section for chapter in content.chapters for section in chapter.sections]


def test_every_job_is_here() -> None:
    assert {name: {run[0] for run in runs} for name, runs in JOBS.items()} == {
        name: set(GAMES[name].jobs) for name in JOBS
    }


@pytest.mark.parametrize("name", JOBS)
def test_queries_make_the_tables_of_a_game_and_of_each_run(name: str) -> None:
    runs = [run_of(job, *words) for job, *words in JOBS[name]]
    whole = of_game(GAMES[name], ROOTS)
    assert whole.remarks == ()
    assert len(whole.runs) >= len(runs)  # a table that a run needs is one, too
    assert_queries_make(each for each in sections_of(whole) if each.query)
    for run in runs:
        assert run.name in [each.status.name for each in whole.runs]
        one = of_runs([run], ROOTS)
        assert one.remarks == ()
        assert [each.status.name for each in one.runs] == [run.name]
        found = sections_of(one)
        assert found, run.name
        assert_queries_make(found)
        assert all(each.chart or each.query for each in found)
    several = of_runs(runs, ROOTS)
    assert_queries_make(each for each in sections_of(several) if each.name != "elapsed-s")
    assert_page_is_sound(page(several))


def test_json_rows(capfd: pytest.CaptureFixture[str]) -> None:
    """Rows are JSON values, as those of the text report are."""
    run_of("superpuzz_sweep", "columns=3", "deals=20")
    (row,) = (row for section in sections_of(of_game(GAMES["superpuzz"], ROOTS))[:1] for row in section.rows)
    GAMES["superpuzz"].function(REPORT)(ROOTS, True)
    printed = json.loads(capfd.readouterr().out.splitlines()[0])
    assert json.loads(json.dumps(row)).items() <= printed.items()
