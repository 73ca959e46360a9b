"""Runs of the toy engines under both runners: results, resuming, attempts, failures."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import toy
from toy_helpers import change_records, compose, records, summary

from pipeline.contracts.units import Units
from pipeline.journal import read_history
from pipeline.run import DONE, FAILED, plan_run, run_job
from pipeline.runners.base import Runner
from pipeline.runners.serial import SerialRunner
from pipeline.series import run_series
from pipeline.status import read_status
from pipeline.tasks import Task
from pipeline.upkeep import open_run
from pipeline.worker import execute
from storage.dataset import part_paths, read_rows
from storage.errors import DiskFullError, UserError
from storage.layout import run_folders
from storage.manifest import verify_manifest

pytestmark = pytest.mark.ray

Faults = Callable[..., str]


def rows_of(run: Path) -> list[tuple[int, str, int]]:
    table = read_rows(run, ["index", "outcome", "attempt"])
    return [tuple(row.values()) for row in table.to_pylist()]


def outcome(index: int, limit: int, seed: int = 1) -> str:
    needed = toy.steps(seed, index)
    return "undecided" if needed > limit else "won" if needed % 2 else "lost"


def test_sweep(runner: Runner) -> None:
    status, run = run_job(compose("job=toy_sweep", "job.items=23"), runner)
    assert status == DONE
    assert rows_of(run) == [(index, outcome(index, 10), 1) for index in range(23)]
    table = pq.read_table(run / "data" / "part-000001.parquet")
    assert table.schema.names[:5] == ["run_id", "attempt", "seed", "index", "outcome"]
    assert table.schema.names[-1] == "steps_count"
    assert set(table["run_id"].to_pylist()) == {summary(run)["run_id"]}
    figures = summary(run)
    assert figures["items_count"] == 23
    assert sum(figures["outcomes"].values()) == 23
    assert figures["toys"] == "swept"
    assert figures["units_computed_count"] == 5
    assert figures["items_per_s"] > 0
    assert figures["peak_bytes"] > 10 << 20
    assert list(verify_manifest(run)) == []
    assert not (run / "staging").exists()


def test_table(runner: Runner) -> None:
    status, run = run_job(compose("job=toy_table", "job.shards=3"), runner)
    assert status == DONE
    figures = summary(run)
    assert (figures["states_count"], figures["units_computed_count"]) == (12, 36)
    assert figures["states_per_s"] > 0
    assert sorted(path.name for path in (run / "shards").iterdir()) == [
        f"L{layer:02d}-S{shard:03d}.lmdb" for layer in range(1, 5) for shard in range(3)
    ]
    assert not (run / "work").exists()
    rows = pq.read_table(run / "data" / "part-layers.parquet").to_pylist()
    assert [(row["layer"], row["shard"]) for row in rows] == [
        (layer, shard) for layer in (4, 3, 2, 1) for shard in range(3)
    ]
    assert all(row["states_count"] == 1 and row["quantiles"][1] == row["total"] for row in rows)
    assert list(verify_manifest(run)) == []


def test_results_do_not_depend_on_the_runner(ray_runner: Runner) -> None:
    digests = []
    for where, runner in (("a", SerialRunner()), ("b", ray_runner)):
        for job, key in (("toy_sweep", "content_digest"), ("toy_table", "files_digest")):
            _, run = run_job(compose(f"job={job}", f"paths.results={where}"), runner)
            digests.append(summary(run)[key])
    assert digests[:2] == digests[2:]


def test_a_finished_run_is_left_alone(runner: Runner) -> None:
    for job in ("toy_sweep", "toy_table"):
        _, run = run_job(compose(f"job={job}"), runner)
        before = {path: path.stat().st_mtime_ns for path in run.rglob("*.[jp][sa]*")}
        assert run_job(compose(f"job={job}"), runner) == (DONE, run)
        after = {path: path.stat().st_mtime_ns for path in run.rglob("*.[jp][sa]*")}
        assert {path for path in after if before.get(path) != after[path]} == {run / "journal.jsonl"}


def test_only_what_is_missing_is_computed(runner: Runner) -> None:
    _, run = run_job(compose("job=toy_sweep"), runner)
    digest = summary(run)["content_digest"]
    (run / "data" / "part-000002.parquet").unlink()
    run_job(compose("job=toy_sweep"), runner)
    assert (summary(run)["units_computed_count"], summary(run)["units_skipped_count"]) == (1, 3)
    assert summary(run)["content_digest"] == digest


def test_a_summary_that_was_changed_is_made_again() -> None:
    _, run = run_job(compose("job=toy_sweep"), SerialRunner())
    digest = summary(run)["content_digest"]
    (run / "summary.json").write_text("{}")
    assert run_job(compose("job=toy_sweep"), SerialRunner()) == (DONE, run)
    assert summary(run)["content_digest"] == digest
    assert list(verify_manifest(run)) == []


def test_units_of_all_phases_that_were_done_before_are_counted() -> None:
    _, run = run_job(compose("job=toy_table"), SerialRunner())
    (run / "summary.json").unlink()
    run_job(compose("job=toy_table"), SerialRunner())
    assert summary(run)["units_computed_count"] == 0
    # Only what stays has to be there: the other phases are not looked at again.
    assert (
        summary(run)["units_skipped_count"] == sum(name.startswith("evaluate-") for name in records(run)) == 8
    )


def test_a_run_of_an_older_version_is_not_opened() -> None:
    _, run = run_job(compose("job=toy_table"), SerialRunner())
    plan = json.loads((run / "plan.json").read_text())
    for version in (plan["engine_version"] - 1, plan["engine_version"] + 1):
        (run / "plan.json").write_text(json.dumps(plan | {"engine_version": version}))
        with pytest.raises(UserError, match=f"was made by version {version} of toy_table"):
            open_run(run)


def test_a_lost_record_is_made_again_from_the_file(runner: Runner) -> None:
    _, run = run_job(compose("job=toy_table"), runner)
    name = "evaluate-03-001"
    kept = records(run)[name]
    change_records(run, lambda record: record if record["unit"]["name"] != name else None)
    run_job(compose("job=toy_table"), runner)
    again = records(run)[name]
    assert {key: kept[key] for key in again} == again
    assert again["figures"]["states_count"] == 1


def test_larger_limits_are_a_further_attempt_for_undecided_items(runner: Runner) -> None:
    _, run = run_job(compose("job=toy_sweep", "job.limits.steps_count=5"), runner)
    undecided = [index for index in range(20) if toy.steps(1, index) > 5]
    assert {row[0] for row in rows_of(run) if row[1] == "undecided"} == set(undecided)
    assert run_job(compose("job=toy_sweep", "job.limits.steps_count=9"), runner) == (DONE, run)
    assert rows_of(run) == [(index, outcome(index, 9), 2 if index in undecided else 1) for index in range(20)]
    run_job(compose("job=toy_sweep", "job.limits.steps_count=99"), runner)
    assert {row[1] for row in rows_of(run)} == {"won", "lost"}
    assert read_status(run).attempt == 3
    files = sorted(path.name for path in (run / "data").iterdir())
    run_job(compose("job=toy_sweep", "job.limits.steps_count=5"), runner)
    assert sorted(path.name for path in (run / "data").iterdir()) == files


def test_an_attempt_killed_before_its_summary_gets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """All its parts are in place, beside the manifest and the summary of the attempt before."""
    _, run = run_job(compose("job=toy_sweep", "job.limits.steps_count=5"), SerialRunner())
    assert summary(run)["outcomes"]["undecided"] > 0
    with monkeypatch.context() as patch:
        patch.setattr("pipeline.run.finish", lambda *_: _interrupt())
        with pytest.raises(KeyboardInterrupt):
            run_job(compose("job=toy_sweep", "job.limits.steps_count=99"), SerialRunner())
    run_job(compose("job=toy_sweep", "job.limits.steps_count=99"), SerialRunner())
    assert "undecided" not in summary(run)["outcomes"]
    assert list(verify_manifest(run)) == []


def _interrupt() -> None:
    raise KeyboardInterrupt


def test_a_further_attempt_takes_missing_items_too(runner: Runner) -> None:
    _, run = run_job(compose("job=toy_sweep", "job.limits.steps_count=5"), runner)
    (run / "data" / "part-000002.parquet").unlink()
    run_job(compose("job=toy_sweep", "job.limits.steps_count=99"), runner)
    assert [row[0] for row in rows_of(run)] == list(range(20))
    assert pq.read_metadata(run / "data" / "part-000002-a2.parquet").num_rows == 5


def test_a_failed_unit_is_tried_again(runner: Runner, faults: Faults) -> None:
    status, run = run_job(compose("job=toy_sweep", faults(raise_7=2)), runner)
    assert status == DONE
    assert len(rows_of(run)) == 20
    assert records(run)["000001"]["try"] == 3
    assert "000001" in read_history(run).again
    assert summary(run)["units_computed_twice_count"] == 1


def test_a_unit_that_keeps_failing_is_recorded_and_taken_again_later(runner: Runner, faults: Faults) -> None:
    words = ["job=toy_sweep", faults(raise_7=3)]
    status, run = run_job(compose(*words), runner)
    assert status == FAILED
    assert [row[0] for row in rows_of(run)] == [i for i in range(20) if not 5 <= i < 10]
    failure = json.loads((run / "failed" / "000001.json").read_text())
    assert failure["reason"] == "ValueError: 7 is broken on purpose"
    assert failure["tries"] == 3
    assert "misbehave" in failure["trace"]
    assert summary(run)["units_failed_count"] == 1
    assert read_status(run).state == "failed"
    assert run_job(compose(*words), runner) == (DONE, run)
    assert summary(run)["units_computed_count"] == 1
    assert len(rows_of(run)) == 20
    assert not (run / "failed").exists()


def test_a_failed_unit_ends_a_table_after_its_phase(runner: Runner, faults: Faults) -> None:
    words = ["job=toy_table", faults(raise_merge_03_001=3)]
    status, run = run_job(compose(*words), runner)
    assert status == FAILED
    assert (run / "work" / "keys" / "L03-S000.lmdb").exists()
    assert not (run / "work" / "exchange" / "L02-S000.lmdb").exists()
    assert not (run / "summary.json").exists()
    assert run_job(compose(*words), runner) == (DONE, run)
    assert list(verify_manifest(run)) == []


def test_killed_workers_are_failures_like_others(ray_runner: Runner, faults: Faults) -> None:
    status, run = run_job(compose("job=toy_sweep", faults(die_7=1, die_12=3)), ray_runner)
    assert status == FAILED
    failures = list((run / "failed").iterdir())
    assert [path.name for path in failures] == ["000002.json"]
    reason = json.loads(failures[0].read_text())["reason"]
    assert reason.startswith(
        "WorkerCrashedError: its process ended without a trace: killed from outside (SIGKILL,"
    )
    assert "\n" not in reason
    assert len(rows_of(run)) == 15


def test_the_signal_that_a_worker_died_of_is_named(ray_runner: Runner, faults: Faults) -> None:
    status, run = run_job(compose("job=toy_sweep", faults(crash_7=1, crash_12=3)), ray_runner)
    assert status == FAILED
    (failure,) = (run / "failed").iterdir()
    assert failure.name == "000002.json"
    reason = json.loads(failure.read_text())["reason"]
    place = rf"{re.escape(toy.__file__)}:\d+, in misbehave"
    assert re.fullmatch(
        rf"WorkerCrashedError: its process died of SIGSEGV \(Segmentation fault\) at {place}", reason
    )
    assert records(run)["000001"]["try"] == 2
    assert list((run / "staging").iterdir()) == []


def test_a_panic_is_a_failure_like_others(runner: Runner, faults: Faults) -> None:
    words = ["job=toy_sweep", faults(panic_7=1, panic_12=3)]
    status, run = run_job(compose(*words), runner)
    assert status == FAILED
    assert records(run)["000001"]["try"] == 2
    (failure,) = (run / "failed").iterdir()
    found = json.loads(failure.read_text())
    assert (found["unit"], found["tries"]) == ("000002", 3)
    assert re.fullmatch(r"PanicException: for tests \(at src/panics\.rs:\d+\)", found["reason"])
    assert "misbehave" in found["trace"]
    assert len(rows_of(run)) == 15
    assert run_job(compose(*words), runner) == (DONE, run)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_process_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    def end(*_: object) -> None:
        raise stop

    monkeypatch.setattr(toy.ToySweep, "run", end)
    with pytest.raises(stop):
        run_job(compose("job=toy_sweep"), SerialRunner())


def test_the_users_errors_end_a_run_without_retries(runner: Runner, faults: Faults) -> None:
    words = ["job=toy_sweep", faults(full_17=1)]
    with pytest.raises(DiskFullError):
        run_job(compose(*words), runner)
    (folder,) = run_folders([Path("results")])
    history = read_history(folder.resolve())
    assert ("000003" in history.begun, "000003" in history.again) == (True, False)
    assert read_history(folder.resolve()).last_status == 2
    assert run_job(compose(*words), runner)[0] == DONE


def test_more_memory_than_there_is(runner: Runner) -> None:
    with pytest.raises(UserError, match=r"job\.limits\.memory_bytes") as caught:
        run_job(compose("job=toy_sweep", f"job.limits.memory_bytes={1 << 60}"), runner)
    assert str(1 << 60) in str(caught.value)


def test_more_disk_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from engines.contract.job import Estimate

    monkeypatch.setattr(toy.ToySweep, "estimate", lambda self: Estimate(20, 1 << 60, 1.0), raising=False)
    with pytest.raises(DiskFullError, match="needs about"):
        run_job(compose("job=toy_sweep"), SerialRunner())
    assert not Path("results").exists()


def test_a_series_goes_on_after_errors_and_ends_with_the_worst_status(
    runner: Runner, faults: Faults, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr("pipeline.series.make_runner", lambda cluster: made.append(cluster) or _Open(runner))
    # Item 12 may end the first job before item 7 has failed; what is left of its failures fits into the retries.
    word = faults(raise_7=2, full_12=1)
    options: dict[str, Any] = {"dry": False, "show_trace": False}
    from toy_helpers import CONF

    words = ["job=toy_sweep", word, "job.seed=1,2,3"]
    status = run_series(words, multirun=True, config_dir=CONF, as_json=True, **options)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == 2
    assert [line["status"] for line in lines] == [2, 0, 0]
    assert len(made) == 1


@dataclasses.dataclass
class _Open:
    """A runner that stays open for the next test."""

    runner: Runner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)

    def close(self) -> None:
        pass


def test_units_are_written_by_one_process_a_core(ray_runner: Runner) -> None:
    _, run = run_job(compose("job=toy_sweep", "job.items=60", "job.sleep_s=0.01"), ray_runner)
    pids = {record["pid"] for record in records(run).values()}
    assert len(pids) == 2
    assert os.getpid() not in pids


def test_small_units_stay_in_the_driver(ray_runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy.ToyTable, "is_small", lambda self, unit: unit.layer == 2)
    _, run = run_job(compose("job=toy_table"), ray_runner)
    for record in records(run).values():
        assert (record["pid"] == os.getpid()) == (record["unit"]["first"] == 2), record
    assert list(verify_manifest(run)) == []


def test_a_run_that_began_with_other_units_goes_on_with_them(runner: Runner) -> None:
    config = compose("job=toy_sweep")
    _, run = run_job(config, runner)
    digest = summary(run)["content_digest"]
    plan = json.loads((run / "plan.json").read_text())
    shutil.rmtree(run)
    run.mkdir()
    (run / "plan.json").write_text(json.dumps(plan | {"unit_items_count": 8, "units_count": 3}))
    assert run_job(config, runner) == (DONE, run)
    assert [pq.ParquetFile(part).metadata.num_rows for part in part_paths(run)] == [8, 8, 4]
    assert summary(run)["content_digest"] == digest
    assert list(verify_manifest(run)) == []


def test_a_stale_writer_that_publishes_late_changes_nothing() -> None:
    config = compose("job=toy_sweep")
    _, run = run_job(config, SerialRunner())
    before = {path.name: path.read_bytes() for path in (run / "data").iterdir()}
    planned = plan_run(config)
    unit = Units(planned.plan)[0]
    late = execute(planned.brief, Task(unit, range(unit.first, unit.last)), try_number=1)
    assert late.record is not None
    assert {path.name: path.read_bytes() for path in (run / "data").iterdir()} == before
    assert list(verify_manifest(run)) == []
    assert run_job(config, SerialRunner()) == (DONE, run)
    assert not (run / "staging").exists()
