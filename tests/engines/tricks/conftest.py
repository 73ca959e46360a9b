"""Makes the helpers importable; a table of small deals."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from tricks_helpers import build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished table of up to 8 cards each, the highest ones to be won."""
    return build(tmp_path_factory.mktemp("tables"), "job=tricks_table", "job.cards=8")
