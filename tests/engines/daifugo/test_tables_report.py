"""``yamafuda daifugo-tables``: figures 3 to 8 of small tables, as text and as JSON, and sums."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command_helpers import Run
from run_helpers import run_of

from engines.daifugo import he_table
from engines.daifugo.he_table import HeTable, Source
from engines.daifugo.tables_report import figures_3_to_8

pytestmark = pytest.mark.usefixtures("workspace")


def table(**rows: tuple[int, dict[int, int]]) -> HeTable:
    """Classes (c5=...): how often seen, and items that were held so often."""
    seen, held = np.zeros(256, np.uint64), np.zeros((256, 15), np.uint64)
    for name, (count, items) in rows.items():
        seen[int(name[1:])] = count
        for item, held_count in items.items():
            held[int(name[1:]), item] = held_count
    return HeTable(seen, held, (Source("rule", ("rule",) * 5, 10, 1, 1),))


# Classes 5 and 70 are seen often in both, 6 in the first only, 7 in the second only.
A = table(c5=(10, {0: 5, 4: 10, 5: 2, 13: 8}), c70=(40, {12: 12, 13: 10}), c6=(10, {5: 10}), c7=(9, {13: 9}))
B = table(c5=(20, {0: 4, 5: 20, 13: 5}), c70=(10, {11: 6, 13: 9, 14: 1}), c6=(9, {6: 4}), c7=(50, {13: 50}))


def test_points_and_means_by_hand() -> None:
    figures = figures_3_to_8(A, B)
    assert [each.figure for each in figures] == [3, 4, 5, 6, 7, 8]
    points = [[(point.number, point.x, point.y) for point in each.points] for each in figures]
    assert points[0] == [(5, pytest.approx((0.5 + 1.0) / 5), pytest.approx(0.2 / 5)), (70, 0, 0)]
    assert points[1] == [(5, 0.2, 1.0), (70, 0, 0)]
    assert points[2] == [(5, 0, 0), (70, 0, 0)]
    assert points[3] == [(5, 0, 0), (70, pytest.approx(0.3 / 3), pytest.approx(0.6 / 3))]
    assert points[4] == [(5, 0.8, 0.25), (70, 0.25, 0.9)]
    assert points[5] == [(5, 0, 0), (70, 0, 0.1)]
    assert [(point.x_seen_count, point.y_seen_count) for point in figures[0].points] == [(10, 20), (40, 10)]
    # Weighted means of all hands, those of classes that are no points included.
    assert figures[4].x_mean == pytest.approx((8 + 10 + 9) / 69)
    assert figures[4].y_mean == pytest.approx((5 + 9 + 50) / 89)
    assert figures[0].x_mean == pytest.approx(15 / 69 / 5)
    assert [each.correlation for each in figures] == [
        pytest.approx(1),
        pytest.approx(1),
        None,
        pytest.approx(1),
        pytest.approx(-1),
        None,
    ]


def test_figures_of_one_table_lie_on_the_diagonal() -> None:
    for each in figures_3_to_8(B, B):
        assert all(point.x == point.y for point in each.points)
        assert [point.number for point in each.points] == [5, 7, 70]
        assert each.x_mean == each.y_mean


def test_printed_figures(yamafuda: Run) -> None:
    he_table.save(Path("a.parquet"), A)
    he_table.save(Path("b.parquet"), B)
    status, out, err = yamafuda("daifugo-tables", "a.parquet", "b.parquet")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == [
        "a.parquet: rule (10 games, seed 1)",
        "    69 hands, 3 classes seen at least 10 times",
    ]
    begin = lines.index("Figure 7: groups")
    figure = lines[begin + 1 : begin + 22]
    assert [line.partition("|")[0].strip() for line in figure][::5] == [
        "1.00",
        "0.75",
        "0.50",
        "0.25",
        "0.00",
    ]
    marks = {
        (row, column)
        for row, line in enumerate(reversed(figure))
        for column, mark in enumerate(line.partition("|")[2])
        if mark == "1"
    }
    # 20 steps upwards and 50 across are 1.
    assert marks == {(5, 40), (18, 12)}
    assert "2 classes, correlation -1.000; means of all hands 0.391 across, 0.719 upwards" in out


def test_json_lines(yamafuda: Run) -> None:
    he_table.save(Path("a.parquet"), A)
    he_table.save(Path("b.parquet"), B)
    status, out, err = yamafuda("daifugo-tables", "a.parquet", "b.parquet", "--json")
    assert (status, err) == (0, "")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row.get("table") for row in rows] == ["a.parquet", "b.parquet", *[None] * 6]
    assert (rows[0]["hands_count"], rows[0]["classes_count"], rows[0]["often_seen_classes_count"]) == (
        69,
        4,
        3,
    )
    assert rows[0]["sources"][0]["player"] == "rule"
    assert rows[6]["points"][1] == {"number": 70, "x": 0.25, "y": 0.9, "x_seen_count": 40, "y_seen_count": 10}
    assert rows[4]["correlation"] is None


def test_merged_tables_and_runs(yamafuda: Run) -> None:
    run = run_of("daifugo_learn", "games=10", "rank_period=10")
    he_table.save(Path("a.parquet"), replace(A, sources=(replace(A.sources[0], seed=2),)))
    he_table.save(Path("b.parquet"), replace(B, sources=()))
    status, out, err = yamafuda(
        "daifugo-tables", str(run), "a.parquet", "b.parquet", "--merged", "all.parquet"
    )
    assert (status, err) == (0, "")
    assert "Figure" not in out
    merged, learnt = he_table.load("all.parquet"), he_table.load(run)
    assert np.array_equal(merged.seen, learnt.seen + A.seen + B.seen)
    assert np.array_equal(merged.held, learnt.held + A.held + B.held)
    assert len(merged.sources) == 2
    status, out, err = yamafuda("daifugo-tables", "a.parquet", "a.parquet", "--merged", "twice.parquet")
    assert (status, out) == (2, "")
    assert err == "yamafuda: --merged: 10 games of rule (seed 2) are in two of the tables\n"
    assert not Path("twice.parquet").exists()
    status, out, _ = yamafuda("daifugo-tables", run.name[:6], "--json")
    assert status == 0
    assert json.loads(out)["hands_count"] == learnt.seen.sum()
    status, _, err = yamafuda("daifugo-tables", "")
    assert (status, err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.parquet"], "none.parquet: there is no such table"),
        (["a.parquet", "--merged", "all.csv"], "--merged: all.csv must end in .parquet"),
        (["a.parquet", "--player", "rule"], "a.parquet: is a file; only a run has players"),
        (["a.parquet", "--merged", "nowhere/all.parquet"], "nowhere/all.parquet: its folder is not there"),
    ],
)
def test_refusals(yamafuda: Run, words: list[str], message: str) -> None:
    he_table.save(Path("a.parquet"), A)
    status, _, err = yamafuda("daifugo-tables", *words)
    assert status == 2
    assert err.startswith(f"yamafuda: {message}")
    assert err.count("\n") == 1


def test_players_and_runs_that_are_not_there(yamafuda: Run) -> None:
    run = run_of("daifugo_learn", "games=10", "rank_period=10")
    status, _, err = yamafuda("daifugo-tables", str(run), "--player", "mc")
    assert status == 2
    assert "has no player 'mc'; there are: rule" in err
    other = run_of("daifugo_tournament", "players=[rule,rule,rule,rule,rule]", "games=3")
    status, _, err = yamafuda("daifugo-tables", str(other))
    assert status == 2
    assert "is a run of daifugo_tournament; tables are runs of daifugo_learn" in err
