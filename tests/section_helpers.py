"""Sections of reports held against the queries that are to make them, and pages against what pages must be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Any

import pytest

from engines.contract.section import Section
from pipeline.query.answer import answer
from pipeline.query.fence import statements


def assert_query_makes(section: Section) -> None:
    """The rows of the query are the table's, in those columns that it has."""
    (statement,) = statements(section.query)
    found = answer(statement, section.partial)
    assert set(found.names) <= {name for row in section.rows for name in row}, section.name
    shown = {name for column in section.columns for name in (column.name, column.low, column.high)}
    assert len(shown & set(found.names)) > 1, section.name
    told = [tuple(row.get(name) for name in found.names) for row in section.rows]
    assert len(told) == len(found.rows), section.name
    for ours, theirs in zip(sorted(told, key=_order), sorted(found.rows, key=_order), strict=True):
        assert list(theirs) == [_like(each) for each in ours], section.name


def assert_queries_make(sections: Iterable[Section]) -> list[str]:
    """The same of all; their names."""
    names = []
    for section in sections:
        assert_query_makes(section)
        names.append(section.name)
    return names


def _order(row: tuple[Any, ...]) -> list[tuple[bool, str, float]]:
    """Numbers by size, rounded, since a sum's last digit may differ; null last."""
    return [
        (each is None, "", float(f"{float(each):.9g}"))
        if isinstance(each, int | float)
        else (each is None, str(each), 0.0)
        for each in row
    ]


def _like(value: Any) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12) if isinstance(value, float | list) else value


class _Reader(HTMLParser):
    VOID = ("meta", "wbr", "br", "hr", "link", "img")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.used: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "iframe", "object", "embed", "img", "link", "base", "form"), tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "src", "xlink:href"):
                self.addresses.append(value or "")
            self.used += re.findall(r"url\((.*?)\)", value or "")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def assert_page_is_sound(text: str) -> str:
    """Well formed, of one piece, without scripts, and each name there once; the text that it shows."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    assert all(each.startswith("#") and each[1:] in reader.ids for each in reader.addresses)
    assert all(each.startswith("#") and each[1:] in reader.ids for each in reader.used)
    assert "@import" not in text
    assert not re.search(r"#00020[0-9a-f]|#00010[0-9a-f]", text), "a colour that is no name"
    return " ".join("".join(reader.text).split())
