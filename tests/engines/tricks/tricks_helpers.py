"""Tables, runs and deals for the tests of trick taking."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engines import _native
from engines.tricks import rules
from engines.tricks.deal import deal_of_pattern
from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner


def build(root: Path, *words: str) -> Path:
    """Run a job below ``root`` in this process; the run's folder."""
    paths = (f"paths.{name}={root}" for name in ("results", "tables", "scratch"))
    with composing(None) as composer:
        config = composer.compose([*words, *paths])
    status, folder = run_job(config, SerialRunner())
    assert status == 0
    return folder


def summary(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found


def patterns(cards: int) -> list[int]:
    """All hands of so many cards, in order."""
    return [int(each) for each in _native.tricks_patterns(cards, 0, math.comb(2 * cards, cards))]


def played(cards: int, pattern: int, above: int, count: int, left_leads: bool, aim: str = "most") -> int:
    """Left's points by the referee."""
    return rules.value(deal_of_pattern(cards, pattern, above, count, aim), left_leads)


def every_choice(cards: int) -> Iterator[tuple[int, int]]:
    """(cards above the point cards, point cards)."""
    for above in range(2 * cards + 1):
        for count in range(2 * cards - above + 1):
            yield above, count
