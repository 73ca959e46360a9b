"""The pages that people read, and the commands and code in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "engines" / "TEXT.md"]
}
"""By name."""
_BLOCK = re.compile(r"(?:^    .*\n(?:\n+(?=    ))?)+", re.MULTILINE)
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"\$ |(yamafuda|echo) (?!.*\.\.\. )")
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
    """The commands in a page's indented blocks: after ``$`` with what they print, others without.

    Those that are not whole (``...``) are left out.
    """
    for block in _BLOCK.findall(_FENCE.sub("", page)):
        lines = [line.removeprefix("    ").rstrip() for line in block.replace("\\\n", " ").splitlines()]
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
