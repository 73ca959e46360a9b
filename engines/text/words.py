"""Times, sizes, rates and counts as people read them."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Seconds in the largest units that fit: ``45 s``, ``12 min``, ``3.4 h``, ``2.1 d``."""
    for limit, unit_s, name in ((120, 1, "s"), (7200, 60, "min"), (172800, 3600, "h")):
        if seconds < limit:
            return (
                f"{seconds / unit_s:.2g} {name}"
                if seconds < 10 * unit_s
                else f"{seconds / unit_s:.0f} {name}"
            )
    return f"{seconds / 86400:.1f} d"


def size(count: float) -> str:
    """Bytes in the largest decimal unit that fits: ``512 bytes``, ``16 kB``, ``1.5 GB``."""
    for limit, unit, name in ((1e3, 1, "bytes"), (1e6, 1e3, "kB"), (1e9, 1e6, "MB"), (1e12, 1e9, "GB")):
        if count < limit:
            return f"{_three(count / unit)} {name}"
    return f"{_three(count / 1e12)} TB"


def rate(per_s: float) -> str:
    """A rate for each second, or for each minute or hour where that would be less than one: ``21/s``, ``3.5/min``."""
    for times, name in ((1, "s"), (60, "min")):
        if per_s * times >= 1:
            return f"{_three(per_s * times)}/{name}"
    return f"{_three(per_s * 3600)}/h"


def count_of(count: int, noun: str, several: str = "") -> str:
    """``1 game``, ``1,500 games``; ``several`` where the plural is not the noun and an s."""
    return f"{count:,} {noun if count == 1 else several or noun + 's'}"


def _three(value: float) -> str:
    """With three digits, or all digits before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
