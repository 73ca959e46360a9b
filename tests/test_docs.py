"""Pages that are made are those that would be made now."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))

import make_data


def test_the_columns_of_all_data_are_told_as_they_are() -> None:
    """After a change: make docs."""
    assert make_data.PAGE.read_text() == make_data.page()


@pytest.mark.parametrize(
    "page", ["README.md", "docs/adding-a-game.md", "docs/data.md", "engines/TEXT.md", "storage/FORMAT.md"]
)
def test_what_pages_link_to_is_there(page: str) -> None:
    path = Path(__file__).parents[1] / page
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text())
    assert targets
    assert not [target for target in targets if not (path.parent / target).exists()]
