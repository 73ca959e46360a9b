"""A command of the toys, which panics."""

from __future__ import annotations

from pathlib import Path

from engines.contract.game import example


@example("Example: yamafuda solve toy deal")
def solve(file: Path) -> None:
    """Panics at anything."""
    from engines import _native

    _native._panic_for_tests()
