"""A report of chosen runs as text."""

from __future__ import annotations

from collections.abc import Iterator

from engines.contract.section import Section
from engines.text.columns import aligned
from pipeline.query.table import on_one_line
from pipeline.report.content import Content
from pipeline.report.numbers import cell_words, head_words


def report_text(content: Content) -> Iterator[str]:
    """Facts of each run, then the tables of all sections."""
    for run in content.runs:
        yield from (f"{name:11} {on_one_line(value)}" for name, value in run.facts)
        yield ""
    for chapter in content.chapters:
        yield chapter.title
        for section in chapter.sections:
            yield ""
            yield from _section(section)
        yield ""
    yield from map(on_one_line, content.remarks)


def _section(section: Section) -> Iterator[str]:
    yield section.title
    heads: list[str] = []
    for column in section.columns:
        heads += [head_words(column)]
        heads += [""] if column.low else []
    rows = [tuple(heads)]
    for row in section.rows:
        cells: list[str] = []
        for column in section.columns:
            value, interval = cell_words(column, row)
            cells += [value, interval] if column.low else [value]
        rows.append(tuple(cells))
    yield from aligned(rows)
    yield from section.notes
