"""``yamafuda serve`` as it is typed."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import psutil
import pytest
from browsing import served
from patience import PATIENCE_S

ROOT = Path(__file__).parents[2]


def test_it_prints_its_url_and_ends_when_interrupted(tmp_path: Path) -> None:
    with served(tmp_path) as (url, process):
        with urllib.request.urlopen(f"{url}runs", timeout=PATIENCE_S) as answer:
            assert b"There are no runs yet" in answer.read()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert said == "yamafuda: interrupted\n"


def test_what_computes_ends_with_it(tmp_path: Path) -> None:
    hard = {"deal": (ROOT / "engines/superpuzz/examples/figure-1.deal").read_text(), "census": "True"}
    data = urllib.parse.urlencode(hard).encode()
    with served(tmp_path, "--time-s", "200") as (url, process):

        def ask() -> None:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{url}replay/superpuzz/ask/solve", data, timeout=PATIENCE_S)

        asking = threading.Thread(target=ask)
        asking.start()
        family = psutil.Process(process.pid)
        deadline_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline_s and not (busy := at_work(family)):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
        asking.join()
        gone, alive = psutil.wait_procs(busy, timeout=PATIENCE_S)
    assert gone
    assert alive == []


def at_work(family: psutil.Process) -> list[psutil.Process]:
    """Processes below a server that have computed for a while."""
    found = []
    for process in family.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            parents = [parent.pid for parent in process.parents()]
            # The one that others are forked from is a child of the server.
            if parents[0] != family.pid and process.cpu_times().user > 0.3:
                found.append(process)
    return found


def test_elsewhere_than_on_loopback_it_has_a_token(tmp_path: Path) -> None:
    with served(tmp_path, "--host", "0.0.0.0") as (url, _):
        token = url.partition("/?token=")[2]
        assert len(token) >= 40
        port = url.partition("/?")[0].rpartition(":")[2]
        asked = urllib.request.Request(f"http://127.0.0.1:{port}/runs")
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(asked, timeout=PATIENCE_S)


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [sys.executable, "-m", "pipeline", "serve", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("yamafuda: serve: cannot listen at 127.0.0.1")
