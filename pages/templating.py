"""Templates as answers. Everything that is put into one is escaped."""

from __future__ import annotations

import functools
import hashlib
import time
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from pages.cells import cell_words, head_words
from yamafuda import game
from yamafuda.words import count_of, duration, rate, size, typed

VERB_WORDS = {"solve": "Solve from here", "advise": "What is each play worth?"}
"""The questions by which pages ask verbs; other verbs are asked by their names."""


@functools.cache
def environment() -> Environment:
    """The templates of this package."""
    made = Environment(
        loader=PackageLoader("pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {"duration": duration, "rate": rate, "size": size, "clock": clock, "heading": heading}
    made.filters |= {"head_words": head_words, "cell_words": cell_words, "typed": typed}
    made.globals |= {"count_of": count_of, "static": static, "sections": [], "verb_words": VERB_WORDS}
    return made


def rendered(name: str, **values: Any) -> str:
    """A template with its values, as text."""
    return environment().get_template(name).render(values)


def page(name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A template with its values, as an answer."""
    return HTMLResponse(rendered(name, status=status, **values), status)


@functools.cache
def static(name: str) -> str:
    """The address of a file of ``static/``; it changes with the content."""
    content = (resources.files("pages") / "static" / name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:12]}"


def heading(name: str) -> str:
    """What a game is called in the headings of its pages."""
    return game(name).heading


def clock(seconds: float) -> str:
    """A time since 1970, as text, in UTC."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds)) + " UTC"
