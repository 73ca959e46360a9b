"""A cluster that runs already: jobs come and go, and it stays."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from toy_helpers import Yamafuda, command, summary

Faults = Callable[..., str]
START_S = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    port = free_port()
    words = ["start", "--head", "--block", f"--port={port}", "--num-cpus=2", "--include-dashboard=false"]
    program = [str(Path(sys.executable).parent / "ray"), *words, "--object-store-memory=100000000"]
    head = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline_s = time.monotonic() + START_S
        while True:
            assert head.poll() is None
            assert time.monotonic() < deadline_s
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"127.0.0.1:{port}"
    finally:
        head.terminate()
        head.wait(START_S)


def test_jobs_on_a_running_cluster(cluster: str, yamafuda: Yamafuda, faults: Faults, tmp_path: Path) -> None:
    where = ["cluster=address", f"cluster.address={cluster}"]
    done = yamafuda("run", "job=toy_table", *where)
    assert (done.returncode, done.stderr) == (0, "")
    here = yamafuda("run", "job=toy_table", "paths.results=here")
    runs = [Path(one.stdout.splitlines()[-1]) for one in (done, here)]
    assert summary(runs[0])["files_digest"] == summary(runs[1])["files_digest"]
    assert summary(runs[0])["cores"] == 2
    records = [json.loads(path.read_text()) for path in (runs[0] / "units").iterdir()]

    words = ["run", "job=toy_sweep", faults(hold_7=1), *where]
    driver = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline_s = time.monotonic() + START_S
    while (tmp_path / "faults" / "hold-7").read_text() == "1":
        assert time.monotonic() < deadline_s
        time.sleep(0.05)
    driver.send_signal(signal.SIGINT)
    begin_s = time.monotonic()
    driver.communicate(timeout=START_S)
    assert time.monotonic() - begin_s < 2.0
    assert driver.returncode == 130

    # The unit that hung was killed, the cluster was not: it has both processors for the same command again.
    again = yamafuda(*words)
    assert again.returncode == 0, again.stderr
    assert all(record["pid"] != os.getpid() for record in records)


def test_an_address_that_does_not_answer(yamafuda: Yamafuda) -> None:
    for address, part in ((f"127.0.0.1:{free_port()}", "cannot be reached"), ("nonsense", "HOST:PORT")):
        done = yamafuda("run", "job=toy_sweep", "cluster=address", f"cluster.address={address}")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert part in done.stderr
