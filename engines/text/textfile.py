"""Small text files that a user gives to a command."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

from storage.errors import UserError

_NO_FILE = (errno.ENOENT, errno.ENAMETOOLONG)
_SHOWN = 20
"""Characters of a wrong word that an error repeats."""


def shown(word: str) -> str:
    """A user's word as errors repeat it."""
    return repr(word if len(word) <= _SHOWN else word[:_SHOWN] + "...")


def whole_number(text: str, most: int) -> int | None:
    """The number that decimal digits give; None for anything else, and above ``most``."""
    digits = text.lstrip("0") or text[:1]
    if not (text.isascii() and text.isdigit() and len(digits) <= len(str(most))):
        return None
    return int(digits) if int(digits) <= most else None


def read_text(path: Path, size_max: int) -> str:
    """The text of a file; ``-`` is standard input.

    UserError when it cannot be read, is longer than ``size_max`` bytes, or is not UTF-8.
    """
    try:
        with sys.stdin.buffer if str(path) == "-" else path.open("rb") as stream:
            data = stream.read(size_max + 1)
    except (OSError, ValueError) as error:
        if " " in str(path) and isinstance(error, OSError) and error.errno in _NO_FILE:
            # Most likely a deal was given instead of a file.
            raise UserError(
                shown(str(path)),
                "is not a file; write the text into a file, or give - and send it to standard input",
            ) from None
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(str(path), f"cannot be read: {reason}") from None
    if len(data) > size_max:
        raise UserError(str(path), f"is longer than {size_max} bytes, the most that is read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(str(path), "is not a text file (UTF-8)") from None
