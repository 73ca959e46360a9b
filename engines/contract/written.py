"""A game as a row of a run has it, so that it can be replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Written:
    """Texts and rules as ``engines.contract.positions`` takes them."""

    deal: str
    moves: str = ""
    """Empty where the row does not have them."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """By name."""
