"""The lock of a run's driver says whose it is."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from pipeline.lock import driver_lock, holder, is_held
from storage.errors import UserError


def test_the_holder_is_told_whoever_held_it_before(tmp_path: Path) -> None:
    path = tmp_path / "driver.lock"
    path.write_text('{"host": "a host with a much longer name than this one has, by far", "pid": 4194304}')
    assert not is_held(path)
    with driver_lock(path):
        assert is_held(path)
        assert holder(path) == f"process {os.getpid()} on {socket.gethostname()}"
        with pytest.raises(UserError, match=f"driven by process {os.getpid()} on "), driver_lock(path):
            pass
    assert not is_held(path)
