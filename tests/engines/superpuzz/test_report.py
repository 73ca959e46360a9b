"""Table 1 and figure 8 from sweeps, and the intervals in them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from run_helpers import rows_of, run_of

from engines.statistics.bootstrap import mean_interval, mean_range
from engines.superpuzz import report

pytestmark = pytest.mark.usefixtures("workspace")


def test_an_interval_of_skewed_values_leans_to_their_tail() -> None:
    """And holds the true mean about as often as it says, where the normal one does not."""
    random = np.random.default_rng(5)
    held = normal_held = 0
    true_mean = float(np.exp(0.5 * 1.2**2))
    for _ in range(200):
        values = np.exp(random.normal(0, 1.2, 60))
        scaled = [int(value * 1_000_000) for value in values]
        found = mean_interval(scaled)
        assert found is not None
        low, high = found[0] / 1e6, found[1] / 1e6
        mean, error = values.mean(), values.std(ddof=1) / len(values) ** 0.5
        assert high - mean > mean - low > 0
        held += low <= true_mean <= high
        normal_held += abs(mean - true_mean) <= 1.96 * error
    assert normal_held < 180 < held


def test_means_of_few_values_have_no_interval() -> None:
    assert mean_interval([1, 2, 3]) is None
    assert mean_interval([4] * 100) is None


def test_where_means_of_samples_lie() -> None:
    low, high = mean_range(list(range(1001)), 100)
    # The standard error of a mean of 100 is a tenth of 289.
    assert (low, high) == pytest.approx((500 - 1.96 * 28.9, 500 + 1.96 * 28.9), rel=0.02)
    assert mean_range(list(range(1001)), 100) == (low, high)


def test_sizes_are_those_of_the_rows() -> None:
    run_of("superpuzz_sweep", "columns=2", "deals=40", "mode=census")
    run = run_of("superpuzz_sweep", "columns=3", "deals=200", "mode=census")
    run_of("superpuzz_sweep", "columns=3", "deals=20", "mode=census", "seed=5")
    run_of("superpuzz_sweep", "columns=4", "deals=20", "mode=decide")
    run_of("superpuzz_sweep", "columns=4", "deals=20", "mode=census", "order=breadth")
    two, three = report.census_sizes(Path("results"))
    rows = rows_of(run)
    assert (two.columns, two.lost_count, two.lost_states) == (2, 0, None)
    assert (three.columns, three.deals_count, three.deals_planned, three.open_count) == (3, 200, 200, 0)
    states = [row["states_count"] for row in rows]
    assert (three.states.value, three.states_min, three.states_max) == (
        sum(states) / 200,
        min(states),
        max(states),
    )
    assert three.paper is not None
    assert three.paper_mean_low < three.paper.states_mean < three.paper_mean_high
    assert three.states.low is not None
    assert three.states.high is not None
    assert three.states.low < three.states.value < three.states.high
    assert three.lost_count == sum(row["outcome"] == "lost" for row in rows) > 0
    assert three.lost_share_low < three.lost_count / 200 < three.lost_share_high
    won = [row for row in rows if row["outcome"] == "won"]
    assert three.moves is not None
    assert three.moves.value == pytest.approx(sum(row["moves_count"] for row in won) / len(won))


def test_open_deals_count_as_far_as_they_were_counted() -> None:
    run_of("superpuzz_sweep", "columns=4", "deals=30", "mode=census", "limits.states=3000")
    (four,) = report.census_sizes(Path("results"))
    assert 0 < four.open_count < 30
    assert (four.states_max, four.deals_count) == (3000, 30)
    printed = command()
    assert f"{four.open_count} deals hit a limit" in printed
    assert "≥ 3,000" in printed


def test_deals_after_a_gap_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.superpuzz.sweep.SuperpuzzSweep.unit_items_count", lambda sweep: 5)
    run = run_of("superpuzz_sweep", "columns=2", "deals=30", "mode=census")
    (run / "data" / "part-000004.parquet").unlink()
    (two,) = report.census_sizes(Path("results"))
    assert (two.deals_count, two.deals_planned) == (20, 30)
    assert "20 of 30" in command()
    assert "the run is not done" in command()


def command(*words: str) -> str:
    """What ``yamafuda report superpuzz`` prints."""
    line = [sys.executable, "-c", "from pipeline.cli import main; main()", "report", "superpuzz", *words]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def test_the_command() -> None:
    assert command().startswith("0 sizes; runs are in ")
    run_of("superpuzz_sweep", "columns=2", "deals=30", "mode=census")
    run_of("superpuzz_sweep", "columns=3", "deals=30", "mode=census")
    printed = command()
    assert "3,064" in printed  # the paper's mean
    assert "7 of 100" in printed
    chart = printed[printed.index("Figure 8") :].splitlines()
    assert [line.split() for line in chart[2:4]] == [["2", "b", "m", "x"], ["3", "b", "m", "x"]]
    lines = [json.loads(line) for line in command("--json").splitlines()]
    assert [(line["columns"], line["paper"]["lost_count"]) for line in lines] == [(2, 0), (3, 7)]


def test_other_games_are_named() -> None:
    line = [sys.executable, "-c", "from pipeline.cli import main; main()", "report", "chess"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 2
    assert "there is no game 'chess' here; there are: calculation, " in done.stderr
    assert len(done.stderr.splitlines()) == 1
