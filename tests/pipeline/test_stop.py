"""Stopping: Ctrl-C, SIGTERM, cancel, kill -9 of the driver; two drivers on one run."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import PATIENCE_S, assert_soon
from toy_helpers import Yamafuda, command, compose, summary, wait_until_it_hangs

from pipeline.journal import read_history
from pipeline.memory import descendants
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.layout import run_folders

pytestmark = pytest.mark.ray

Faults = Callable[..., str]
STOP_S = 2.0
GONE_S = 60.0


@contextmanager
def driver(tmp_path: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A driver that hangs in the unit of item 7."""
    process = subprocess.Popen(
        command("run", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        wait_until_it_hangs(process, tmp_path)
        yield process
    finally:
        process.kill()
        process.communicate()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def wait_until_gone(pids: list[int], patience_s: float) -> list[int]:
    deadline_s = time.monotonic() + patience_s
    while (left := [pid for pid in pids if is_alive(pid)]) and time.monotonic() < deadline_s:
        time.sleep(0.05)
    return left


def the_run() -> Path:
    (run,) = run_folders([Path("results")])
    return run.resolve()


@pytest.mark.parametrize(
    ("cluster", "number"),
    [("serial", signal.SIGINT), ("serial", signal.SIGTERM), ("local", signal.SIGINT)],
)
def test_a_signal_stops_at_once(tmp_path: Path, faults: Faults, cluster: str, number: signal.Signals) -> None:
    words = ["job=toy_sweep", faults(hold_7=1), f"cluster={cluster}"]
    with driver(tmp_path, *words) as process:
        processes = descendants(process.pid)
        begin_s = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert_soon(begin_s, STOP_S)
        assert process.returncode == 130, err
        assert out == ""
        line = err.splitlines()[-1]
        assert line.startswith("interrupted; to go on: yamafuda run job=toy_sweep")
        assert wait_until_gone(processes, GONE_S) == []
    assert read_history(the_run()).interrupted_count == 1
    status, run = run_job(compose(*words[:2]), SerialRunner())
    assert status == 0
    assert summary(run)["interrupted_count"] == 1
    assert summary(run)["outcomes"] == {"lost": 9, "undecided": 4, "won": 7}


@pytest.mark.parametrize("cluster", ["serial", "local"])
def test_cancel(tmp_path: Path, faults: Faults, yamafuda: Yamafuda, cluster: str) -> None:
    with driver(tmp_path, "job=toy_sweep", faults(hold_7=1), f"cluster={cluster}") as process:
        assert "running" in yamafuda("status").stdout
        assert f"process {process.pid} on " in yamafuda("status", the_run().name).stdout
        asked = yamafuda("cancel", the_run().name)
        assert asked.returncode == 0
        assert asked.stderr.startswith("stopped process")
        assert process.wait(PATIENCE_S) == 130
    assert not (the_run() / "cancel").exists()
    again = yamafuda("cancel", the_run().name)
    assert again.returncode == 2
    assert "no driver" in again.stderr


def test_two_drivers(tmp_path: Path, faults: Faults, yamafuda: Yamafuda) -> None:
    words = ["job=toy_sweep", faults(hold_7=1)]
    with driver(tmp_path, *words) as process:
        second = yamafuda("run", *words)
        assert second.returncode == 2
        assert second.stderr.count("\n") == 1
        assert f"process {process.pid} on " in second.stderr
        for refused in (yamafuda("remove", "--yes", the_run().name), yamafuda("verify", the_run().name)):
            assert refused.returncode == 2
    assert yamafuda("run", *words).returncode == 0


def test_a_killed_driver_takes_its_workers_along_and_leaves_a_run_to_go_on_with(
    tmp_path: Path, faults: Faults
) -> None:
    words = ["job=toy_sweep", faults(hold_7=1), "cluster=local"]
    with driver(tmp_path, *words) as process:
        # Ray's two agents look after their node a minute later; they do no unit.
        processes = [pid for pid in descendants(process.pid) if "Agent" not in command_line(pid)]
        assert sum(command_line(pid).startswith("ray::") for pid in processes) >= 1
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert wait_until_gone(processes, GONE_S) == []
    status, run = run_job(compose(*words[:2]), SerialRunner())
    assert status == 0
    history = read_history(run)
    assert (history.interrupted_count, history.drivers_count) == (1, 2)
    # At most what was in flight is computed twice: three units for each processor.
    assert 1 <= history.computed_twice_count <= 3 * (os.cpu_count() or 1)


def test_a_signal_while_ray_starts(workspace: Path) -> None:
    process = subprocess.Popen(
        command("run", "job=toy_sweep", "cluster=local"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline_s = time.monotonic() + PATIENCE_S
    while not any("gcs_server" in command_line(pid) for pid in descendants(process.pid)):
        assert process.poll() is None
        assert time.monotonic() < deadline_s
        time.sleep(0.02)
    processes = descendants(process.pid)
    begin_s = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)
    assert_soon(begin_s, STOP_S)
    assert process.returncode == 130
    assert wait_until_gone(processes, GONE_S) == []
