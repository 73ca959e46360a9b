"""Temporary names of files that are being written."""

from __future__ import annotations

import os
import re
import secrets
import socket
from pathlib import Path

_NAME = re.compile(r".*\.([^.]+)\.([0-9]+)\.[0-9a-f]{16}\.tmp")


def temporary_name(final_name: str) -> str:
    """A name that no other attempt, process or host uses: final name, host, process, random."""
    return f"{final_name}.{_host()}.{os.getpid()}.{secrets.token_hex(8)}.tmp"


def is_left(name: str) -> bool:
    """Whether a file of this name was being written by a process of this host that has ended."""
    found = _NAME.fullmatch(name)
    return found is not None and found[1] == _host() and not Path("/proc", found[2]).exists()


def _host() -> str:
    return socket.gethostname().split(".")[0]
