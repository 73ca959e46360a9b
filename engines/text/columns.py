"""Tables of text in columns, as reports print them: plain, and as wide as they are."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

NONE = "-"
"""Printed where there is no value."""
_WIDTH = 1 << 16
"""Wider than any line: nothing is wrapped or cut."""


def aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Lines of columns that end one below another."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in rows[0]:
        table.add_column(justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(file=io.StringIO(), width=_WIDTH, color_system=None)
    with console.capture() as printed:
        console.print(table)
    yield from (line.rstrip() for line in printed.get().splitlines())
