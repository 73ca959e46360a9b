"""An answer as a table of text: no wider than the terminal; without one, as wide as the answer."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator, Sequence

from pipeline.query.values import as_text

GAP = 2
LEAST = 12
"""Longer texts and headings may be shortened to so many characters, before columns are left out."""
_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def table_lines(
    names: Sequence[str],
    types: Sequence[str],
    rows: Sequence[Sequence[object]],
    width: int | None = None,
    folds: bool = False,
) -> tuple[list[str], Iterator[str]]:
    """The names of the columns that are left out, and the lines.

    ``width``: of the terminal; None without bounds. ``folds``: a long text in the last column takes several
    lines.
    """
    right = [bool(_NUMBER.fullmatch(kind)) for kind in types]
    heads = [on_one_line(name) for name in names]
    cells = [[on_one_line(as_text(value)) for value in row] for row in rows]
    bodies = [max((_width(row[column]) for row in cells), default=0) for column in range(len(names))]
    widest = [max(_width(head), body) for head, body in zip(heads, bodies, strict=True)]
    if width is None:
        return [], _lines(heads, cells, widest, right)
    least = [
        max(body if is_number else min(body, LEAST), min(_width(head), LEAST))
        for head, body, is_number in zip(heads, bodies, right, strict=True)
    ]
    shown = _shown_count(least, width)
    widths = _fitted(least[:shown], widest[:shown], width - (GAP + 1 if shown < len(names) else 0))
    if folds and shown == len(names):
        cells = [folded for row in cells for folded in _folded(row, widths[-1])]
    lines = _lines(heads, cells, widths, right, more=shown < len(names))
    return list(names[shown:]), lines


def _shown_count(least: Sequence[int], width: int) -> int:
    """The number of columns that fit, at least one, beside the mark for those that are left out."""
    taken = -GAP
    for count, each in enumerate(least):
        taken += GAP + each
        if taken + (GAP + 1 if count + 1 < len(least) else 0) > width:
            return max(count, 1)
    return len(least)


def _fitted(least: Sequence[int], widest: Sequence[int], width: int) -> list[int]:
    """Widths between these bounds: as many columns as possible get their full width, the narrow ones first."""
    room = width - GAP * (len(least) - 1)
    widths = list(least)
    for place in sorted(range(len(least)), key=lambda place: widest[place]):
        others = sum(widths) - widths[place]
        waiting = sum(1 for other in range(len(least)) if widths[other] < widest[other])
        spare = room - others - widths[place]
        widths[place] = min(widest[place], widths[place] + max(spare, 0) // max(waiting, 1))
    return widths


def _lines(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
    right: Sequence[bool],
    more: bool = False,
) -> Iterator[str]:
    mark = ellipsis()
    for row in (heads, *rows):
        padded = [
            _sized(cell, width, is_number, mark)
            for cell, width, is_number in zip(row, widths, right, strict=False)
        ]
        yield (" " * GAP).join([*padded, *([mark] if more else [])]).rstrip()


def _folded(row: Sequence[str], width: int) -> Iterator[list[str]]:
    """A row as several, so that the last text is no wider than ``width``."""
    first, *others = textwrap.wrap(row[-1], width) or [""]
    yield [*row[:-1], first]
    for text in others:
        yield [*[""] * (len(row) - 1), text]


def _sized(text: str, width: int, to_right: bool, mark: str) -> str:
    if _width(text) > width:
        text = shortened(text, width, mark)
    spaces = " " * (width - _width(text))
    return spaces + text if to_right else text + spaces


def shortened(text: str, width: int, mark: str) -> str:
    """Sentences lose their end; names, paths and digests their middle, for their ends tell them apart."""
    from rich.cells import set_cell_size

    kept = max(width - len(mark), 0)
    end = "" if " " in text else text[len(text) - kept // 2 :]
    return set_cell_size(text, kept - _width(end)) + mark + end if _width(end) <= kept else mark


def _width(text: str) -> int:
    """Columns of a terminal: Chinese and Japanese characters take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def on_one_line(text: str) -> str:
    """The text without characters that would end the line or control the terminal."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def ellipsis() -> str:
    """A mark for what is cut: one character where the output's encoding has it."""
    encoding = sys.stdout.encoding or "ascii"
    return "…" if encoding.lower().startswith("utf") else "..."
