"""What is looked at before work starts and said in one line: address, processors, sockets, memory, files, versions."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clusters import Head
from patience import PATIENCE_S
from toy_helpers import Yamafuda, command, errors, wait_until_it_hangs

from pipeline.runners import machine, ray_reaching, ray_session
from pipeline.runners.ray_session import RaySession
from pipeline.runners.watch import ClusterLostError
from storage.errors import UserError

pytestmark = pytest.mark.ray

Faults = Callable[..., str]


def test_units_that_wait_say_for_what(cluster: Head, faults: Faults, tmp_path: Path) -> None:
    """Another driver has all the memory. Both have processes of their own: Ray keeps to one way to log in in each."""
    # So much that a second one of the kind has no room.
    memory = f"job.limits.memory_bytes={int(_memory_of(cluster) * 0.6)}"
    words = ["run", "job=toy_sweep", faults(hold_7=1), "job.seed=2", memory, *cluster.words]
    first = subprocess.Popen(command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    words = ["run", "job=toy_sweep", "job.seed=3", memory, *cluster.words]
    second = None
    try:
        wait_until_it_hangs(first, tmp_path)
        second = subprocess.Popen(
            command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert second.stderr is not None
        told = next(line for line in second.stderr if "each waits for" in line)
        second.send_signal(signal.SIGINT)
        assert second.wait(PATIENCE_S) == 130
    finally:
        for process in filter(None, (first, second)):
            process.kill()
            process.communicate()
    assert "each waits for a node with a free processor and" in told
    assert "free in the whole cluster: 1 of 2 processors" in told


def _memory_of(cluster: Head) -> float:
    """What its node offers to units: Ray reserves some for itself."""
    program = (
        "import pipeline.runners.ray_session, ray, logging\n"
        f"ray.init(address='127.0.0.1:{cluster.port}', logging_level=logging.CRITICAL, log_to_driver=False)\n"
        "print(ray.cluster_resources()['memory'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(done.stdout)


def test_what_answers_but_is_no_head(yamafuda: Yamafuda) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"

        def answer() -> None:
            connection, _ = listener.accept()
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.close()

        threading.Thread(target=answer, daemon=True).start()
        done = yamafuda("run", "job=toy_sweep", "cluster=address", f"cluster.address={address}")
    assert (done.returncode, done.stdout, len(errors(done.stderr))) == (2, "", 1)
    assert f"{address} answers, but not as the head of a Ray cluster does" in done.stderr


def test_other_versions_on_the_other_side(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise RuntimeError(
            "Version mismatch: The cluster was started with:\n    Ray: 2.1.0\n    Python: 3.9.1\n"
            "This process on node 1 was started with:\n    Ray: 2.60.0\n    Python: 3.11.7\n"
        )

    monkeypatch.setattr(ray_session.ray, "init", refuse)
    with pytest.raises(UserError) as caught:
        RaySession(None, "auto").open()
    assert str(caught.value) == (
        "cluster.address: the cluster has Ray 2.1.0 and Python 3.9.1, and here are Ray 2.60.0 and Python 3.11.7; "
        "they must be the same"
    )


def test_what_ray_says_of_versions_is_understood() -> None:
    """The message is Ray's own."""
    from ray._private.utils import check_version_info

    with pytest.raises(RuntimeError) as caught:
        check_version_info({"ray_version": "2.1.0", "python_version": "3.9.1"}, "node 1")
    assert ray_reaching.refused(caught.value).startswith(
        "the cluster has Ray 2.1.0 and Python 3.9.1, and here are"
    )


def test_a_ray_that_does_not_start_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[dict[str, Any]] = []

    def fail(**options: Any) -> None:
        tries.append(options)
        raise RuntimeError("The current node timed out during startup.")

    monkeypatch.setattr(ray_session.ray, "init", fail)
    session = RaySession(1, None)
    with pytest.raises(ClusterLostError) as caught:
        session.open()
    assert len(tries) == 2
    assert str(caught.value).startswith(
        "cluster: Ray did not start, tried 2 times (The current node timed out"
    )
    assert str(caught.value).endswith("or run with cluster=serial")
    session.close()


def test_a_ray_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_session, "START_S", 0.2)
    monkeypatch.setattr(ray_session, "END_S", 0.2)
    monkeypatch.setattr(ray_session.ray, "init", lambda **_: time.sleep(3))
    with pytest.raises(ClusterLostError, match=r"tried 1 times \(no answer in 0 s\).*cluster=serial"):
        RaySession(1, None).open()


STARTS = Path(__file__).parent / "toy_starts.py"


def test_a_second_start_that_comes_up_is_used(tmp_path: Path) -> None:
    """The first Ray's first process ends before its first word."""
    done = start("before", tmp_path)
    assert (done.returncode, errors(done.stderr)) == (0, [])
    assert Path(done.stdout.strip()).is_dir()


def test_a_start_whose_first_process_ends_later_is_given_up(tmp_path: Path) -> None:
    """Ray, left alone, waits for a minute and then ends the command; now and then it fails by itself before that."""
    done = start("after", tmp_path)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    told = done.stderr.splitlines()[-1]
    ended, failed = r"1 times \(its process gcs_server \(\d+\) has ended\)", r"2 times \(.*GCS.*\)"
    assert re.search(f"did not start, tried (?:{ended}|{failed})", told), told


def start(when: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A sweep on a Ray whose first ``gcs_server`` ends before its first word, or after that."""
    words = command("run", "job=toy_sweep", "cluster=local")[2:]
    line = [sys.executable, str(STARTS), when, *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE_S)


def test_a_long_folder_for_temporary_files(
    yamafuda: Yamafuda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("x" * 70)
    folder.mkdir()
    done = yamafuda("run", "job=toy_sweep", "cluster=local", env={**os.environ, "TMPDIR": str(folder)})
    assert (done.returncode, errors(done.stderr)) == (0, [])
    monkeypatch.setenv("TMPDIR", str(folder))
    assert machine.session_folder() == f"/tmp/ray-{os.getuid()}"
    monkeypatch.setenv("TMPDIR", "/tmp")
    assert machine.session_folder() is None
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(machine, "SHORT_FOLDERS", ("/nowhere",))
    with pytest.raises(
        UserError, match=r"TMPDIR: .* is too long for Ray's sockets, whose paths have 107 bytes"
    ):
        machine.session_folder()


def test_the_longest_folder_for_sockets_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as a socket can still be bound in it."""
    added = len("/ray/session_2026-11-29_12-00-00_000000_4194304/sockets/plasma_store")
    for length, fits in ((107 - added, True), (108 - added, False)):
        monkeypatch.setenv("TMPDIR", "/" + "x" * (length - 1))
        assert (machine.session_folder() is None) == fits


def test_little_shared_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine.object_store_folder(1) is None
    free = {machine.SHARED_MEMORY: 20 << 20}
    monkeypatch.setattr(machine, "free_bytes", lambda folder: free.get(folder, 1 << 40))
    assert machine.object_store_folder(128 << 20) == tempfile.gettempdir()
    said = capsys.readouterr().err
    assert said.startswith("Ray wants 128 MiB of /dev/shm, which has 20 MiB free")
    monkeypatch.setattr(machine, "free_bytes", lambda folder: 20 << 20)
    with pytest.raises(UserError, match=r"has no room either.*cluster=serial"):
        machine.object_store_folder(128 << 20)


def test_few_open_files(monkeypatch: pytest.MonkeyPatch, yamafuda: Yamafuda) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (70, 70))

    words = ("run", "job=toy_sweep", "cluster=local", "cluster.cpus=2")
    done = yamafuda(*words, preexec_fn=limit)
    assert (done.returncode, done.stdout, len(errors(done.stderr))) == (2, "", 1)
    assert "open files: a process may have 70, and Ray with 2 processors needs 80" in done.stderr
    machine.check_open_files(2)
