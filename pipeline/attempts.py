"""Attempts of a sweep: the same run with larger limits takes its undecided items again."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from engines.contract.job import Limits
from storage.errors import DamagedFileError
from storage.layout import RunLayout, part_of
from storage.manifest import read_summary

MOST = 1000
"""Largest number of attempts that is believed: a damaged number must not take all memory."""


def settle_attempt(limits: Limits, earlier: list[dict[str, Any]]) -> tuple[int, Limits]:
    """The attempt (from 1) that a command with ``limits`` belongs to, and the limits that it uses.

    ``earlier`` are the limits of the attempts so far. Any limit (but the number of retries) larger than in the
    last attempt begins a further one. Otherwise the last one goes on with its own limits, so that all its items
    have the same chance; only limits that decide nothing are taken from the command. When the last attempt's
    limits are not known (none are given), a further attempt begins.
    """
    if not earlier:
        return 1, limits
    last = earlier[-1]
    given = dataclasses.asdict(limits)
    if not last or any(
        _size(given[name]) > _size(last.get(name)) for name in given if name != "retries_count"
    ):
        return len(earlier) + 1, limits
    kept = {name: last[name] for name in given if name not in limits.indecisive and name in last}
    return len(earlier), dataclasses.replace(limits, **kept)


def attempts_so_far(told: list[dict[str, Any]], layout: RunLayout) -> list[dict[str, Any]]:
    """The limits of a sweep's attempts: from its journal, and where that was lost, from its summary and parts.

    An empty mapping stands for limits that nothing records any more.
    """
    found = list(told)
    try:
        summary = read_summary(layout.run_dir)
        found += [dict(summary["job"]["limits"])] * (min(int(summary["attempt"]), MOST) - len(found))
    except (DamagedFileError, OSError, ValueError, TypeError, KeyError):
        pass
    parts = (part_of(path.name) for path in layout.data.iterdir()) if layout.data.is_dir() else ()
    last = min(max((part[1] for part in parts if part is not None), default=0), MOST)
    return found + [{}] * (last - len(found))


def _size(limit: Any) -> float:
    return math.inf if limit is None else float(limit)
