"""Damaged files are found, removed on request, and computed again to the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from toy_helpers import Yamafuda, compose, summary

from pipeline.run import DONE, run_job
from pipeline.runners.serial import SerialRunner
from pipeline.status import read_status
from storage.manifest import verify_manifest


def finished(*words: str) -> Path:
    status, run = run_job(compose(*words), SerialRunner())
    assert status == DONE
    return run


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def shards(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((run / "shards").iterdir())}


@pytest.mark.parametrize("damage", [flip, cut, replace_by_folder, Path.unlink])
def test_a_shard_is_mended_to_the_same_bytes(yamafuda: Yamafuda, damage: Callable[[Path], None]) -> None:
    run = finished("job=toy_table")
    before, digest = shards(run), summary(run)["files_digest"]
    victim = sorted((run / "shards").iterdir())[-1]
    damage(victim)
    damaged = yamafuda("verify", run.name)
    assert damaged.returncode == 1
    assert f"yamafuda verify {run.name} --repair" in damaged.stderr
    mended = yamafuda("verify", run.name, "--repair")
    assert mended.returncode == 1
    assert f"{victim.name}: " in mended.stdout
    assert ": it " not in mended.stdout
    assert mended.stdout.splitlines()[-1] == "to compute it again: yamafuda run job=toy_table"
    assert read_status(run).state == "interrupted"
    assert finished("job=toy_table") == run
    assert shards(run) == before
    assert summary(run)["files_digest"] == digest
    assert yamafuda("verify", run.name).returncode == 0


@pytest.mark.parametrize("damage", [flip, cut, replace_by_folder, Path.unlink])
def test_a_part_is_mended_to_the_same_rows(yamafuda: Yamafuda, damage: Callable[[Path], None]) -> None:
    run = finished("job=toy_sweep")
    digest = summary(run)["content_digest"]
    damage(run / "data" / "part-000001.parquet")
    assert yamafuda("verify", run.name, "--repair").returncode == 1
    finished("job=toy_sweep")
    assert summary(run)["content_digest"] == digest
    assert summary(run)["units_computed_count"] == 1
    assert list(verify_manifest(run)) == []


@pytest.mark.parametrize("damage", [cut, replace_by_folder])
@pytest.mark.parametrize("job", ["toy_sweep", "toy_table"])
def test_the_same_command_notices_sizes(
    job: str, damage: Callable[[Path], None], capfd: pytest.CaptureFixture[str]
) -> None:
    run = finished(f"job={job}")
    before = shards(run) if job == "toy_table" else summary(run)["content_digest"]
    victim = sorted([*run.glob("data/*"), *run.glob("shards/*")])[-1]
    damage(victim)
    capfd.readouterr()
    finished(f"job={job}")
    (line,) = (line for line in capfd.readouterr().err.splitlines() if "computed again" in line)
    assert str(victim) in line
    assert before == (shards(run) if job == "toy_table" else summary(run)["content_digest"])
    assert list(verify_manifest(run)) == []


@pytest.mark.parametrize("name", ["manifest.json", "summary.json", "plan.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"job": 1}', b'{"job": {"name": "toy_sweep"}}'])
def test_a_run_whose_json_is_damaged_is_mended(yamafuda: Yamafuda, name: str, content: bytes) -> None:
    run = finished("job=toy_sweep")
    digest = summary(run)["content_digest"]
    (run / name).write_bytes(content)
    assert yamafuda("verify", run.name, "--repair").returncode == 1
    finished("job=toy_sweep")
    assert summary(run)["content_digest"] == digest
    assert list(verify_manifest(run)) == []
    assert yamafuda("verify", run.name).returncode == 0


def test_without_a_manifest_the_records_of_units_tell(yamafuda: Yamafuda) -> None:
    run = finished("job=toy_sweep")
    (run / "manifest.json").write_text("{}")
    flip(run / "data" / "part-000002.parquet")
    mended = yamafuda("verify", run.name, "--repair", "--json")
    problems = [json.loads(line)["problem"] for line in mended.stdout.splitlines()]
    assert [
        part for problem in problems for part in ("manifest.json", "part-000002.parquet") if part in problem
    ] == [
        "manifest.json",
        "part-000002.parquet",
    ]
    finished("job=toy_sweep")
    assert summary(run)["units_computed_count"] == 1


def test_a_sound_run_is_left_alone(yamafuda: Yamafuda) -> None:
    run = finished("job=toy_table")
    times = {path: path.stat().st_mtime_ns for path in run.rglob("*") if path.is_file()}
    done = yamafuda("verify", run.name, "--repair")
    assert (done.returncode, done.stdout) == (0, "no problem found\n")
    lock = run / "driver.lock"
    assert {path: path.stat().st_mtime_ns for path in times if path != lock} == {
        path: time for path, time in times.items() if path != lock
    }
