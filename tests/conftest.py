"""The toy engines of the pipeline's tests are an installed game in all tests, and in the processes that they start."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOYS = Path(__file__).parent / "pipeline"
# Before anything asks which games there are.
sys.path[:0] = [str(TOYS), str(Path(__file__).parent)]
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TOYS), os.environ.get("PYTHONPATH")]))


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
