"""A section of the site: its name in the menu, and its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.routing import BaseRoute


@dataclass(frozen=True)
class Section:
    """Its routes' paths begin with its own."""

    title: str
    """In the menu."""
    path: str
    """Its first page."""
    routes: Sequence[BaseRoute]
