"""Deals that were won and lost, with the interval of their share, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.result import Result, percent

FIGURES = (
    "deals_count",
    "won_count",
    "lost_count",
    "open_count",
    "won_share_min",
    "won_share_max",
    "won_share_low",
    "won_share_high",
)


def wins_result(summary: Mapping[str, Any], items: str = "deals") -> Result:
    """The result in words, from a summary with the figures of ``won_shares``."""
    figures = {name: summary[name] for name in FIGURES}
    counts = {name: figures[f"{key}_count"] for name, key in _NAMES.items()}
    told = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count or name != "undecided")
    least, most = (percent(figures[f"won_share_{end}"]) for end in ("min", "max"))
    low, high = (percent(figures[f"won_share_{end}"]) for end in ("low", "high"))
    share = f"{least} %" if least == most else f"{least} to {most} %"
    return Result(
        figures,
        [f"{told} of {figures['deals_count']:,} {items}: {share} won (95% interval: {low} to {high} %)"],
    )


_NAMES = {"won": "won", "lost": "lost", "undecided": "open"}
"""Outcome -> name of its count."""
