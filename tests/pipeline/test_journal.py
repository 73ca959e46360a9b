"""What a journal tells of its drivers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.journal import Journal, read_history
from pipeline.run import DONE, FAILED, INTERRUPTED, USER_ERROR


@pytest.mark.parametrize(
    ("ends", "interrupted_count", "last_status"),
    [
        ([DONE], 0, DONE),
        ([FAILED], 0, FAILED),
        ([USER_ERROR], 0, USER_ERROR),
        ([INTERRUPTED], 1, INTERRUPTED),
        ([None], 1, None),
        ([FAILED, INTERRUPTED, None, USER_ERROR, None, DONE], 3, DONE),
    ],
)
def test_drivers_that_were_stopped_or_killed_are_interrupted(
    tmp_path: Path, ends: list[int | None], interrupted_count: int, last_status: int | None
) -> None:
    """None: it was killed."""
    for status in ends:
        with Journal(tmp_path) as journal:
            journal.begin(1, {})
            if status is not None:
                journal.end(status)
    history = read_history(tmp_path)
    assert (history.interrupted_count, history.last_status) == (interrupted_count, last_status)
    assert history.drivers_count == len(ends)
