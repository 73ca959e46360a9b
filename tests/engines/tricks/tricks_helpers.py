"""Tables, runs and deals for the tests of trick taking."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from run_helpers import finished_run

from engines import _native
from engines.tricks import rules
from engines.tricks.deal import deal_of_pattern


def build(root: Path, *words: str) -> Path:
    """Run a job below ``root`` in this process; the run's folder."""
    return finished_run(*words, *(f"paths.{name}={root}" for name in ("results", "tables", "scratch")))


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
