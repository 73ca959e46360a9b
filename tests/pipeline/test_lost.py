"""Ray's processes killed (-9) under a driver: it ends soon, says how to go on, and that brings the same results."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from clusters import Head
from patience import PATIENCE_S, assert_soon
from test_stop import GONE_S, driver, wait_until_gone
from toy_helpers import Yamafuda, errors, summary

from pipeline.memory import descendants
from pipeline.runners import watch
from pipeline.runners.watch import ClusterLostError, Watch, command_line, processes_called

pytestmark = pytest.mark.ray

Faults = Callable[..., str]
END_S = 15.0


def killed(words: list[str], tmp_path: Path, kill: Callable[[int], None]) -> subprocess.CompletedProcess[str]:
    """How a command ends of which ``kill`` kills what it stands on, while it hangs in the unit of item 7."""
    with driver(tmp_path, *words[1:]) as process:
        # Ray's two agents look after their node a minute later; they do no unit.
        below = [pid for pid in descendants(process.pid)[1:] if "Agent" not in command_line(pid)]
        begin_s = time.monotonic()
        kill(process.pid)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert_soon(begin_s, END_S)
        assert wait_until_gone(below, GONE_S) == []
        return subprocess.CompletedProcess(words, process.returncode, out, err)


def check_ended(
    done: subprocess.CompletedProcess[str], part: str, yamafuda: Yamafuda, faults: Faults
) -> None:
    """It said what is gone and how to go on, in a line; going on brings what an undisturbed run has."""
    words = done.args
    assert (done.returncode, done.stdout, len(errors(done.stderr))) == (2, "", 1), done.stderr
    assert part in done.stderr
    assert f"to go on: yamafuda {' '.join(words)}" in done.stderr
    run = Path(yamafuda(*words[:3]).stdout.splitlines()[-1])
    assert not (run / "failed").exists()
    undisturbed = yamafuda(*words[:3], "paths.results=elsewhere")
    assert (
        summary(run)["content_digest"] == summary(Path(undisturbed.stdout.splitlines()[-1]))["content_digest"]
    )


@pytest.mark.parametrize("name", ["gcs_server", "raylet"])
def test_a_process_of_our_own_ray(name: str, tmp_path: Path, yamafuda: Yamafuda, faults: Faults) -> None:
    def kill(driver: int) -> None:
        (pid,) = processes_called([name], descendants(driver))
        os.kill(pid, signal.SIGKILL)

    words = ["run", "job=toy_sweep", faults(hold_7=1), "cluster=local"]
    check_ended(killed(words, tmp_path, kill), f"Ray's process {name} (", yamafuda, faults)


def test_the_head_of_a_cluster(cluster: Head, tmp_path: Path, yamafuda: Yamafuda, faults: Faults) -> None:
    words = ["run", "job=toy_sweep", faults(hold_7=1), *cluster.words]
    done = killed(words, tmp_path, lambda driver: cluster.kill())
    check_ended(done, "cluster: ", yamafuda, faults)


def test_a_driver_that_does_not_look_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "GRACE_S", 0.1)
    told: list[ClusterLostError] = []
    child = subprocess.Popen(["sleep", "3600"])
    watching = Watch({child.pid: "sleep"}, None, told.append)
    watching.check()
    assert not watching.is_lost
    child.kill()
    child.wait()
    deadline_s = time.monotonic() + PATIENCE_S
    while not told and time.monotonic() < deadline_s:
        time.sleep(0.05)
    assert [str(error) for error in told] == [f"cluster: Ray's process sleep ({child.pid}) has ended"]
    with pytest.raises(ClusterLostError, match="has ended"):
        watching.check()
    watching.close()


def test_a_head_that_goes_and_one_that_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "PROBE_PATIENCE_S", 1.0)
    told: list[ClusterLostError] = []
    listener = socket.create_server(("127.0.0.1", 0))
    place = listener.getsockname()
    watching = Watch({}, place, told.append)
    watching.settle()
    listener.close()
    back = threading.Timer(0.3, lambda: back_again.append(socket.create_server(place)))
    back_again: list[socket.socket] = []
    back.start()
    watching.settle()  # returns when it is back
    assert back_again
    back_again[0].close()
    with pytest.raises(ClusterLostError, match="does not answer any more"):
        watching.settle()
    watching.close()
    assert told == []
