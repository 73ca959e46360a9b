"""Items of runs as games that can be replayed: what a row tells is what the run has found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import yamafuda
from engines.contract.registry import engine_class, game, job_from_mapping, job_names
from yamafuda.items import item_of
from yamafuda.replays import replay


@pytest.fixture(autouse=True)
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES"):
        monkeypatch.setenv(name, str(tmp_path))


def made(job: str, **fields: Any) -> yamafuda.Run:
    return yamafuda.run(job, progress=False, **fields)


@pytest.mark.parametrize(
    ("job", "fields"),
    [
        ("klondike_sweep", {"redeals": 1, "redeal_rule": "carry", "solution_texts": True}),
        ("superpuzz_sweep", {"columns": 6, "solution_texts": True}),
        ("calculation_open", {"ranks": 6, "stacks": 2, "solution_texts": True, "deal_texts": True}),
    ],
)
def test_solutions_win_the_deals_of_their_rows(job: str, fields: dict[str, Any]) -> None:
    run = made(job, deals=8, first=3, **fields)
    outcomes = run.rows().to_arrow().sort_by("index")["outcome"].to_pylist()
    for index, outcome in enumerate(outcomes):
        (told,) = item_of(run.name, index).games
        assert told.row["outcome"] == outcome
        assert bool(told.moves) == (outcome == "won")
        found = replay(told.game, told.deal, told.moves, told.rules, count=0)
        assert found.problem == ""
        assert found.ending in (("won", "surely won") if outcome == "won" else ("not finished",))
    assert "won" in outcomes


def test_the_deal_of_a_row_without_texts_is_that_of_its_seed() -> None:
    run = made("superpuzz_sweep", deals=2, first=5, seed=7, columns=5, solution_texts=False)
    (told,) = item_of(run.id, 1).games
    puzzle = game("superpuzz")
    assert told.deal == puzzle.format_deal(puzzle.random_deal(7, 6, columns=5))
    assert told.moves == ""


def test_games_of_a_tournament_end_as_its_rows_say() -> None:
    run = made("daifugo_tournament", games=3, players=["rule"] * 5, records=True)
    (told,) = item_of(run.name, 2).games
    found = replay(told.game, told.deal, told.moves)
    assert (found.problem, found.ending) == ("", "over")
    rows = [row for row in run.rows().to_dicts() if row["index"] == 2]
    assert len(found.moves) == sum(row["turns_count"] for row in rows)
    seats = {row["rank"]: row["seat"] for row in rows}
    assert f"seat {seats[0]}: 1st" in found.steps[-1].html
    without = made("daifugo_tournament", games=3, players=["rule"] * 5, seed=5)
    assert item_of(without.name, 0).games == []


def test_counterexamples_of_theorems_are_deals() -> None:
    made("tricks_table", cards=3)
    run = made("tricks_theorems", cards=3)
    rows = run.rows().to_dicts()
    told = [each for index in {row["index"] for row in rows} for each in item_of(run.name, index).games]
    assert 0 < len(told) == sum(row["counterexample"] is not None for row in rows)
    for each in told:
        found = replay(each.game, each.deal, "", each.rules, at=0)
        leader = {"left": "A", "right": "B"}[each.row["leader"]]
        assert f"leads={leader}" in found.deal
        assert found.steps[0].html.count(">★<") == each.row["k"]
        assert len(found.plays) == each.row["cards"]


def test_an_item_that_is_not_there_is_told() -> None:
    run = made("superpuzz_sweep", deals=2, columns=4)
    with pytest.raises(yamafuda.UserError, match="has no item 2 yet"):
        item_of(run.name, 2)
    with pytest.raises(yamafuda.UserError, match="no run"):
        item_of("nothing", 0)


def test_rows_of_tables_are_about_no_single_game() -> None:
    for name in job_names():
        engine_type = engine_class(name)
        if engine_type.contract == "table":
            assert engine_type(job_from_mapping(name, {"name": name})).written({}) is None
