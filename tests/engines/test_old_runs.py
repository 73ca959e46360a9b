"""Runs of old, in which an item is a row and some columns have other names, are read as they were then."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import engines.calculation.report
import engines.daifugo.report
import engines.tricks.report
from engines.contract.game import Roots
from engines.daifugo import he_table

RUNS = Path(__file__).parent / "old_runs"


@pytest.mark.parametrize(
    ("name", "report"),
    [
        ("tournament", engines.daifugo.report.report),
        ("begun", engines.daifugo.report.report),
        ("statements", engines.tricks.report.report),
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
    assert printed.keys() - told.keys() == {"lost_count", "open_count", "won_share_max"}


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
