"""What all tests share: the toy engines as an installed game; patience; which tests go to which process of xdist."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from pipeline.memory import available_bytes

TOYS = Path(__file__).parent / "pipeline"
# Before anything asks which games there are, and for the processes that tests start.
sys.path[:0] = [str(TOYS), str(Path(__file__).parent)]
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TOYS), os.environ.get("PYTHONPATH")]))

# How long an example takes says how busy the machine is.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

PROCESS_BYTES = 3 << 30
"""What a process of the tests takes at most, with the processes that it starts."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Processes of ``-n auto``: one for each processor, as far as memory goes."""
    return max(1, min(len(os.sched_getaffinity(0)), available_bytes() // PROCESS_BYTES))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests of a file stay together, since they share what they build, and files whose tests start Ray are one."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduler(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "ray" if "mark.ray\n" in (config.rootpath / file).read_text() else file

    return Scheduler(config, log)


@pytest.fixture(scope="session")
def s3_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An S3 server."""
    from object_store import s3_server

    with s3_server(tmp_path_factory.mktemp("s3") / "log") as url:
        yield url


@pytest.fixture
def bucket(s3_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a new bucket that this process, and those that it starts, can use."""
    from object_store import make_bucket

    return make_bucket(monkeypatch, s3_url, tmp_path / "cache")
