"""The pages that people read, and the commands and code in them."""

from __future__ import annotations

import contextlib
import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from storage.errors import UserError

ROOT = Path(__file__).parents[1]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "engines" / "TEXT.md"]
}
"""By name."""
_BLOCK = re.compile(r"(?:^    .*\n(?:\n+(?=    ))?)+", re.MULTILINE)
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(
    r"\$ |(yamafuda|echo|make|python3?|pip|cargo|docker|curl|export|\.|[A-Z_]+=\S+ yamafuda) "
)
_INLINE = re.compile(r"(?<!`)`((?:yamafuda|make) [^`]+)`(?!`)")


@dataclass(frozen=True)
class Shown:
    """A command of a page."""

    command: str
    output: tuple[str, ...] | None = None
    """Lines, where the page shows them."""

    @property
    def words(self) -> list[str]:
        """As a shell splits them, remarks left out."""
        return shlex.split(self.command, comments=True)


def code(page: str, language: str) -> list[str]:
    """The fenced code of a language."""
    return [text for kind, text in _FENCE.findall(page) if kind == language]


def section(page: str, title: str) -> str:
    """What stands under a heading of the second order."""
    return page.split(f"\n## {title}\n")[1].split("\n## ")[0]


def shown(page: str) -> Iterator[Shown]:
    """The commands in a page's indented blocks: after ``$`` with what they print, others without."""
    for block in _BLOCK.findall(_FENCE.sub("", page)):
        lines = [line.rstrip() for line in textwrap.dedent(block.replace("\\\n", " ")).splitlines()]
        places = [place for place, line in enumerate(lines) if _COMMAND.match(line)]
        for place, end in zip(places, [*places, len(lines)][1:], strict=True):
            output = lines[place + 1 : end]
            while output and not output[-1]:
                output.pop()
            command = lines[place].removeprefix("$ ")
            yield Shown(command, tuple(output) if lines[place].startswith("$ ") else None)


def named(page: str) -> Iterator[Shown]:
    """The commands that stand within sentences and tables, as far as they are whole."""
    for command in _INLINE.findall(_FENCE.sub("", page)):
        if "..." not in command:
            yield Shown(command.replace("\n", " ").replace("\\|", "|"))


def parsed(words: list[str]) -> None:
    """Every word has a place; an error of typer's if not."""
    from pipeline.cli import app

    command: Any = typer.main.get_command(app)
    context, name = None, "yamafuda"
    with contextlib.suppress(typer.Exit):  # --version and the like
        while True:
            context = command.make_context(name, list(words), parent=context)
            words = [*getattr(context, "_protected_args", []), *context.args]
            if not words or not hasattr(command, "resolve_command"):
                return
            name, command, words = command.resolve_command(context, words)


def is_whole(each: Shown) -> bool:
    """Whether it can be given as it stands; False of what names a command without all that this needs."""
    try:
        if each.words[0] == "yamafuda":
            parsed(each.words[1:])
    except (typer.TyperException, UserError) as error:
        return type(error).__name__ != "MissingParameter" and "names no game" not in str(error)
    return True
