"""``job=calculation_sweep`` through the serial runner, and ``yamafuda report calculation`` on its runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from calculation_games import TINY, run_of
from command_helpers import Run
from run_helpers import summary

from engines.calculation import sweep
from engines.calculation.core import open_player, random_deck, table_job
from engines.calculation.player import Options
from engines.calculation.record import read_games
from engines.calculation.replay import check_game
from engines.calculation.text import read_decks
from engines.contract.naming import place_of_run
from engines.contract.registry import job_from_mapping
from engines.stackgame.table import StackgameTable
from engines.statistics.intervals import mcnemar, paired_difference, wilson
from pipeline.lock import driver_lock
from pipeline.upkeep import verify_run
from storage.dataset import read_rows
from storage.errors import UserError
from storage.layout import RunLayout
from storage.rowdigest import content_digest

pytestmark = pytest.mark.usefixtures("workspace")

RESULTS = Path("results")
WORDS = ["ranks=5", "stacks=1", "keep=20"]


def sweep_of(tables: Path, *words: str) -> Path:
    return run_of(RESULTS, "calculation_sweep", *WORDS, *words, tables=tables)


def won(run: Path) -> list[bool]:
    """Game by game."""
    return [outcome == "won" for outcome in read_rows(run, ["outcome"])["outcome"].to_pylist()]


def test_one_row_a_game(tables: Path) -> None:
    run = sweep_of(tables, "seed=7", "first=3", "deals=25", "solution_texts=true")
    rows = read_rows(run).to_pylist()
    assert [(row["index"], row["deal_index"], row["seed"]) for row in rows] == [
        (i, i + 3, 7) for i in range(25)
    ]
    played = open_player(Options(ranks=5, stacks=1, keep=20), tables)
    for row in rows:
        (deck,) = read_decks(row["deal"])
        assert deck == random_deck(7, row["deal_index"], 5)
        (game,) = read_games(row["solution"])
        found = check_game(deck, game, 5, 1)
        assert (found.problem, found.outcome, found.left_count) == (None, row["outcome"], row["left_count"])
        (alone,) = played.play([deck])
        assert (alone.moves, alone.evaluations_count) == (game.moves, row["evaluations_count"])
    assert verify_run(str(run), 10) == []
    found_figures = summary(run)
    wins = [row["outcome"] for row in rows].count("won")
    assert 0 < wins < 25
    assert (found_figures["deals_count"], found_figures["won_count"]) == (25, wins)
    assert (found_figures["lost_count"], found_figures["open_count"]) == (25 - wins, 0)
    assert (found_figures["won_share_low"], found_figures["won_share_high"]) == wilson(wins, 25)
    assert found_figures["won_share_min"] == found_figures["won_share_max"] == wins / 25
    assert found_figures["missing_share"] == 0
    assert found_figures["evaluations_per_s"] > 0


def test_the_same_rows_however_it_is_run(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = sweep_of(tables, "deals=12")
    assert read_rows(run, ["solution"])["solution"].null_count == 12
    digest = content_digest(run)
    monkeypatch.setattr(sweep, "DEALS_A_CALL", 5)
    assert (
        content_digest(run_of(Path("again"), "calculation_sweep", *WORDS, "deals=12", tables=tables))
        == digest
    )


def test_a_process_that_plays_by_many_tables_keeps_one_open(tables: Path) -> None:
    """One of each job."""
    for ranks, stacks in TINY:
        run_of(RESULTS, "calculation_sweep", f"ranks={ranks}", f"stacks={stacks}", "deals=1", tables=tables)
        run_of(RESULTS, "stackgame_play", f"cards={ranks - 1}", f"stacks={stacks}", "games=1", tables=tables)
    files = [line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()]
    assert len({Path(file).parent for file in files if file.startswith(str(tables))}) == 1


def test_a_table_that_is_missing_is_built_first(yamafuda: Run) -> None:
    words = ("run", "job=calculation_sweep", "job.ranks=5", "job.stacks=1", "job.deals=5", "cluster=serial")
    status, _, err = yamafuda(*words)
    assert status == 0
    expected = "reads a table that is not finished; it is built first (about 1 s of one core): yamafuda run"
    assert f"calculation_sweep {expected} job=stackgame_table job.stacks=1 job.cards=4\n" in err
    status, _, err = yamafuda(*words, "job.seed=2")
    assert (status, "built first" in err) == (0, False)


def test_a_dry_run_names_tables_that_are_missing(yamafuda: Run) -> None:
    words = ("run", "job=calculation_sweep", "job.ranks=4", "job.stacks=1", "job.deals=1", "cluster=serial")
    build = "yamafuda run job=stackgame_table job.stacks=1 job.cards=3"
    status, out, _ = yamafuda(*words, "--dry-run", "--json")
    told = json.loads(out)
    (table,) = told["builds_first"]
    assert (status, table["command"], table["state"]) == (0, build, "new")
    for key in ("core_s", "disk_bytes"):
        assert told["whole"][key] == told[key] + table[key] > told[key]
    assert f"  first   {build}\n" in yamafuda(*words, "--dry-run")[1]
    assert yamafuda(*build.split()[1:])[0] == 0
    assert build not in yamafuda(*words, "--dry-run")[1]
    assert json.loads(yamafuda(*words, "--dry-run", "--json")[1])["builds_first"] == []


def test_a_table_that_another_process_builds(yamafuda: Run) -> None:
    layout = RunLayout(place_of_run(RESULTS.resolve(), table_job(4, 1), StackgameTable.version))
    layout.run_dir.mkdir(parents=True)
    words = ("run", "job=calculation_sweep", "job.ranks=4", "job.stacks=1", "job.deals=1", "cluster=serial")
    with driver_lock(layout.lock):
        status, out, err = yamafuda(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(
        f"yamafuda: {layout.run_dir}: the table that calculation_sweep reads is being built by process "
    )
    assert err.endswith("; wait for it, then run this again\n")
    assert yamafuda(*words)[0] == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [("deals", 0), ("first", -1), ("seed", -1), ("ranks", 3), ("stacks", 6), ("keep", 0), ("look_ahead", 3)],
)
def test_wrong_fields(field: str, value: int) -> None:
    with pytest.raises(UserError, match=f"job.{field}: "):
        job_from_mapping("calculation_sweep", {"name": "calculation_sweep", field: value})


def test_units_are_of_a_reasonable_size() -> None:
    for look_ahead, least, most in ((0, 20, 2000), (1, 1, 20), (2, 1, 1)):
        values = {"name": "calculation_sweep", "look_ahead": look_ahead}
        engine = sweep.CalculationSweep(job_from_mapping("calculation_sweep", values))
        assert least <= engine.unit_items_count() <= most
        assert engine.estimate().items_count == 1000


def test_the_report_pairs_runs_of_the_same_decks(yamafuda: Run, tables: Path) -> None:
    one = sweep_of(tables, "deals=30")
    sweep_of(tables, "deals=20", "first=5")
    other = sweep_of(tables, "deals=20", "first=10", "keep=1", "value=independent")
    status, out, err = yamafuda("report", "calculation", "--json")
    assert (status, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    players = [line for line in lines if line["kind"] == "player"]
    assert [(each["keep"], each["deals_count"]) for each in players] == [(1, 20), (20, 30)]
    assert players[1]["won_count"] == summary(one)["won_count"]
    (pair,) = [line for line in lines if line["kind"] == "pair"]
    theirs, ours = map(won, (other, one))
    cells = [(a, b) for a, b in zip(theirs, ours[10:], strict=True)]
    assert pair["deals_count"] == 20
    assert pair["only_first_count"] == cells.count((True, False))
    assert pair["only_second_count"] == cells.count((False, True))
    assert pair["both_count"] == cells.count((True, True))
    assert pair["difference"] == pytest.approx((sum(theirs) - sum(ours[10:])) / 20)
    status, out, err = yamafuda("report", "calculation")
    assert (status, err) == (0, "")
    assert "keep=1 value=independent" in out
    assert "6,474  of 10,000  64.74  63.80 to 65.67" in out
    assert out.endswith(f"2 players; runs are in {RESULTS.resolve()}\n")


def test_the_report_on_runs_that_knew_no_recast(yamafuda: Run, tables: Path) -> None:
    older = RunLayout(sweep_of(tables, "deals=4", "recast=none")).plan
    sweep_of(tables, "deals=6", "recast=none")
    sweep_of(tables, "deals=5")
    plan = json.loads(older.read_text())
    del plan["job"]["recast"]
    older.write_text(json.dumps(plan | {"engine_version": 2}))
    status, out, err = yamafuda("report", "calculation", "--json")
    assert (status, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    players = [line for line in lines if line["kind"] == "player"]
    assert [(each["recast"], each["deals_count"]) for each in players] == [("drawn", 5), ("none", 6)]
    assert [line["deals_count"] for line in lines if line["kind"] == "pair"] == [5]


@pytest.mark.parametrize(
    "change",
    [
        {"recast": "x"},
        {"recast": []},
        {"recast": None},
        {"keep": "many"},
        {"value": {}},
        {"edges": 3},
    ],
)
def test_the_report_on_a_damaged_plan(yamafuda: Run, tables: Path, change: dict[str, Any]) -> None:
    path = RunLayout(sweep_of(tables, "deals=2")).plan
    plan = json.loads(path.read_text())
    path.write_text(json.dumps(plan | {"job": plan["job"] | change}))
    status, out, err = yamafuda("report", "calculation")
    assert (status, err.count("\n")) == (0, 1)
    assert "0 players; runs are in" in out
    assert err.startswith(
        f"yamafuda: {RESULTS / path.parent.parent.name / path.parent.name / path.name}: is not a plan ("
    )
    plan["job"].pop("keep")
    path.write_text(json.dumps(plan))
    assert yamafuda("report", "calculation")[2].endswith(": is not a plan (job.keep is missing); left out\n")


def test_the_report_of_nothing(yamafuda: Run) -> None:
    status, out, _ = yamafuda("report", "calculation")
    assert status == 0
    assert out.startswith(
        "Table 3: wins with 3 stacks, in percent with 95% intervals; the best assignment counts\n"
    )


def test_the_difference_of_paired_shares() -> None:
    """Newcombe's example (1998, paired data): 36, 12, 2, 0 of 50 gives 0.2 with 0.0569 to 0.3404 by method 10."""
    assert paired_difference(36, 12, 2, 0) == pytest.approx((0.2, 0.0569, 0.3404), abs=5e-5)
    centre, low, high = paired_difference(10, 0, 0, 0)
    assert (centre, high) == (0, -low)
    turned = paired_difference(36, 2, 12, 0)
    assert turned == pytest.approx((-0.2, -0.3404, -0.0569), abs=5e-5)


def test_mcnemar() -> None:
    assert mcnemar(0, 0) == 1
    assert mcnemar(5, 5) == 1
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(12, 2) == pytest.approx(2 * (1 + 14 + 91) / 2**14)
    assert 0 < mcnemar(4000, 4300) < 0.002
