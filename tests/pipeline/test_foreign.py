"""What lies in a run and is not its own: parts cut otherwise, parts and plans of other runs, folders for files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from toy_helpers import Yamafuda, change_records, compose, records, summary

from pipeline.run import DONE, plan_run, run_job
from pipeline.runners.serial import SerialRunner
from storage.manifest import verify_manifest

NESTED = "[" * 100_000


def finished(*words: str) -> Path:
    status, run = run_job(compose("job=toy_sweep", *words), SerialRunner())
    assert status == DONE
    return run


def rows_count(run: Path) -> int:
    return sum(pq.ParquetFile(path).metadata.num_rows for path in (run / "data").iterdir())


def test_units_that_an_earlier_version_cut_otherwise_are_not_counted_twice(yamafuda: Yamafuda) -> None:
    planned = plan_run(compose("job=toy_sweep"))
    plan = planned.plan | {"unit_items_count": 20, "units_count": 1}
    planned.layout.run_dir.mkdir(parents=True)
    planned.layout.plan.write_text(json.dumps(plan))
    run = finished()
    digest = summary(run)["content_digest"]
    assert [path.name for path in (run / "data").iterdir()] == ["part-000000.parquet"]
    (run / "plan.json").write_text("{")
    assert yamafuda("verify", run.name, "--repair").returncode == 1
    assert finished() == run
    assert rows_count(run) == summary(run)["items_count"] == 20
    assert summary(run)["content_digest"] == digest
    answer = yamafuda("query", "--json", "SELECT count(*)::INT AS rows FROM toy_sweep")
    assert json.loads(answer.stdout) == {"rows": 20}


@pytest.mark.parametrize("name", ["part-000099.parquet", "part-000099-a2.parquet"])
def test_a_part_that_is_no_units_is_removed_and_not_adopted(
    name: str, yamafuda: Yamafuda, capfd: pytest.CaptureFixture[str]
) -> None:
    run = finished()
    shutil.copy(run / "data" / "part-000000.parquet", run / "data" / name)
    asked = yamafuda("query", "SELECT count(*) FROM toy_sweep_rows")
    assert f"{name}: is not in the run's manifest; left out" in asked.stderr
    capfd.readouterr()
    assert finished() == run
    assert f"{name}: no unit of this run writes this; removed" in capfd.readouterr().err
    assert rows_count(run) == 20
    assert list(verify_manifest(run)) == []


@pytest.mark.parametrize("is_finished", [True, False])
def test_the_plan_of_another_run(is_finished: bool, yamafuda: Yamafuda) -> None:
    run, other = finished(), finished("job.seed=2")
    digest = summary(run)["content_digest"]
    shutil.copy(other / "plan.json", run / "plan.json")
    if not is_finished:
        (run / "manifest.json").unlink()
    for words in (["status", "--all"], ["query", "SELECT name FROM runs"]):
        told = yamafuda(*words)
        assert told.returncode == 0
        assert f"{run}/plan.json: is the plan of another run" in told.stderr
        assert other.name in told.stdout
    assert yamafuda("verify", run.name, "--repair").returncode == 1
    assert finished() == run
    assert summary(run)["content_digest"] == digest


@pytest.mark.parametrize(
    "name", ["units/records-000001.jsonl", "journal.jsonl", "progress.json", "staging/x.tmp"]
)
def test_a_folder_where_a_file_should_be_stops_no_driver(name: str) -> None:
    run = finished()
    digest = summary(run)["content_digest"]
    (run / "manifest.json").unlink()
    (run / name).unlink(missing_ok=True)
    (run / name / "inside").mkdir(parents=True)
    assert finished() == run
    assert summary(run)["content_digest"] == digest
    assert not (run / name).is_dir()


def test_a_folder_in_place_of_the_lock_is_removed(yamafuda: Yamafuda) -> None:
    run = finished()
    (run / "driver.lock").unlink()
    (run / "driver.lock").mkdir()
    assert "is a folder where a file should be" in yamafuda("verify", run.name, "--repair").stdout
    finished()
    assert list(verify_manifest(run)) == []


@pytest.mark.parametrize("path", [5, None, "/outside", "data/../../../../outside"])
def test_a_record_of_a_file_elsewhere_is_none(path: object, tmp_path: Path) -> None:
    run = finished()
    count = len(records(run))
    change_records(run, lambda record: record | {"path": path} if record["unit"]["first"] == 5 else record)
    assert len(records(run)) == count - 1
    outside = run.parents[2] / "outside"
    outside.write_text("somebody's")
    (run / "manifest.json").unlink()
    finished()
    assert outside.read_text() == "somebody's"


@pytest.mark.parametrize("name", ["elapsed_s", "peak_bytes"])
def test_a_record_of_other_types_is_none(name: str) -> None:
    run = finished()
    count = len(records(run))
    change_records(run, lambda record: record | {name: {}} if record["unit"]["first"] == 5 else record)
    assert len(records(run)) == count - 1


@pytest.mark.parametrize("size", [10**30, 1, float("inf"), 0, "x"])
def test_a_plan_whose_counts_do_not_go_together_is_mended(size: object, yamafuda: Yamafuda) -> None:
    run = finished()
    digest = summary(run)["content_digest"]
    (run / "manifest.json").unlink()
    for name in ("unit_items_count", "units_count"):
        plan = json.loads((run / "plan.json").read_text())
        (run / "plan.json").write_text(json.dumps(plan | {name: size}))
        assert yamafuda("verify", run.name, "--repair").returncode == 1
        assert finished() == run
        assert summary(run)["content_digest"] == digest


@pytest.mark.parametrize("name", ["journal.jsonl", "summary.json", "plan.json", "manifest.json"])
def test_json_nested_beyond_all_measure_stops_nobody_else(name: str, yamafuda: Yamafuda) -> None:
    run, other = finished(), finished("job.seed=2")
    (run / name).write_text(NESTED)
    for words in (["status", "--all"], ["query", "SELECT name FROM runs"]):
        told = yamafuda(*words)
        assert told.returncode == 0, told.stderr
        assert other.name in told.stdout
        assert "Recursion" not in told.stderr


@pytest.mark.parametrize("keeps_summary", [True, False])
def test_without_a_journal_larger_limits_take_again_what_was_undecided(keeps_summary: bool) -> None:
    few, more, many = (f"job.limits.steps_count={count}" for count in (5, 10, 99))
    finished(few)
    run = finished(more)
    assert summary(run)["outcomes"]["undecided"] > 0
    (run / "journal.jsonl").unlink()
    if not keeps_summary:
        (run / "manifest.json").unlink()
        (run / "summary.json").unlink()
    finished(many)
    assert "undecided" not in summary(run)["outcomes"]
    assert rows_count(run) == 20
