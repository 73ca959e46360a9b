"""The library that draws figures, which is an extra of the installation."""

from __future__ import annotations

import importlib.util

from storage.errors import UserError


def need_matplotlib() -> None:
    """UserError that says how to install it when it is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        raise UserError("report", "figures are drawn by matplotlib: pip install 'yamafuda[pages]'")
