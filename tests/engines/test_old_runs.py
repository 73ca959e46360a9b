"""Runs of old, in which an item is a row and some columns have other names, are read as they were then."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_helpers import Run

import engines.calculation.report
import engines.daifugo.report
import engines.tricks.report
from engines.contract.columns import columns_of
from engines.contract.game import Roots
from engines.contract.registry import engine_class
from engines.daifugo import he_table
from pipeline.report.content import of_runs
from storage.dataset import open_dataset, read_rows

RUNS = Path(__file__).parent / "old_runs"


@pytest.mark.parametrize(
    ("name", "report"),
    [
        ("tournament", engines.daifugo.report.report),
        ("begun", engines.daifugo.report.report),
        ("statements", engines.tricks.report.report),
        ("tables", engines.tricks.report.report),
    ],
)
def test_reports(
    name: str, report: Callable[[Roots, bool], bool], capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(Roots(RUNS / name, RUNS / name), True)
    printed, recorded = (
        [json.loads(line) for line in text.splitlines()]
        for text in (capsys.readouterr().out, (RUNS / name / "report.jsonl").read_text())
    )
    assert len(recorded) > 1
    assert printed == recorded


def test_rows_of_tables_become_those_of_today() -> None:
    for run in (path for path in (RUNS / "tables").iterdir() if path.is_dir()):
        old = read_rows(run)
        job = json.loads((run / "plan.json").read_text())["job"]["name"]
        names = {now: then for now, then in engine_class(job).renamed.items() if then in old.column_names}
        for field in columns_of(job):
            name = names.get(field.name, field.name)
            if name in old.column_names:
                values = old[name].to_pylist()
                assert (
                    pa.array(values, field.type).to_pylist()
                    == old[name].cast(field.type).to_pylist()
                    == values
                )
            else:
                assert field.nullable, field.name
        assert set(old.column_names) <= {names.get(name, name) for name in columns_of(job).names}


OLD = [run for run in sorted(RUNS.glob("*/*")) if (run / "plan.json").is_file()]


@pytest.mark.parametrize("run", OLD, ids=lambda run: f"{run.parent.name}-{run.name}")
def test_they_have_a_report(run: Path) -> None:
    content = of_runs([run], Roots(run.parent, run.parent))
    assert content.remarks == ()
    assert [section for chapter in content.chapters for section in chapter.sections]


@pytest.mark.parametrize("run", OLD, ids=lambda run: f"{run.parent.name}-{run.name}")
def test_views_have_the_columns_of_today(run: Path, workspace: Path, yamafuda: Run) -> None:
    """Every value that an old run has is in its view, under its name and type of today."""
    shutil.copytree(run, workspace / "results" / run.name)
    plan = json.loads((run / "plan.json").read_text())
    kind, today = plan["job"]["name"], columns_of(plan["job"]["name"])
    status, _, err = yamafuda("query", f'FROM {kind}_rows ORDER BY "index"', "-o", "rows.parquet")
    assert (status, err) == (0, "")
    found, old = pq.read_table("rows.parquet"), open_dataset(run).to_table().sort_by("index")
    assert found.column_names[: len(today)] == today.names
    assert [found.schema.field(each.name).type for each in today] == [each.type for each in today]
    then = engine_class(kind).renamed
    for name in today.names:
        written = [each for each in (name, then.get(name)) if each in old.column_names]
        values = old[written[0]].to_pylist() if written else [None] * len(old)
        if name not in ("index", "outcome"):
            key = lambda value: (value is not None, str(value))  # noqa: E731
            assert sorted(found[name].to_pylist(), key=key) == sorted(values, key=key), name
    whole = plan["contract"] == "table" or len(old["index"].unique()) == plan["items_count"]
    counted = yamafuda("query", "--json", "--partial", f"SELECT count(*) AS n FROM {kind}")[1]
    assert json.loads(counted)["n"] == len(old) or not whole


def test_tables_of_old_and_of_today_are_asked_together(yamafuda: Run, workspace: Path) -> None:
    shutil.copytree(RUNS / "tables", workspace / "results", ignore=shutil.ignore_patterns("*.jsonl"))
    assert yamafuda("run", "job=stackgame_table", "job.cards=1")[0] == 0
    sums = "cards, sum(states_count)::INT AS states, count(DISTINCT layer) AS layers"
    sql = f"SELECT {sums} FROM stackgame_table GROUP BY ALL ORDER BY ALL"
    status, out, _ = yamafuda("query", "--json", sql)
    assert status == 0
    assert [tuple(json.loads(line).values()) for line in out.splitlines()] == [(1, 2, 2), (2, 12, 4)]


def test_names_of_today_are_asked_of_old_tables(yamafuda: Run, workspace: Path) -> None:
    shutil.copytree(RUNS / "tables", workspace / "results", ignore=shutil.ignore_patterns("*.jsonl"))
    for sql in (
        "SELECT DISTINCT point_cards, typeof(layer) AS type FROM tricks_table",
        "SELECT point_cards, 'UTINYINT' AS type FROM runs WHERE job = 'tricks_table'",
    ):
        status, out, _ = yamafuda("query", "--json", sql)
        assert (status, json.loads(out)) == (0, {"point_cards": "highest", "type": "UTINYINT"})
    status, out, _ = yamafuda("query", "--json", "SELECT * FROM runs WHERE job = 'tricks_table'")
    assert "points" not in json.loads(out)


def test_what_was_learnt() -> None:
    (run,) = (path for path in (RUNS / "learnt").iterdir() if path.is_dir())
    for table in (he_table.load(run), he_table.load(run, "rule")):
        exported = he_table.load(RUNS / "learnt" / "rule.parquet")
        assert np.array_equal(table.seen, exported.seen)
        assert np.array_equal(table.held, exported.held)
        assert table.sources == exported.sources


CALCULATION = {
    "games_count": "deals_count",
    "wins_count": "won_count",
    "win_rate": "won_share_min",
    "win_rate_low": "won_share_low",
    "win_rate_high": "won_share_high",
    "games_per_s": "deals_per_s",
    "game_s_": "deal_s_",
    "lost_states_": "lost_dead_ends_",
    "states_": "dead_ends_",
}
"""Figures of Calculation, or how they begin, as they are called now."""


def renamed(name: str) -> str:
    old = next((old for old in CALCULATION if name == old or (old[-1] == "_" and name.startswith(old))), "")
    return CALCULATION.get(old, "") + name.removeprefix(old)


def without_intervals(figures: dict[str, object]) -> dict[str, object]:
    """Without the intervals of means, which were normal ones then."""
    return {name: value for name, value in figures.items() if not name.endswith(("_mean_low", "_mean_high"))}


def test_a_player_of_calculation(capsys: pytest.CaptureFixture[str]) -> None:
    assert engines.calculation.report.report(Roots(RUNS / "played", RUNS / "played"), True)
    printed = json.loads(capsys.readouterr().out)
    recorded = json.loads((RUNS / "played" / "report.jsonl").read_text())
    told = {renamed(name): value for name, value in recorded.items()}
    assert told["won_count"] > 0
    assert without_intervals(told).items() <= printed.items()
    assert printed.keys() - told.keys() == {"lost_count", "open_count", "won_share_max", "playouts"}
    assert printed["playouts"] == 0


def test_decks_of_calculation(capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = (RUNS / "open").glob("*/summary.json")
    assert engines.calculation.report.report(Roots(RUNS / "open", RUNS / "open"), True)
    printed = json.loads(capsys.readouterr().out)
    told = {renamed(name): value for name, value in json.loads(path.read_text()).items()}
    assert (printed["kind"], printed["ranks"], printed["stacks"], printed["deals_count"]) == (
        "open",
        5,
        1,
        12,
    )
    figures = [name for name in without_intervals(printed) if name in told]
    assert {"won_count", "dead_ends_mean", "lost_dead_ends_max", "moves_p99", "deal_s_mean"} <= set(figures)
    assert {name: printed[name] for name in figures} == {name: told[name] for name in figures}
