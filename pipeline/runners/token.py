"""The token of a Ray cluster, from where Ray's own programs look for it (Ray documentation, "Token
authentication")."""

from __future__ import annotations

import os
from pathlib import Path

MODE = "RAY_AUTH_MODE"


def token() -> str:
    """The token that is set here; empty if there is none, or tokens are off."""
    if os.environ.get(MODE, "").lower() == "disabled":
        return ""
    if os.environ.get("RAY_AUTH_TOKEN"):
        return os.environ["RAY_AUTH_TOKEN"].strip()
    path = os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token"
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def refusal() -> str:
    """The message when a cluster does not take the token."""
    had = "the token that is set here" if token() else "requests without a token, and none is set here"
    return f"the cluster does not take {had} (RAY_AUTH_TOKEN, RAY_AUTH_TOKEN_PATH or ~/.ray/auth_token)"
