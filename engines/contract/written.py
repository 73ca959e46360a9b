"""A game as it is written down: what a row of a run tells of one, for who replays it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Written:
    """Texts and rules as ``engines.contract.positions`` takes them."""

    deal: str
    moves: str = ""
    """Empty where they are not told."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """By name."""
