"""What ``--dry-run`` foretells is near what runs take (``make check-estimates``: all jobs, and their time, too)."""

from __future__ import annotations

import math
import sys
from importlib import resources
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "slow"))

from estimates import QUICK, SLOW, compared

FACTOR = 3.0
"""Of instances that take a second; the slow check has 2."""


@pytest.mark.parametrize("words", QUICK)
def test_estimates(words: str) -> None:
    found = compared(words)
    assert found.is_size_within(FACTOR), found
    assert 0 < found.time < math.inf, found


def test_every_job_is_compared() -> None:
    files = [entry.name for entry in (resources.files("conf") / "job").iterdir()]
    jobs = {words.split()[0].removeprefix("job=") for words in QUICK + SLOW}
    assert jobs == {name.removesuffix(".yaml") for name in files if name.endswith(".yaml")}
