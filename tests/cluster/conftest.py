"""Modules beside the tests are found by their names; three hosts for those that kill them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hosts import network_of
from runs import TOYS, run_serially
from store import StoreHost
from stories import Site


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Three hosts without Ray, and a store."""
    folder, apart, logs = (tmp_path_factory.mktemp(name) for name in ("site", "serial", "logs"))
    names = {"h1": 0, "h2": 0, "h3": 0, "h4": 0}
    with ThreadPoolExecutor() as pool, network_of(names, logs, folder, PYTHONPATH=str(TOYS)) as hosts:
        store = StoreHost(hosts.pop("h4"))
        for host in hosts.values():
            host.environment |= store.environment
        yield Site(hosts, store, folder, lambda job: pool.submit(run_serially, job, apart / job.name))


@pytest.fixture(params=["folder", "bucket"])
def site(built: Site, request: pytest.FixtureRequest) -> Site:
    """All three hosts up, with Ray; results go to a folder that they share, or to the store."""
    built.mend()
    built.store.become("well")
    built.has_bucket = request.param == "bucket"
    return built
