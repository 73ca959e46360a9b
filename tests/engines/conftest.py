"""Makes the helpers importable; a folder for each test that runs jobs, and the command line for those of games."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pipeline.cli import main

sys.path.insert(0, str(Path(__file__).parent))

from command_helpers import Run


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory; runs go below it."""
    monkeypatch.chdir(tmp_path)
    for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def yamafuda(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process: exit status, standard output, standard error."""

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["yamafuda", *words])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capfd.readouterr()
        return int(caught.value.code or 0), out, err

    return call
