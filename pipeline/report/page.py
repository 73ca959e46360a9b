"""A report as one HTML page with everything in it: it loads nothing else, and has no script."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import escape
from importlib import resources

from engines.contract.section import Column, Section
from engines.text.words import count_of
from pipeline.query.table import on_one_line
from pipeline.report.content import Chapter, Content
from pipeline.report.drawing import NARROW, WIDE, draw
from pipeline.report.facts import RunFacts
from pipeline.report.numbers import cell_words, head_words
from pipeline.version import installed

FOLDED_COUNT = 5
"""With more runs than this their facts are folded up."""

ALONE = "The run by itself"
"""Heading of the engine's sections where a page has only one run."""
LONG_COUNT = 16
"""Tables of more rows scroll within the page."""
MANY_COUNT = 5
"""On a phone rows of more columns than this are lists."""


def page(content: Content) -> str:
    """The whole page; the same runs give the same text."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(content.title.encode(errors='backslashreplace').decode())}</title>\n"
        "<style>body { margin: 0; background: Canvas; } .yamafuda-report { padding: 1rem; }</style>\n"
        f"</head>\n<body>\n{body(content)}\n</body>\n</html>\n"
    )


def body(content: Content) -> str:
    """The report with its style, to be put into another page; the style touches nothing else there."""
    # Names of files may have bytes that are not valid text.
    return "\n".join(_body(content)).encode(errors="backslashreplace").decode()


def _body(content: Content) -> Iterator[str]:
    yield f"<style>\n{_style()}</style>"
    yield '<main class="yamafuda-report">'
    yield f"<h1>{_breakable(content.title)}</h1>"
    for remark in content.remarks:
        yield f'<p class="remark">{_breakable(remark)}</p>'
    if len(content.runs) == 1:
        yield _facts(content.runs[0])
    elif content.runs:
        yield f'<p>{escape(_made_by(content.runs))} <a href="#runs">What was computed, and how.</a></p>'
    else:
        yield "<p>There are no runs.</p>"
    if content.runs and not content.chapters:
        yield "<p>There is nothing to show of these runs yet.</p>"
    for number, chapter in enumerate(content.chapters, start=1):
        yield from _chapter(chapter, f"part-{number}", content.title)
    if len(content.runs) > 1:
        yield from _runs(content.runs)
    yield f"<footer>Made by yamafuda {escape(str(installed('yamafuda')))}.</footer>"
    yield "</main>"


def _style() -> str:
    return (resources.files("pipeline.report") / "report.css").read_text()


def _chapter(chapter: Chapter, anchor: str, title: str) -> Iterator[str]:
    yield f'<section class="chapter" id="{anchor}">'
    yield f"<h2>{_breakable(chapter.title if chapter.title != title else ALONE)}</h2>"
    for section in chapter.sections:
        yield from _section(section, f"{anchor}-{section.name}")
    yield "</section>"


def _section(section: Section, anchor: str) -> Iterator[str]:
    yield f'<section id="{anchor}">'
    yield f"<h3>{escape(section.title)}</h3>"
    if section.chart is not None:
        told = f"{section.title}: a figure of the table below"
        yield '<figure class="wide">' + draw(section.chart, told, anchor, WIDE) + "</figure>"
        yield '<figure class="narrow">' + draw(section.chart, told, anchor, NARROW) + "</figure>"
    yield from _table(section)
    yield from (f'<p class="note">{escape(note)}</p>' for note in section.notes)
    if section.query:
        words = f"yamafuda query {'--partial ' if section.partial else ''}{shlex.quote(section.query)}"
        yield f"<details><summary>The query behind this</summary><pre>{escape(words)}</pre></details>"
    yield "</section>"


def _table(section: Section) -> Iterator[str]:
    kinds = {column.name: _kind(section, column) for column in section.columns}
    heads = "".join(f'<th scope="col"{kinds[column.name]}>{_head(column)}</th>' for column in section.columns)
    label = escape(f"{section.title}, as a table", quote=True)
    # A table wider than the page scrolls inside it, by keyboard too.
    size = " long" if len(section.rows) > LONG_COUNT else ""
    size += " many" if len(section.columns) > MANY_COUNT else ""
    yield f'<div class="scroll{size}" tabindex="0" role="region" aria-label="{label}"><table>'
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    for row in section.rows:
        cells = []
        for column in section.columns:
            value, interval = cell_words(column, row)
            more = f"<small>{escape(interval)}</small>" if interval else ""
            name = escape(head_words(column), quote=True)
            cells.append(f'<td{kinds[column.name]} data-name="{name}">{escape(value)}{more}</td>')
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _head(column: Column) -> str:
    more = "<small>95% interval</small>" if column.low else ""
    return f"{escape(head_words(column))}{more}"


def _kind(section: Section, column: Column) -> str:
    """Columns of words begin at the left, those of numbers end at the right."""
    values = (row.get(column.name) for row in section.rows)
    return ' class="text"' if any(isinstance(value, str | bool | list) for value in values) else ""


def _runs(runs: tuple[RunFacts, ...]) -> Iterator[str]:
    yield '<section class="chapter" id="runs"><h2>What was computed</h2>'
    if len(runs) > FOLDED_COUNT:
        yield f"<details><summary>{len(runs)} runs</summary>"
    yield from map(_facts, runs)
    if len(runs) > FOLDED_COUNT:
        yield "</details>"
    yield "</section>"


def _facts(run: RunFacts) -> str:
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{_breakable(value)}</dd>" for name, value in run.facts)
    return f"<dl>{facts}</dl>"


def _made_by(runs: tuple[RunFacts, ...]) -> str:
    """The number of runs, their dates, and the versions that computed them."""
    told = [dict(run.facts) for run in runs]
    days = sorted(each["begun"].split()[0] for each in told if "begun" in each)
    when = f", begun {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
    versions = " and by ".join(dict.fromkeys(each["computed by"] for each in told))
    return f"{count_of(len(runs), 'run')}{when}, computed by {versions}."


def _breakable(text: str) -> str:
    """Names of runs are long: a line may end after a hyphen or a bar."""
    return re.sub(r"(?<=[-_])(?=\w)", "<wbr>", escape(on_one_line(text)))
