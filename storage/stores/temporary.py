"""Names of files that are being written."""

from __future__ import annotations

import os
import secrets
import socket


def temporary_name(final_name: str) -> str:
    """A name that no other attempt, process or host uses: final name, host, process, random."""
    host = socket.gethostname().split(".")[0]
    return f"{final_name}.{host}.{os.getpid()}.{secrets.token_hex(8)}.tmp"
