"""``yamafuda report daifugo``: made-up summaries of which every number is known, and a real run."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from command_helpers import Run
from run_helpers import run_of

from engines.daifugo import paper
from engines.daifugo.entries import Entry, entries_of, pooled
from engines.daifugo.report import parts_of
from engines.daifugo.tournament_runs import read_summaries
from storage.dataset import read_rows

pytestmark = pytest.mark.usefixtures("workspace")


def entry(opponents: str, seed: int, difference: float, error: float, **more: Any) -> Entry:
    values: dict[str, Any] = {
        "opponents": opponents,
        "player": "rand_d",
        "changed": "",
        "playouts": 1500,
        "games_count": 10_000,
        "seed": seed,
        "points": 30_000 + difference,
        "points_se": 140.0,
        "playouts_per_s": 1.0,
        "ranks": "own",
        "difference": difference,
        "difference_se": error,
        "difference_low": difference - 1.96 * error,
        "difference_high": difference + 1.96 * error,
        "in_matches": difference,
        "in_matches_se": error,
        "paper_points": paper.TABLE_1[opponents]["rand_d"],
        "paper_difference": paper.difference(opponents, "rand_d"),
    }
    return Entry(**values | more)


def test_the_paper_s_table() -> None:
    assert [paper.difference("rule", name) for name in paper.TITLES] == [None, 762, -228, -331, 461, -86]
    assert [paper.difference("strong", name) for name in paper.TITLES] == [None, 350, -7, 235, -47, 151]
    assert [paper.difference("rand", name) for name in paper.TITLES] == [None, 519, 251, 290, -298, 600]
    assert paper.difference("random", "rand_d") is None


def test_differences_are_pooled_over_opponents_with_deals_of_their_own() -> None:
    (found,) = pooled([entry("rule", 1, 100, 30), entry("strong", 2, 400, 40), entry("rand", 3, 100, 120)])
    assert (found.opponents, found.player, found.games_count) == ("all", "rand_d", 30_000)
    assert found.difference == pytest.approx(200)
    assert found.difference_se == pytest.approx(math.sqrt(30**2 + 40**2 + 120**2) / 3)
    assert found.paper_difference == round((762 + 350 + 519) / 3)
    assert pooled([entry("rule", 1, 100, 30)]) == []
    assert pooled([entry("rule", 1, 100, 30), entry("rand", 1, 100, 30)]) == []
    assert pooled([entry("rule", 1, 100, 30), entry("rand", 2, 100, 30, playouts=750)]) == []
    assert pooled([entry("rule", 1, 100, 30), entry("rand", 2, 100, 30, ranks="shared")]) == []


def test_runs_beside_the_paper(yamafuda: Run) -> None:
    run = ["run", "job=daifugo_tournament", "job.games=4", "job.kinds.rand.exchange_playouts=1500"]
    players = "job.players=[rule,rule,rule,rule,rand]"
    # Not the paper's player: nothing of it is beside the paper.
    assert yamafuda(*run, players, "job.variants=[rand_d@20]")[0] == 0
    assert entries_of(read_summaries(Path("results"))) == []
    assert [(part.of, part.player) for part in parts_of(read_summaries(Path("results")))] == [
        ("rand", "rand"),
        ("rand", "rand_d@20"),
    ]
    run = ["run", "job=daifugo_tournament", "job.games=8"]
    assert yamafuda(*run, players, "job.variants=[rand_d,rand_d@20]", "job.seed=2")[0] == 0
    entries = {(each.player, each.playouts): each for each in entries_of(read_summaries(Path("results")))}
    assert list(entries) == [("rand", 1500), ("rand_d", 20), ("rand_d", 1500)]
    # Of two runs the one of more games counts.
    assert {(each.games_count, each.seed) for each in entries.values()} == {(8, 2)}
    plans = [path for path in Path("results").glob("*/*/plan.json") if '"games": 8,' in path.read_text()]
    (folder,) = [path.parent for path in plans]
    summary = json.loads((folder / "summary.json").read_text())
    told = entries["rand_d", 1500]
    assert told.points == pytest.approx(10_000 * summary["variants"][1]["points"][4] / 8)
    assert told.difference == summary["differences"][0]["points_10000_games"]
    assert (told.paper_points, told.paper_difference) == (28731, 762)
    assert (entries["rand_d", 20].paper_points, entries["rand", 1500].paper_points) == (None, 27969)

    status, out, err = yamafuda("report", "daifugo")
    assert (status, err) == (0, "")
    assert "Table 1: " in out
    assert "Other players: " in out
    assert "Other numbers of playouts: " in out
    assert "Figure 9" not in out
    assert "28731" in out
    status, out, _ = yamafuda("report", "daifugo", "--json")
    names = [json.loads(line)["player"] for line in out.splitlines()]
    assert names == ["rand", "rand_d", "rand_d", "rand", "rand_d@20"]


def test_the_first_matches_of_a_run_that_is_not_done_count(yamafuda: Run) -> None:
    """As if the run had been one of so many games; units after the first that is missing do not count."""
    players = (
        "players=[rule,rule,rule,rule,mc]",
        "kinds.mc.playouts=30",
        "kinds.rand_d.playouts=30",
        "rank_period=2",
    )
    variants = "variants=[rand_d]"
    run = run_of("daifugo_tournament", *players, variants, "games=40")
    whole = list(parts_of(read_summaries(Path("results"))))
    assert [(part.games_count, part.unfinished) for part in whole] == [(40, False)] * 2
    for name in ("manifest.json", "summary.json"):
        (run / name).unlink()
    assert [replace(part, unfinished=False) for part in parts_of(read_summaries(Path("results")))] == whole
    rows = read_rows(run, ["index"])
    folder = run / "data"
    (file,) = folder.glob("*.parquet")
    table = pq.read_table(file)
    # Five matches and a part of one, and then some of the last.
    kept = np.r_[0:103, 300 : len(rows)]
    pq.write_table(table.take(kept), file)
    status, out, err = yamafuda("report", "daifugo")
    assert (status, err) == (0, "")
    assert f"{run.name}: not done, 10 of 40 games count" in out
    shorter = run_of("daifugo_tournament", *players, variants, "games=10")
    assert shorter != run
    ours, theirs = (
        [part for part in parts_of(read_summaries(Path("results"))) if part.unfinished == told]
        for told in (True, False)
    )
    assert [replace(part, unfinished=False, elapsed_s_a_game=0) for part in ours] == [
        replace(part, elapsed_s_a_game=0) for part in theirs
    ]
    assert len(ours) == 2
    plan = json.loads((run / "plan.json").read_text())
    del plan["job"]["variants"]
    (run / "plan.json").write_text(json.dumps(plan))
    status, _, err = yamafuda("report", "daifugo")
    assert (status, len(err.splitlines())) == (0, 1)
    assert "plan.json: is not a plan" in err


def test_changed_players_are_beside_those_of_the_paper() -> None:
    """More games of a player with other options do not take the place of the paper's, nor have its figures."""
    players = "players=[rule,rule,rule,rule,mc]"
    run_of("daifugo_tournament", players, "variants=[rand_d]", "games=2")
    run_of("daifugo_tournament", players, "variants=[rand_d]", "games=3", "kinds.rand_d.c=0.01")
    run_of("daifugo_tournament", players, "games=4")
    run_of("daifugo_tournament", players, "games=5", "kinds.mc.c=0.01")
    found = {(each.player, each.changed): each for each in entries_of(read_summaries(Path("results")))}
    assert {key: each.games_count for key, each in found.items()} == {
        ("rand", ""): 4, ("rand_d", ""): 2, ("rand_d", "c=0.01"): 3
    }  # fmt: skip
    assert found["rand", ""].paper_points == 27969
    assert [found["rand_d", changed].paper_difference for changed in ("", "c=0.01")] == [762, None]
    assert [(part.of, part.games_count) for part in parts_of(read_summaries(Path("results")))] == [("mc", 5)]


def test_figure_9(yamafuda: Run) -> None:
    words = [
        "run",
        "job=daifugo_tournament",
        "job.players=[rand]",
        "job.games=2",
        "job.variants=[rand_d@50,rand@50]",
    ]
    assert yamafuda(*words)[0] == 0
    out = yamafuda("report", "daifugo")[1]
    lines = out[out.index("Figure 9") :].splitlines()[1:5]
    assert [line.split()[0] for line in lines] == ["playouts", "50", "1500", "paper"]
    assert lines[0].split() == ["playouts", "Rand", "Rand/D"]
    assert lines[3].split() == ["paper", "2.999", "3.051"]


def test_parts(yamafuda: Run) -> None:
    words = ["run", "job=daifugo_tournament", "job.players=[rule,rule,rule,random,rand_d@20]", "job.games=20"]
    assert yamafuda(*words, "job.variants=[rule,chain@5]", "job.rank_period=10")[0] == 0
    base, rule, chain = parts_of(read_summaries(Path("results")))
    assert {part.opponents for part in (base, rule, chain)} == {"rule, rule, rule, random"}
    assert (base.difference, rule.playouts_a_game) == (None, 0)
    assert chain.playouts_a_game > 0 < chain.elapsed_s_a_game
    assert rule.difference == pytest.approx(rule.points - base.points)
    out = yamafuda("report", "daifugo")[1]
    assert out.splitlines()[0].startswith("Other players: ")
    assert [line.split()[-3:-1] for line in out.splitlines()[3:4]] == [[f"{rule.difference_high:+.3f}", "0"]]


def test_no_runs(yamafuda: Run) -> None:
    status, out, err = yamafuda("report", "daifugo")
    assert (status, err) == (0, "")
    assert out == f"0 players; runs are in {Path('results').resolve()}\n"
