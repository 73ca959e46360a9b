"""Deals as JSON values, one after another or in arrays."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from engines.text.forms import Lines
from engines.text.textfile import shown
from storage.errors import UserError

BEGINS = re.compile(r"\s*[{\[]")
"""Pattern of the beginning of a line with such a value."""


def take_values(lines: Lines, source: str) -> Iterator[tuple[int, Any]]:
    """The values up to the first line that begins differently, those of an array one by one, each with its line.

    UserError names the line where there is no JSON.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    text, first, at = lines.rest(), lines.line[0], 0
    while match := re.compile(r"\s*([{\[])").match(text, at):
        line = first + text.count("\n", 0, match.start(1))
        try:
            value, at = decoder.raw_decode(text, match.start(1))
        except json.JSONDecodeError as error:
            raise UserError(
                f"{source}, line {first + error.lineno - 1}", f"is no JSON: {error.msg}"
            ) from None
        except RecursionError:
            raise UserError(f"{source}, line {line}", "is no deal: its brackets lie too deep") from None
        except ValueError as error:
            raise UserError(f"{source}, line {line}", f"is no deal: {error}") from None
        for each in value if isinstance(value, list) else [value]:
            yield line, each
    end = first + text.count("\n", 0, at)
    after = text[at:].partition("\n")[0].partition("#")[0].strip()
    if after:
        raise UserError(f"{source}, line {end}", f"is no JSON: {shown(after)} stands after its end")
    lines.skip(end - first + 1)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{shown(max(names, key=names.count))} is given twice")
    return found
