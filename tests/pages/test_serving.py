"""``yamafuda serve`` as it is typed."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from browsing import served
from patience import PATIENCE_S


def test_it_prints_its_url_and_ends_when_interrupted(tmp_path: Path) -> None:
    with served(tmp_path) as (url, process):
        with urllib.request.urlopen(f"{url}runs", timeout=PATIENCE_S) as answer:
            assert b"There are no runs yet" in answer.read()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert said == "yamafuda: interrupted\n"


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
