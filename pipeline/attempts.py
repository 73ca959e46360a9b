"""Attempts of a sweep: the same run with larger limits takes its undecided items again."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from engines.contract.job import Limits


def settle_attempt(limits: Limits, earlier: list[dict[str, Any]]) -> tuple[int, Limits]:
    """Attempt (from 1) that a command with ``limits`` belongs to, and the limits that it goes on with.

    ``earlier`` are the limits of the attempts so far. Any limit (but the number of retries) larger than in
    the last attempt begins a further one. Otherwise the last one goes on with its own limits, so that all its
    items had the same chance; only the indecisive ones follow the command.
    """
    if not earlier:
        return 1, limits
    last = earlier[-1]
    given = dataclasses.asdict(limits)
    if any(_size(given[name]) > _size(last.get(name)) for name in given if name != "retries_count"):
        return len(earlier) + 1, limits
    kept = {name: last[name] for name in given if name not in limits.indecisive and name in last}
    return len(earlier), dataclasses.replace(limits, **kept)


def _size(limit: Any) -> float:
    return math.inf if limit is None else float(limit)
