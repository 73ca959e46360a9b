"""Makes the helpers importable, and gives each test that runs jobs a folder of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory; runs go below it."""
    monkeypatch.chdir(tmp_path)
    for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
