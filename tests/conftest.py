"""What all tests share: the toy engines as an installed game; which tests go to which process of pytest-xdist."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pipeline.memory import available_bytes

TOYS = Path(__file__).parent / "pipeline"
# Before anything asks which games there are, and for the processes that tests start.
sys.path.insert(0, str(TOYS))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TOYS), os.environ.get("PYTHONPATH")]))

PROCESS_BYTES = 3 << 30
"""What a process of the tests takes at most, with the processes that it starts."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a file stay together, since they share what they build; those with Ray are never two at once."""
    for item in items:
        group = "ray" if item.get_closest_marker("ray") else item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_xdist_auto_num_workers() -> int:
    """Processes of ``-n auto``: one for each processor, as far as memory goes."""
    return max(1, min(len(os.sched_getaffinity(0)), available_bytes() // PROCESS_BYTES))
