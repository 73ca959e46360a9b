"""Makes the helpers importable; tables of tiny games, built once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from calculation_games import TINY, run_of


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of ``TINY``."""
    root = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
            patch.delenv(name, raising=False)
        for ranks, stacks in TINY:
            run_of(root, "stackgame_table", f"stacks={stacks}", "boards=2", f"cards={ranks - 1}")
    return root
