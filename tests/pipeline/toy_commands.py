"""A command of the toys, which panics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from engines.contract.answer import Answer, Door
from engines.contract.game import example
from engines.contract.source import Source


@example("Example: yamafuda solve toy deal")
def solve(door: Door, file: Annotated[Source, typer.Argument()]) -> Iterator[Answer]:
    """Panics at anything."""
    from engines import _native

    _native._panic_for_tests()
    yield Answer({}, ())
