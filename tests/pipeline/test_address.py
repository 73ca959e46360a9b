"""A cluster that runs already: jobs come and go, and it stays."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from clusters import Head, free_port
from patience import PATIENCE_S, assert_soon
from toy_helpers import Yamafuda, command, records, summary

pytestmark = pytest.mark.ray

Faults = Callable[..., str]
STOP_S = 2.0


def test_jobs_on_a_running_cluster(cluster: Head, yamafuda: Yamafuda, faults: Faults, tmp_path: Path) -> None:
    where = cluster.words
    done = yamafuda("run", "job=toy_table", *where)
    assert done.returncode == 0, done.stderr
    here = yamafuda("run", "job=toy_table", "paths.results=here")
    runs = [Path(one.stdout.splitlines()[-1]) for one in (done, here)]
    assert summary(runs[0])["files_digest"] == summary(runs[1])["files_digest"]
    assert summary(runs[0])["cores"] == 2
    told = records(runs[0])

    words = ["run", "job=toy_sweep", faults(hold_7=1), *where]
    driver = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline_s = time.monotonic() + PATIENCE_S
    while (tmp_path / "faults" / "hold-7").read_text() == "1":
        assert time.monotonic() < deadline_s
        time.sleep(0.05)
    driver.send_signal(signal.SIGINT)
    begin_s = time.monotonic()
    driver.communicate(timeout=PATIENCE_S)
    assert_soon(begin_s, STOP_S)
    assert driver.returncode == 130

    # The unit that hung was killed, the cluster was not: it has both processors for the same command again.
    again = yamafuda(*words)
    assert again.returncode == 0, again.stderr
    assert all(record["pid"] != os.getpid() for record in told.values())


def test_a_panic_on_a_cluster_is_a_failure_like_others(
    cluster: Head, yamafuda: Yamafuda, faults: Faults
) -> None:
    words = ["run", "job=toy_sweep", faults(panic_7=1, panic_12=3)]
    done = yamafuda(*words, *cluster.words)
    assert done.returncode == 1, done.stderr
    run = Path(done.stdout.splitlines()[-1])
    assert records(run)["000001"]["try"] == 2
    (failure,) = (run / "failed").iterdir()
    found = json.loads(failure.read_text())
    assert (found["unit"], found["tries"]) == ("000002", 3)
    assert re.fullmatch(r"PanicException: for tests \(at src/panics\.rs:\d+\)", found["reason"])
    assert yamafuda(*words, *cluster.words).returncode == 0
    assert not (run / "failed").exists()


def test_an_address_that_does_not_answer(yamafuda: Yamafuda) -> None:
    for address, part in (
        (f"127.0.0.1:{free_port()}", "cannot be reached"),
        ("nonsense", "HOST:PORT"),
        ("http://head:8265", "HOST:PORT"),
    ):
        done = yamafuda("run", "job=toy_sweep", "cluster=address", f"cluster.address={address}")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert part in done.stderr
