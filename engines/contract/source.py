"""The texts that a verb takes: from a file, a string, or a field of a form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engines.text.textfile import read_text
from storage.errors import UserError

STANDARD_INPUT = "-"


class Source:
    """A text, and its name in errors."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self.name = name

    def read(self, bytes_max: int) -> str:
        """The text; UserError when it is longer than so many bytes of UTF-8, or cannot be read."""
        if len(self._text) > bytes_max or len(self._text.encode("utf-8", "replace")) > bytes_max:
            raise UserError(self.name, f"is longer than {bytes_max} bytes, the most that is read")
        return self._text.removeprefix("\ufeff")


class FileSource(Source):
    """The text of a file, read when it is needed; ``-`` is standard input."""

    def __init__(self, path: Path) -> None:
        super().__init__("", str(path))
        self._path = path

    def read(self, bytes_max: int) -> str:
        """As for ``Source``; UserError also when it is not UTF-8."""
        return read_text(self._path, bytes_max)


@dataclass(frozen=True)
class Typed:
    """Marks a parameter of the type ``Source`` whose text is typed on the command line, in place of a file's name."""

    is_file: Callable[[str], bool] | None = None
    """Decides whether the words, joined, name a file after all; without it the text is one word."""
