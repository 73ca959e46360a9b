"""Jobs of Daihinmin through the serial runner."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_helpers import finished_run

from storage.errors import UserError


def run_of(name: str, *words: str) -> Path:
    """The folder of the finished run of ``job=NAME WORDS``."""
    return finished_run(f"job={name}", *(f"job.{word}" for word in words))


def assert_named(name: str, word: str, field: str) -> None:
    """What is wrong in ``job=NAME WORD`` is named before any work."""
    with pytest.raises(UserError) as caught:
        run_of(name, word)
    assert caught.value.field == field
    assert not Path("results").exists()
