"""Finished tables that others read: found by their job, or said how to build; their files are the manifest's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import toy
from toy_helpers import compose, summary

from engines.contract.job import Estimate
from engines.tables.finished import FinishedTable
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.errors import DamagedFileError, UserError


def engine(layers: int = 4) -> toy.ToyTable:
    return toy.ToyTable(toy.ToyTableJob("toy_table", layers=layers))


def test_a_finished_table_is_found_by_its_job(workspace: Path) -> None:
    _, run = run_job(compose("job=toy_table"), SerialRunner())
    for found in (
        FinishedTable.find(run.parent.parent, engine()),
        FinishedTable.need(run.parent.parent, engine()),
    ):
        assert found is not None
        assert found.layout.run_dir == run
        assert found.summary() == summary(run)
        path = found.layout.shard(1, 0)
        assert found.record(path).size_bytes == path.stat().st_size
    with pytest.raises(DamagedFileError, match="not in the run's manifest"):
        found.record(run / "shards" / "other")


def test_one_that_is_not_finished_is_said_with_the_way_to_build_it(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, run = run_job(compose("job=toy_table"), SerialRunner())
    assert FinishedTable.find(run.parent.parent, engine(5)) is None
    with pytest.raises(UserError, match=r"build it with: yamafuda run job=toy_table job.layers=5; or not$"):
        FinishedTable.need(run.parent.parent, engine(5), "; or not")
    monkeypatch.setattr(toy.ToyTable, "estimate", lambda self: Estimate(1, 1, 90.0), raising=False)
    (run / "manifest.json").unlink()
    with pytest.raises(
        UserError, match=rf"{run}: .* yamafuda run job=toy_table \(about 1.5 minutes of one core\)$"
    ):
        FinishedTable.need(run.parent.parent, engine())


def test_a_summary_of_another_time_is_refused(workspace: Path) -> None:
    _, run = run_job(compose("job=toy_table"), SerialRunner())
    changed = summary(run) | {"total": 0}
    (run / "summary.json").write_text(json.dumps(changed))
    with pytest.raises(DamagedFileError, match=r"summary\.json"):
        FinishedTable.need(run.parent.parent, engine())
