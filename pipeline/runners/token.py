"""The token of a Ray cluster, where Ray's own programs look for it (Ray documentation, "Token authentication")."""

from __future__ import annotations

import os
from pathlib import Path

MODE = "RAY_AUTH_MODE"


def token() -> str:
    """The token that is set here; empty where there is none, or none is wanted."""
    if os.environ.get(MODE, "").lower() == "disabled":
        return ""
    if os.environ.get("RAY_AUTH_TOKEN"):
        return os.environ["RAY_AUTH_TOKEN"].strip()
    path = os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token"
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
