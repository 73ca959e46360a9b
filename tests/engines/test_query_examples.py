"""The worked examples of ``yamafuda query``: each finds in small runs what numpy and scipy find in their rows."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from command_helpers import Run
from run_helpers import finished_run
from scipy.stats import binomtest, t

from engines.contract.registry import games
from engines.statistics.intervals import paired_difference
from pipeline.config import composing
from pipeline.query.examples import Example, answer_of, example_named, examples
from storage.dataset import read_rows
from storage.errors import UserError

JOBS = [
    *(f"superpuzz_census job.columns={columns} job.deals=30" for columns in (2, 4)),
    # The same deals are open here, and count once.
    "superpuzz_sweep job.columns=4 job.deals=30 job.limits.states=100",
    "superpuzz_sweep job.columns=5 job.deals=20 job.limits.states=100",
    *(f"klondike_sweep job.redeals={redeals} job.deals=40 job.limits.states=20000" for redeals in (0, 2)),
    "klondike_sweep job.deals=20 job.limits.states=2000",
    "tricks_table job.cards=3",
    "tricks_theorems job.cards=3",
    "stackgame_table job.cards=3",
    "daifugo_tournament job.games=24 job.rank_period=3 job.players=[rule,rand,rand,rule,rule]",
    "calculation_sweep job.ranks=4 job.deals=30",
    "calculation_sweep job.ranks=4 job.deals=30 job.keep=2",
]


Runs = Mapping[str, pd.DataFrame]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """The rows of each run by its words; ``query`` finds the runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("examples"))
        for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
            patch.delenv(name, raising=False)
        yield {words: rows_of(finished_run(*f"job={words}".split())) for words in JOBS}


def rows_of(run: Path) -> pd.DataFrame:
    found: pd.DataFrame = read_rows(run).to_pandas()
    return found


def rows_like(runs: Runs, job: str) -> list[pd.DataFrame]:
    return [rows for words, rows in runs.items() if words.split()[0] == job]


def redeals_of(rows: pd.DataFrame) -> int | None:
    first = rows["redeals"][0]
    return None if pd.isna(first) else int(first)


def asked(name: str) -> list[dict[str, Any]]:
    found = answer_of(example_named(name), with_unfinished=False)
    return [dict(zip(found.names, row, strict=True)) for row in found.rows]


def wilson(count: int, total: int) -> tuple[float, float]:
    found = binomtest(int(count), int(total)).proportion_ci(method="wilson")
    return pytest.approx(found.low, abs=5.1e-5), pytest.approx(found.high, abs=5.1e-5)


@pytest.mark.parametrize("example", examples(), ids=lambda each: each.name)
def test_an_example_says_what_makes_its_runs(example: Example) -> None:
    assert 20 < len(example.title) < 100
    assert example.commands
    assert all(len(line) <= 120 for line in example.sql.splitlines())
    made = set()
    with composing(None) as composer:
        for command in filter(lambda each: "job=" in each, example.commands):
            words = [word for word in shlex.split(command)[2:] if word != "-m"]
            fixed = [f"{word.partition('=')[0]}={first_value(word)}" for word in words]
            made.add(composer.compose(fixed).job.name)
    assert set(example.kinds) <= made


def first_value(word: str) -> str:
    """Of a series of values."""
    value = word.partition("=")[2]
    return value.removeprefix("range(").partition(",")[0]


def test_there_are_some_of_every_game_and_all_have_rows(runs: Runs) -> None:
    names = [each.name for each in examples()]
    assert len(names) == len(set(names)) >= 10
    assert all(asked(name) for name in names)
    shipped = {game.name for game in games() if type(game).__module__.startswith("engines.")}
    assert shipped <= {kind.split("_")[0] for each in examples() for kind in each.kinds}


def test_solvability(runs: Runs) -> None:
    by_columns = {int(rows["columns"][0]): rows for rows in rows_like(runs, "superpuzz_sweep")}
    by_columns |= {int(rows["columns"][0]): rows for rows in rows_like(runs, "superpuzz_census")}
    found = asked("solvability-by-columns")
    assert {row["columns"] for row in found} == by_columns.keys()
    for row in found:
        outcomes = by_columns[row["columns"]]["outcome"]
        won, lost, count = int((outcomes == "won").sum()), int((outcomes == "lost").sum()), len(outcomes)
        assert (row["deals"], row["won"], row["lost"]) == (count, won, lost)
        assert (row["won_share_low"], row["won_share_high"]) == (
            wilson(won, count)[0],
            wilson(count - lost, count)[1],
        )
    assert found[-1]["open"] > 0


def test_states_against_depth(runs: Runs) -> None:
    rows = pd.concat(rows_like(runs, "superpuzz_census"))
    won = rows[rows["outcome"] == "won"]
    found = [row for row in asked("states-against-depth") if row["mode"] == "census"]
    assert sum(row["deals"] for row in found) == len(won)
    for row in found:
        part = won[
            (won["columns"] == row["columns"])
            & won["moves_count"].between(row["moves_from"], row["moves_to"])
        ]
        states = part["states_count"].to_numpy()
        assert (row["deals"], row["fewest_states"], row["most_states"]) == (
            len(states),
            states.min(),
            states.max(),
        )
        assert row["middle_states"] == pytest.approx(np.exp(np.log(states).mean()), abs=0.51)


def test_hardest_deals(runs: Runs) -> None:
    all_rows = rows_like(runs, "klondike_sweep")
    states = np.concatenate([rows["states_count"] for rows in all_rows])
    found = asked("hardest-deals")
    assert [row["states_count"] for row in found] == sorted(states, reverse=True)[:20]
    medians = {redeals_of(rows): np.median(rows["states_count"]) for rows in all_rows}
    for row in found:
        assert row["times_median"] == pytest.approx(row["states_count"] / medians[row["redeals"]], abs=0.51)


def test_paired_differences(runs: Runs) -> None:
    by_redeals = {}
    for rows in rows_like(runs, "klondike_sweep"):
        decided = rows[rows["outcome"] != "undecided"].set_index("deal_index")["outcome"] == "won"
        by_redeals[redeals_of(rows)] = decided
    found = {(row["redeals"], row["more_redeals"]): row for row in asked("paired-differences")}
    assert found.keys() == {(0, 2), (0, None), (2, None)}
    for (fewer, more), row in found.items():
        pairs = pd.concat([by_redeals[more], by_redeals[fewer]], axis=1, join="inner").to_numpy()
        first, second = pairs.T
        cells = [int((a & b).sum()) for a, b in itertools.product((first, ~first), (second, ~second))]
        expected = paired_difference(*cells)
        assert row["deals"] == len(pairs)
        assert (row["won_with_more"], row["won_with_fewer"]) == (first.sum(), second.sum())
        told = [row[f"difference{end}"] for end in ("", "_low", "_high")]
        assert told == pytest.approx(expected, abs=5.1e-5)


def test_undecided_by_limit(runs: Runs) -> None:
    expected = {}
    for rows in rows_like(runs, "klondike_sweep"):
        is_open = rows["outcome"] == "undecided"
        expected[redeals_of(rows)] = (is_open.sum(), is_open.mean(), rows["states_count"][is_open].max())
    found = asked("undecided-by-limit")
    assert {row["limit"] for row in found} == {"states"}
    for row in found:
        count, share, most = expected[row["redeals"]]
        assert (row["deals"], row["most_states"]) == (count, most)
        assert row["share"] == pytest.approx(share, abs=5.1e-5)


def test_rate_by_host(runs: Runs) -> None:
    rows = pd.concat(rows_like(runs, "klondike_sweep"))
    found = asked("rate-by-host")
    assert sum(row["deals"] for row in found) == len(rows)
    assert {row["host"] for row in found} == set(rows["host"])
    assert sum(row["core_s"] for row in found) == pytest.approx(rows["elapsed_s"].sum(), abs=0.002)
    for row in found:
        if row["redeals"] == 2:
            of_rules = rows[rows["redeals"] == 2]
            rate = 3600 * len(of_rules) / of_rules["elapsed_s"].sum()
            assert row["deals_per_core_hour"] == pytest.approx(rate, abs=0.51)


def test_counterexamples(runs: Runs) -> None:
    (rows,) = rows_like(runs, "tricks_theorems")
    found = asked("counterexamples")
    grouped = rows.groupby(["statement", "hands"])
    wrong = {key: part for key, part in grouped if (part["cases_obeying_count"] < part["cases_count"]).any()}
    assert {(row["statement"], row["hands"]) for row in found} == wrong.keys()
    for row in found:
        part = wrong[row["statement"], row["hands"]]
        assert row["cases"] == part["cases_count"].sum()
        assert row["cases_obeying"] == part["cases_obeying_count"].sum()
        first = part[part["counterexample"].notna()].sort_values(["cards", "above", "k"]).iloc[0]
        assert [row[name] for name in ("cards", "k", "counterexample", "leader", "gain")] == [
            first[name] for name in ("cards", "k", "counterexample", "leader", "gain")
        ]


def test_layers_of_a_table(runs: Runs) -> None:
    (rows,) = rows_like(runs, "stackgame_table")
    above = 0
    for row, more in zip(asked("value-quantiles"), asked("states-by-layer"), strict=True):
        layer = rows[rows["layer"] == row["layer"]]
        states = layer["states_count"].sum()
        assert row["layer"] == more["layer"]
        assert row["states"] == more["states"] == states
        assert row["mean"] == pytest.approx(layer["value_sum"].sum() / states, abs=1e-6)
        assert more["times_layer_above"] == (pytest.approx(states / above, abs=1e-3) if above else None)
        above = states
        quantiles = np.stack(layer["value_quantiles"].to_list())
        middle = np.average(quantiles[:, 2], weights=layer["states_count"])
        told = row["least"], row["median"], row["largest"]
        assert told == pytest.approx((quantiles[:, 0].min(), middle, quantiles[:, 4].max()), abs=1e-6)


def test_players(runs: Runs) -> None:
    (rows,) = rows_like(runs, "daifugo_tournament")
    found = asked("players-with-intervals")
    assert len(found) == rows["player"].nunique()
    for row in found:
        part = rows[rows["player"] == row["player"]]
        matches = part.groupby("match")["points"].mean().to_numpy()
        assert (row["games"], row["matches"]) == (len(part), len(matches))
        half = t.ppf(0.975, len(matches) - 1) * matches.std(ddof=1) / np.sqrt(len(matches))
        told = row["points_a_game"], row["points_a_game_low"], row["points_a_game_high"]
        centre = part["points"].mean()
        assert told == pytest.approx((centre, centre - half, centre + half), abs=0.01)


def test_players_of_calculation(runs: Runs) -> None:
    expected = {int(rows["keep"][0]): rows for rows in rows_like(runs, "calculation_sweep")}
    found = asked("players-side-by-side")
    assert len(found) == len(expected)
    for row in found:
        rows = expected[row["keep"]]
        won = int((rows["outcome"] == "won").sum())
        assert (row["decks"], row["won"]) == (len(rows), won)
        assert (row["won_share_low"], row["won_share_high"]) == wilson(won, len(rows))
        assert row["cards_left_a_game"] == pytest.approx(rows["left_count"].mean(), abs=5.1e-4)


def test_runs_side_by_side(runs: Runs) -> None:
    found = asked("runs-side-by-side")
    ids = {rows["run_id"][0]: len(rows) for rows in runs.values()}
    assert len(found) == len(ids) == len(JOBS)
    assert {row["state"] for row in found} == {"done"}
    for row in found:
        assert row["started"] <= row["finished"]
        if row["job"] in ("klondike_sweep", "superpuzz_sweep", "calculation_sweep"):
            assert row["items_count"] in set(ids.values())
            assert row["items_per_s"] > 0


def test_what_it_needs_is_told_in_one_line(workspace: Path, yamafuda: Run) -> None:
    finished_run("job=tricks_table", "job.cards=2")
    with pytest.raises(
        UserError, match=r"no finished run of klondike_sweep; make one: yamafuda run job=klond"
    ):
        asked("hardest-deals")
    status, out, err = yamafuda("query", "--example", "hardest-deals")
    assert (status, out, err.count("\n")) == (2, "", 1)
    status, _, err = yamafuda("query", "--example", "hardest_deal")
    assert (status, err.count("\n")) == (2, 1)
    assert "did you mean hardest-deals?" in err


def test_the_command(runs: Runs, yamafuda: Run, tmp_path: Path) -> None:
    status, out, _ = yamafuda("query", "--examples", "--json")
    listed = [json.loads(line) for line in out.splitlines()]
    assert (status, [each["name"] for each in listed]) == (0, [each.name for each in examples()])
    status, out, _ = yamafuda("query", "--example", "states-by-layer", "--show")
    assert (status, out) == (0, example_named("states-by-layer").sql)
    file = tmp_path / "layers.parquet"
    assert yamafuda("query", "--example", "states-by-layer", "-o", str(file)) == (0, "", "")
    assert pd.read_parquet(file)["states"].tolist() == [row["states"] for row in asked("states-by-layer")]
    for words in (["SELECT 1", "--example", "x"], ["--example", "x", "--examples"], ["--show"]):
        status, out, err = yamafuda("query", *words)
        assert (status, out, err.count("\n")) == (2, "", 1)
