"""``job=calculation_open`` through the serial runner: rows, files, attempts, refusals."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import run_helpers
from run_helpers import rows_of, summary

from engines.calculation.core import random_deck
from engines.calculation.open import search
from engines.calculation.open_sweep import CalculationOpen
from engines.calculation.record import read_games
from engines.calculation.replay import check_game
from engines.calculation.text import format_deck
from engines.solitaire.limits import Bounds
from pipeline.config import composing
from pipeline.dry_run import dry_run
from pipeline.upkeep import verify_run
from storage.errors import UserError

pytestmark = pytest.mark.usefixtures("workspace")


run_of = partial(run_helpers.run_of, "calculation_open")


def test_one_row_a_deal() -> None:
    run = run_of("deals=12", "seed=7", "first=3", "stacks=2", "ranks=9", "solution_texts=true")
    rows = rows_of(run)
    assert [(row["index"], row["deal_index"], row["seed"]) for row in rows] == [
        (i, i + 3, 7) for i in range(12)
    ]
    for row in rows:
        assert (row["stacks"], row["ranks"], row["limit"]) == (2, 9, None)
        deck = random_deck(7, row["deal_index"], 9)
        found = search(deck, 2, Bounds())
        assert row["outcome"] == found.outcome
        assert row["dead_ends_count"] == found.effort_count
        assert row["peak_bytes"] > 0
        if row["outcome"] == "won":
            (game,) = read_games(row["solution"])
            replayed = check_game(deck, game, 9, 2)
            assert (replayed.problem, replayed.outcome) == (None, "won")
            assert row["moves_count"] == len(game.moves)
        else:
            assert row["solution"] is row["moves_count"] is None
    assert "won" in {row["outcome"] for row in rows}
    assert verify_run(str(run), 10) == []


def test_texts_are_written_on_request_only() -> None:
    (row,) = rows_of(run_of("deals=1"))
    assert row["outcome"] == "won"
    assert row["solution"] is row["deal"] is None
    assert row["moves_count"] >= 52


def test_decks_of_a_file() -> None:
    decks = [random_deck(1, number, 6) for number in range(4)]
    Path("decks").write_text("\n".join(map(format_deck, decks)))
    words = ("seed=1", "deals=4", "ranks=6", "stacks=1")
    of_seed, of_file = (rows_of(run_of(*more, "deal_texts=true")) for more in (words, (*words, "file=decks")))
    assert [row["deal"] for row in of_file] == [format_deck(deck) for deck in decks]
    differ = ("run_id", "seed", "peak_bytes")
    for ours, theirs in zip(of_file, of_seed, strict=True):
        assert {key: ours[key] for key in ours if key not in differ} == {
            key: theirs[key] for key in theirs if key not in differ
        }
    with pytest.raises(UserError, match=r"job\.ranks: is 13, but 6 in deal 1"):
        run_of("file=decks")


def test_the_summary_sums_the_rows_up() -> None:
    run = run_of("deals=30", "stacks=1", "ranks=7")
    figures, rows = summary(run), rows_of(run)
    outcomes = [row["outcome"] for row in rows]
    assert (figures["deals_count"], figures["open_count"]) == (30, 0)
    assert (figures["won_count"], figures["lost_count"]) == (outcomes.count("won"), outcomes.count("lost"))
    assert figures["lost_count"] > 0
    assert figures["dead_ends_mean"] == sum(row["dead_ends_count"] for row in rows) / 30
    assert figures["deal_s_median"] <= figures["deal_s_p99"] <= figures["deal_s_max"]


def test_deals_do_not_depend_on_where_a_sweep_begins_or_how_it_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = rows_of(run_of("deals=9", "ranks=8"))
    monkeypatch.setattr(CalculationOpen, "unit_items_count", lambda sweep: 2)
    part = run_of("deals=3", "ranks=8", "first=5")
    assert len(list((part / "data").iterdir())) == 2
    differ = ("run_id", "index")
    assert [{key: row[key] for key in row if key not in differ} for row in rows_of(part)] == [
        {key: row[key] for key in row if key not in differ} for row in whole[5:8]
    ]


def test_larger_limits_take_the_undecided_deals_again() -> None:
    words = ["deals=10", "stacks=1"]
    first = run_of(*words, "limits.states=300")
    undecided = [row["index"] for row in rows_of(first) if row["outcome"] == "undecided"]
    assert 0 < len(undecided) < 10
    assert {row["limit"] for row in rows_of(first)} == {None, "states"}
    assert run_of(*words) == first
    second = rows_of(first)
    assert [row["index"] for row in second if row["attempt"] == 2] == undecided
    assert summary(first)["open_count"] == 0


@pytest.mark.parametrize("stacks", [1, 2, 3, 4, 5])
def test_units_take_seconds(stacks: int) -> None:
    with composing(None) as composer:
        plan = dry_run(composer.compose(["job=calculation_open", f"job.stacks={stacks}", "job.deals=20000"]))
    assert plan["items_count"] == 20_000
    assert 4 <= plan["core_s"] / plan["units_count"] <= 6
