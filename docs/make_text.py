"""Fills in engines/TEXT.md: ``python docs/make_text.py`` (``make docs``).

Each section of the page names the module that reads its form. The section's examples and its grammar are the indented
paragraphs of that module's docstring, in their order; they are written there and nowhere else. The sentences between
them are the page's own.
"""

from __future__ import annotations

import importlib
import re
from itertools import pairwise
from pathlib import Path

PAGE = Path(__file__).parents[1] / "engines" / "TEXT.md"
SECTION = re.compile(r"^## (?P<title>.*): \[(?P<module>\w+/\w+)\.py\]\((?P=module)\.py\)\n", re.MULTILINE)
_PARAGRAPH = re.compile(r"(?:^ {4}.*\n)+", re.MULTILINE)


def page() -> str:
    """The text of the page; ValueError where a section has not as many indented paragraphs as its module."""
    text = PAGE.read_text()
    starts = [*(found.start() for found in SECTION.finditer(text)), len(text)]
    filled = [_filled(text[start:end]) for start, end in pairwise(starts)]
    return text[: starts[0]] + "".join(filled)


def _filled(section: str) -> str:
    found = SECTION.match(section)
    assert found is not None
    module = importlib.import_module("engines." + found["module"].replace("/", "."))
    paragraphs = _PARAGRAPH.findall(module.__doc__ or "")
    places = list(_PARAGRAPH.finditer(section))
    if len(places) != len(paragraphs):
        raise ValueError(
            f"{PAGE.name}, {found['title']}: {len(places)} indented paragraphs,"
            f" {len(paragraphs)} in the docstring of {module.__name__}"
        )
    for place, paragraph in zip(reversed(places), reversed(paragraphs), strict=True):
        section = section[: place.start()] + paragraph + section[place.end() :]
    return section


if __name__ == "__main__":
    PAGE.write_text(page())
