"""Pages that are made are those that would be made now."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))

import make_data


def test_the_columns_of_all_data_are_told_as_they_are() -> None:
    """After a change: make docs."""
    assert make_data.PAGE.read_text() == make_data.page()
