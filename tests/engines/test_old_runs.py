"""Runs of old, in which an item is a row and some columns have other names, are read as they were then."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

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
