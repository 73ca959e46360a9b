"""Runs whose root is a bucket: as in a folder, to the digest; what commands say of them; what they move."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE_S
from toy_helpers import Yamafuda, command, compose, wait_until_it_hangs

from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.layout import run_folders
from storage.place import ObjectPath, Place, place_at

pytestmark = pytest.mark.ray

SWEEP = ("job=toy_sweep", "job.items=20")
TABLE = ("job=toy_table",)


@pytest.fixture
def on_bucket(bucket: str, monkeypatch: pytest.MonkeyPatch) -> ObjectPath:
    """Runs go below this root from now on."""
    root = place_at(f"{bucket}/results")
    assert isinstance(root, ObjectPath)
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(root))
    return root


def figures(run: Place) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found


def names_of(run: Place) -> list[str]:
    """The files of a run but those that drivers keep for themselves."""
    files = [path for path in run.rglob("*") if path.is_file()]
    return sorted(path.name for path in files if path.parent.name in ("data", "shards"))


@pytest.mark.parametrize("cluster", [("serial",), ("local", "cluster.cpus=2")], ids=lambda words: words[0])
@pytest.mark.parametrize(("words", "digest"), [(SWEEP, "content_digest"), (TABLE, "files_digest")])
def test_what_comes_out_is_what_comes_out_in_a_folder(
    words: tuple[str, ...],
    digest: str,
    cluster: tuple[str, ...],
    on_bucket: ObjectPath,
    yamafuda: Yamafuda,
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a Ray that begins now: processes of one from before would lack what reaches the bucket."""
    done = yamafuda("run", *words, f"cluster={cluster[0]}", *cluster[1:])
    assert done.returncode == 0, done.stderr
    there = place_at(done.stdout.strip())
    assert isinstance(there, ObjectPath)
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(workspace / "here"))
    _, here = run_job(compose(*words), SerialRunner())
    assert figures(there)[digest] == figures(here)[digest]
    assert names_of(there) == names_of(here)
    left = {path.name for path in there.rglob("*")} & {"driver.lock", "progress.json", "cancel"}
    assert not left
    assert not [path for path in there.rglob("*") if path.name.endswith(".tmp")]
    assert not (there / "work").exists()


def test_a_killed_run_goes_on(on_bucket: ObjectPath, workspace: Path, faults: Callable[..., str]) -> None:
    words = (*SWEEP, faults(hold_7=1), "cluster=serial")
    with subprocess.Popen(command("run", *words), stderr=subprocess.PIPE) as process:
        wait_until_it_hangs(process, workspace)
        process.send_signal(signal.SIGKILL)
    (run,) = run_folders([on_bucket])
    before = {path.name: path.stat().st_mtime for path in (run / "data").iterdir()}
    assert before
    done = subprocess.run(command("run", *words), capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    assert figures(run)["units_skipped_count"] == len(before)
    assert figures(run)["units_computed_twice_count"] == 1
    assert {
        path.name: path.stat().st_mtime for path in (run / "data").iterdir() if path.name in before
    } == before


def test_a_second_driver_is_refused(
    on_bucket: ObjectPath, workspace: Path, faults: Callable[..., str]
) -> None:
    words = (*SWEEP, faults(hold_7=1), "cluster=serial")
    with subprocess.Popen(command("run", *words), stderr=subprocess.PIPE) as process:
        wait_until_it_hangs(process, workspace)
        second = subprocess.run(command("run", *words), capture_output=True, text=True, timeout=PATIENCE_S)
        process.kill()
    assert second.returncode == 2
    assert f"this run is driven by process {process.pid} on " in second.stderr


def test_commands_on_runs(on_bucket: ObjectPath, yamafuda: Yamafuda) -> None:
    done = yamafuda("run", *SWEEP, "cluster=serial")
    assert done.returncode == 0, done.stderr
    run = done.stdout.strip()
    assert run.startswith(f"{on_bucket}/toy_sweep/toy_sweep-")
    assert "already done" in yamafuda("run", *SWEEP, "cluster=serial").stderr
    told = json.loads(yamafuda("status", run, "--json").stdout)
    assert (told["state"], told["run"]) == ("done", run)
    assert run.rpartition("/")[2] in yamafuda("status", "--all").stdout
    assert yamafuda("verify", run).returncode == 0
    asked = yamafuda("query", "SELECT count(*), sum(index) FROM toy_sweep", "--format", "csv")
    assert asked.stdout.splitlines()[1:] == ["20,190"], asked.stderr
    part = next((place_at(run) / "data").iterdir())
    assert isinstance(part, ObjectPath)
    part.store.replace(part.key, b"x" * part.stat().st_size)
    assert part.name in yamafuda("verify", run).stderr + yamafuda("verify", run).stdout
    assert yamafuda("verify", run, "--repair").returncode == 1
    assert yamafuda("run", *SWEEP, "cluster=serial").returncode == 0
    assert yamafuda("verify", run).returncode == 0
    assert yamafuda("remove", run, "--yes").returncode == 0
    assert list(on_bucket.rglob("*")) == []


def test_what_is_wrong_is_a_line(yamafuda: Yamafuda, bucket: str) -> None:
    for root, words in (
        ("foo://bucket/x", "none of s3://"),
        ("s3://key:secret@bucket/x", "has credentials in it"),
        (f"{bucket}-that-is-not-there/x", "there is no such bucket"),
    ):
        told = yamafuda("run", *SWEEP, "cluster=serial", f"paths.results={root}")
        assert told.returncode == 2
        assert words in told.stderr
        assert "secret" not in told.stderr
        assert len(told.stderr.strip().splitlines()) == 1, told.stderr


def test_no_credential_is_written(on_bucket: ObjectPath, yamafuda: Yamafuda) -> None:
    done = yamafuda("run", *SWEEP, "cluster=serial")
    told = done.stdout + done.stderr
    for path in on_bucket.rglob("*"):
        told += path.read_bytes().decode(errors="replace")
    assert os.environ["AWS_SECRET_ACCESS_KEY"] not in told
    assert os.environ["AWS_ACCESS_KEY_ID"] not in told
