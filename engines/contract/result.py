"""The result of a run in a few figures and words: the end of ``yamafuda run``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Result:
    """The figures of a summary that matter most."""

    figures: dict[str, Any] = field(default_factory=dict)
    """JSON values."""
    lines: list[str] = field(default_factory=list)
    """The same in words."""


def outcomes_result(summary: Mapping[str, Any], items: str) -> Result:
    """The result of a sweep that has only outcomes; ``items``: what it counts, such as ``deals``."""
    count, outcomes = summary["items_count"], summary["outcomes"]
    words = ", ".join(f"{name} {outcomes[name]:,}" for name in sorted(outcomes, key=_order))
    return Result(
        {"items_count": count, "outcomes": outcomes}, [f"{count:,} {items}" + (f": {words}" if words else "")]
    )


def _order(outcome: str) -> int:
    return ("won", "lost", "undecided").index(outcome)


def percent(share: float) -> str:
    """A share in percent with a digit after the point, below one percent with two: ``84.3``, ``0.12``, ``0.0``."""
    return f"{100 * share:.{2 if 0.005 <= 100 * share < 0.995 else 1}f}"
