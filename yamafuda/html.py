"""Tables as notebooks show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from pipeline.query.values import as_text


def table_html(
    names: Sequence[str], rows: Sequence[Sequence[object]], note: str, gap: tuple[int, int] | None = None
) -> str:
    """A table with a note below. ``gap``: after which number of rows some are left out, and how many."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    body = "".join(_rows(rows, len(names), gap))
    return (
        f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody>"
        f'<caption style="caption-side: bottom">{escape(note)}</caption></table>'
    )


def _rows(rows: Sequence[Sequence[object]], columns_count: int, gap: tuple[int, int] | None) -> Iterator[str]:
    for number, row in enumerate(rows):
        if gap is not None and number == gap[0]:
            yield f'<tr><td colspan="{columns_count}">… {gap[1]:,} more …</td></tr>'
        yield f"<tr>{''.join(map(_cell, row))}</tr>"


def _cell(value: object) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    style = ' style="text-align: right"' if is_number else ""
    return f"<td{style}>{escape(as_text(value))}</td>"
