"""An S3 server for tests: started once for all tests of a process, with a bucket of its own for each."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from patience import PATIENCE_S

from storage.stores.objects import open_store

_numbers = itertools.count()


@contextlib.contextmanager
def s3_server(log: Path, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """A server that keeps everything in memory, and ends with the block; its URL."""
    port = port or _free_port(host)
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", host, "-p", str(port)], stdout=stream, stderr=stream
        )
    try:
        deadline_s = time.monotonic() + PATIENCE_S
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection((host, port), 1).close()
                break
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline_s
            time.sleep(0.05)
        yield f"http://{host}:{port}"
    finally:
        process.kill()
        process.wait()


def environment(url: str) -> dict[str, str]:
    """What whoever uses the server must have in the environment."""
    return {
        "AWS_ACCESS_KEY_ID": "AKIAFORTESTS",
        "AWS_SECRET_ACCESS_KEY": "a-secret-of-the-tests",
        "AWS_ENDPOINT_URL": url,
        "AWS_REGION": "us-east-1",
    }


def make_bucket(monkeypatch: pytest.MonkeyPatch, url: str, scratch: Path) -> str:
    """A new bucket, and the environment to reach it; its URL."""
    for name, value in environment(url).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(scratch))
    name = f"bucket-{os.getpid()}-{next(_numbers)}"
    boto3.client("s3", region_name="us-east-1").create_bucket(Bucket=name)
    open_store.cache_clear()
    return f"s3://{name}"


def _free_port(host: str) -> int:
    with socket.socket() as taken:
        taken.bind((host, 0))
        return int(taken.getsockname()[1])
