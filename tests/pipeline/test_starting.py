"""A process of Ray's that ends while Ray starts is noticed."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.runners import starting
from pipeline.runners.starting import Starting

SILENCE_S = 0.2


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    """A process called as the first one that Ray starts."""
    monkeypatch.setattr(starting, "LOOK_PERIOD_S", 0.0)
    monkeypatch.setattr(starting, "SILENCE_S", SILENCE_S)
    program = shutil.copy("/bin/sleep", tmp_path / "gcs_server")
    with subprocess.Popen([program, "600"]) as process:
        yield process
        process.kill()


def test_one_that_has_ended_is_told_when_ray_says_nothing(server: subprocess.Popen[bytes]) -> None:
    watching = Starting()
    watching.check()
    server.kill()
    server.wait()
    watching.check()
    time.sleep(2 * SILENCE_S)
    with pytest.raises(TimeoutError, match=rf"its process gcs_server \({server.pid}\) has ended"):
        watching.check()


def test_one_that_lives_is_not(server: subprocess.Popen[bytes]) -> None:
    watching = Starting()
    for _ in range(3):
        watching.check()
        time.sleep(SILENCE_S)
    assert server.poll() is None
