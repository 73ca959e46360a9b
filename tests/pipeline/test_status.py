"""What is said of runs: their names, labels, how far they are; damaged ones stop nobody; refused ones leave nothing."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_helpers import Yamafuda, compose, in_terminal

from engines.contract.naming import run_name
from pipeline.run import DONE, FAILED, run_job
from pipeline.runners.serial import SerialRunner
from pipeline.status import read_fields, read_status
from storage.errors import DiskFullError, UserError
from storage.layout import run_folders

Faults = Callable[..., str]


def finished(*words: str) -> Path:
    status, run = run_job(compose(*words), SerialRunner())
    assert status == DONE
    return run


def shown(yamafuda: Yamafuda, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in yamafuda("status", *words, "--json").stdout.splitlines()]


def test_a_run_is_called_by_its_job_what_differs_and_its_id() -> None:
    run = finished("job=toy_sweep", "job.items=7", "job.seed=3")
    run_id = read_status(run).run_id
    assert run == Path("results/toy_sweep").resolve() / f"toy_sweep-items7-seed3-{run_id[:12]}"
    assert read_fields(run) == {"items": 7, "seed": 3}
    assert finished("job=toy_sweep", "job.items=7", "job.seed=3", "job.limits.steps_count=11") == run


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ("a/b c*?", "-faults_a_b_c-"),
        ("../..", "-faults-"),
        ("x" * 300, f"-faults_{'x' * 33}-"),
        ("ü", "-faults-"),
    ],
)
def test_names_are_safe_in_paths(value: str, part: str) -> None:
    job = compose("job=toy_sweep").job
    job.faults = value  # type: ignore[attr-defined]
    name = run_name(job, 1)
    assert part in name
    assert len(os.fsencode(name)) < 200
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")


@pytest.mark.parametrize("width", [30, 60, 80])
def test_long_names_lose_their_middle_in_a_terminal(width: int, yamafuda: Yamafuda) -> None:
    """Two lines for each at most, with the id; names that could not be told apart so stay whole."""
    runs = [finished("job=toy_sweep", f"job.items={count}") for count in (7, 8, 9, 10)]
    ids = [run.name.rpartition("-")[2] for run in runs]
    names = [
        f"toy_sweep-{'x' * 140}-{ids[0]}",
        f"toy_sweep-{'x' * 140}-{ids[1]}",
        *(f"first-{'x' * 70}{letter}{'x' * 70}-last" for letter in "ab"),
    ]
    for run, name in zip(runs, names, strict=True):
        run.rename(run.with_name(name))
    _, _, *lines = in_terminal(width, "status", "--all")
    # Where the terminal is too narrow for the other columns it breaks the lines itself.
    assert all(len(line) <= max(width, 60) for line in lines)
    both, whole = lines[:4], lines[4:]
    assert [line.split()[0][-12:] for line in both[1::2]] == ids[:2]
    assert all(line.split()[0].startswith("toy_sweep-") for line in both[::2])
    # Their job is told below them.
    told = "".join(line.split()[0] for line in whole if line != "  toy_sweep")
    assert told == "".join(names[2:])
    assert sorted(each["name"] for each in shown(yamafuda, "--all")) == sorted(names)
    assert all(name in yamafuda("status", "--all").stdout for name in names)


def test_a_run_begun_under_another_name_goes_on_there(yamafuda: Yamafuda) -> None:
    run = finished("job=toy_sweep")
    other = run.with_name(f"mine-{run.name.rpartition('-')[2]}")
    run.rename(other)
    assert finished("job=toy_sweep") == other
    old = Path("results").resolve() / read_status(other).run_id
    other.rename(old)
    assert finished("job=toy_sweep") == old
    assert [each["run"] for each in shown(yamafuda, "--all")] == [str(old)]
    assert yamafuda("verify", old.name[:5]).returncode == 0


def test_the_jobs_file_and_the_label_are_kept(yamafuda: Yamafuda) -> None:
    assert yamafuda("run", "job=toy_few", "--label", "my try, ü").returncode == 0
    (status,) = shown(yamafuda, "--all")
    assert (status["job"], status["kind"], status["label"]) == ("toy_few", "toy_sweep", "my try, ü")
    assert status["name"].startswith("toy_sweep-items7-")
    lines = [line.strip() for line in yamafuda("status", "--all").stdout.splitlines()]
    assert lines[-2:] == ["toy_few", "my try, ü"]
    # Without a label the old one stays.
    yamafuda("run", "job=toy_few", "job.limits.steps_count=99")
    assert shown(yamafuda, "--all")[0]["label"] == "my try, ü"


def test_the_latest_is_last(yamafuda: Yamafuda) -> None:
    runs = [finished("job=toy_sweep", f"job.seed={seed}") for seed in (5, 1, 3)]
    assert [each["run"] for each in shown(yamafuda, "--all")] == [str(run) for run in runs]


def test_how_far_a_run_is(faults: Faults) -> None:
    status, run = run_job(
        compose("job=toy_sweep", faults(raise_7=9), "job.limits.retries_count=0"), SerialRunner()
    )
    assert status == FAILED
    found = read_status(run)
    assert (found.state, found.done_share, found.units_failed_count) == ("failed", 0.75, 1)
    assert found.size_bytes == sum(path.stat().st_size for path in (run / "data").iterdir())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b'{"job": 3}', b'{"job": {"name": "x"}}', None]
)
def test_a_damaged_run_stops_nobody(yamafuda: Yamafuda, content: bytes | None) -> None:
    runs = [finished("job=toy_sweep", f"job.seed={seed}") for seed in (1, 2)]
    plan = runs[0] / "plan.json"
    plan.unlink()
    if content is None:
        plan.mkdir()
    else:
        plan.write_bytes(content)
    for words in (["--all"], ["--all", "--json"]):
        done = yamafuda("status", *words)
        assert (done.returncode, done.stderr.count("\n")) == (0, 1)
        assert done.stderr.startswith(f"yamafuda: {plan}: ")
        assert runs[1].name in done.stdout
        assert runs[0].name not in done.stdout
    alone = yamafuda("status", runs[0].name)
    assert (alone.returncode, alone.stdout, alone.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("key", ["run_id", "job", "contract", "items_count", "units_count", "engine_version"])
def test_a_plan_that_lacks_a_key(yamafuda: Yamafuda, key: str) -> None:
    run = finished("job=toy_sweep")
    plan = json.loads((run / "plan.json").read_text())
    del plan[key]
    (run / "plan.json").write_text(json.dumps(plan))
    done = yamafuda("status", run.name)
    assert done.returncode == 2
    assert done.stderr == f"yamafuda: {run}/plan.json: lacks '{key}'; verify --repair removes it\n"


def test_a_refused_start_leaves_nothing(faults: Faults) -> None:
    with pytest.raises(DiskFullError):
        run_job(compose("job=toy_sweep", faults(full_0=1)), SerialRunner())
    assert run_folders([Path("results")]) == []
    assert not Path("results/toy_sweep").exists()
    # What is done is kept, though.
    with pytest.raises(DiskFullError):
        run_job(compose("job=toy_sweep", faults(full_17=1)), SerialRunner())
    (run,) = run_folders([Path("results")])
    assert len(list((run / "data").iterdir())) == 3
    assert run_job(compose("job=toy_sweep", faults()), SerialRunner())[0] == DONE


def test_roots_that_are_not_there_are_said(yamafuda: Yamafuda) -> None:
    nothing = yamafuda("status")
    assert (nothing.returncode, nothing.stdout) == (0, "no runs\n")
    assert nothing.stderr == "yamafuda: no folder of runs here: results (YAMAFUDA_RESULTS names another)\n"
    missing = yamafuda("status", env={**os.environ, "YAMAFUDA_RESULTS": "elsewhere"})
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr == "yamafuda: YAMAFUDA_RESULTS: there is no folder elsewhere\n"
    Path("file").write_text("")
    wrong = yamafuda("status", env={**os.environ, "YAMAFUDA_RESULTS": "file"})
    assert wrong.stderr == "yamafuda: paths.results: file is not a folder\n"


def test_the_name_of_the_jobs_file_is_not_set() -> None:
    with pytest.raises(UserError, match="job_file"):
        compose("job=toy_sweep", "job_file=x")


def test_a_run_with_a_manifest_is_done_also_without_a_journal(yamafuda: Yamafuda) -> None:
    run = finished("job=toy_sweep")
    (run / "journal.jsonl").unlink()
    assert read_status(run).state == "done"
    (run / "manifest.json").unlink()
    assert read_status(run).state == "interrupted"


def test_only_earlier_interruptions_are_told_beside_the_last(yamafuda: Yamafuda) -> None:
    run = finished("job=toy_sweep")
    (run / "manifest.json").unlink()
    journal = run / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    begun = [line for line in lines if '"event":"begin"' in line]
    assert begun
    journal.write_text(begun[0])
    assert "interrupted 1x" not in yamafuda("status", "--all").stdout
    journal.write_text(begun[0] * 2)
    assert "interrupted 2x" in yamafuda("status", "--all").stdout


def test_a_driver_that_could_not_tell_has_done_what_is_in_place(yamafuda: Yamafuda) -> None:
    run = finished("job=toy_sweep")
    (run / "manifest.json").unlink()
    (run / "data" / "part-000000.parquet").unlink()
    done, units_count = len(list((run / "data").iterdir())), read_status(run).units_count
    told = {
        "time": 0,
        "phase": "sweep",
        "unit": "items",
        "done_count": 1,
        "inside_count": 0,
        "total_count": 20,
    }
    (run / "progress.json").write_text(json.dumps(told))
    assert read_status(run).done_share == done / units_count


def test_a_label_stays_on_its_line_and_steers_no_terminal(yamafuda: Yamafuda) -> None:
    yamafuda("run", "job=toy_sweep", "--label", "\x1b[31mred\nnext")
    for words in (["--all"], [run_folders([Path("results")])[0].name]):
        assert r"\x1b[31mred\nnext" in yamafuda("status", *words).stdout


def test_when_a_run_was_finished_does_not_change_when_it_is_run_again_or_copied() -> None:
    run = finished("job=toy_sweep", "job.items=4")
    first = read_status(run)
    assert first.begun_s is not None
    assert first.finished_s is not None
    assert first.begun_s <= first.finished_s <= time.time()
    os.utime(run / "manifest.json", (1.0, 1.0))  # as a copy without times has
    finished("job=toy_sweep", "job.items=4")
    assert read_status(run).finished_s == first.finished_s


def test_a_run_that_goes_on_is_finished_later(faults: Faults) -> None:
    words = ("job=toy_sweep", "job.items=4", "job.unit_items=2", faults(raise_3=3))
    status, run = run_job(compose(*words), SerialRunner())
    assert status == FAILED
    failed = read_status(run).finished_s
    assert finished(*words) == run
    *_, end = map(json.loads, (run / "journal.jsonl").read_text().splitlines())
    assert failed is not None
    assert failed < end["time"] == read_status(run).finished_s
