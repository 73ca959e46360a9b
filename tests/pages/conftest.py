"""A site with a few runs, as a test asks it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import yamafuda
from pages.guard import Access

sys.path.insert(0, str(Path(__file__).parent))

from site_helpers import PORT, client_of


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where runs are, for all tests of a file."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("roots") / "results"
        folder.mkdir()
        patch.setenv("YAMAFUDA_RESULTS", str(folder))
        patch.delenv("YAMAFUDA_TABLES", raising=False)
        yield folder


@pytest.fixture(scope="module")
def sweep(roots: Path) -> yamafuda.Run:
    """A run of Klondike that is done."""
    return yamafuda.run("klondike_sweep", deals=12, redeals=2, label="twelve <b>", progress=False)


@pytest.fixture(scope="module")
def client(sweep: yamafuda.Run) -> Iterator[TestClient]:
    """Of a site on loopback, with a run."""
    with client_of(Access(PORT)) as made:
        yield made
