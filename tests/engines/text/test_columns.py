"""Columns end one below another, whatever stands in them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engines.text.columns import aligned

CELLS = st.text("ab1 [=/]-≥±", max_size=12).map(str.strip)


def test_a_table() -> None:
    rows = [("draw", "won %", ""), ("3", "65.06", "64.40 to 65.72"), ("1", "-", "[bold]")]
    assert list(aligned(rows)) == [
        "draw  won %",
        "   3  65.06  64.40 to 65.72",
        "   1      -          [bold]",
    ]


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[CELLS] * n), min_size=1, max_size=6)))
def test_every_cell_stands_in_its_column(rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    assert list(aligned(rows)) == lines
