"""Output laid out by rich, without the blanks at the ends of lines, which would wrap and be copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def print_ragged(console: Console, shown: RenderableType) -> None:
    """Print ``shown`` with lines that end with their text."""
    with console.capture() as captured:
        console.print(shown)
    for line in captured.get().splitlines():
        print(line.rstrip(), file=console.file)
