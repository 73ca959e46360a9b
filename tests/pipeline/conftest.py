"""The toy engines, a working directory for each test, and one Ray session for all of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from clusters import Head, started_head
from patience import PATIENCE_S
from toy_helpers import Yamafuda, command

from pipeline.cli import main
from pipeline.runners.base import Runner
from pipeline.runners.serial import SerialRunner


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs go below this folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture(scope="session")
def ray_runner() -> Iterator[Runner]:
    from pipeline.runners.ray import RayRunner

    runner = RayRunner(cpus=2)
    yield runner
    runner.close()


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Head]:
    """A cluster with two processors that is not ours to end."""
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    with started_head(2, tmp_path) as head:
        yield head


@pytest.fixture(params=["serial", "ray"])
def runner(request: pytest.FixtureRequest) -> Runner:
    """Both runners; what passes with one passes with the other."""
    if request.param == "serial":
        return SerialRunner()
    assert request.node.get_closest_marker("ray"), "files with tests that start Ray are marked"
    found: Runner = request.getfixturevalue("ray_runner")
    return found


@pytest.fixture
def faults(tmp_path: Path) -> Callable[..., str]:
    """Ask for faults: ``faults(raise_7=2)`` makes item 7 fail twice. Returns the override for the job."""

    def ask(**counts: int) -> str:
        folder = tmp_path / "faults"
        folder.mkdir(exist_ok=True)
        for name, count in counts.items():
            kind, _, key = name.partition("_")
            (folder / f"{kind}-{key.replace('_', '-')}").write_text(str(count))
        return f"job.faults={folder}"

    return ask


@pytest.fixture
def yamafuda(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Yamafuda:
    """The command line with the toy engines; in a process of its own with Ray, or when told options of processes."""
    is_with_ray = request.node.get_closest_marker("ray") is not None

    def call(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
        line = command(*words)
        if is_with_ray or options:
            return subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE_S, **options)
        monkeypatch.setattr(sys, "argv", line[1:])
        capfd.readouterr()
        with pytest.raises(SystemExit) as caught:
            main()
        return subprocess.CompletedProcess(line, int(caught.value.code or 0), *capfd.readouterr())

    return call
