"""What one job takes: its fields with types, ranges, defaults and comments, and the command that runs it."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from enum import Enum, StrEnum
from pathlib import Path
from types import NoneType
from typing import Any, cast, get_args, get_origin, get_type_hints

from engines.contract.job import FOUND_OUT
from engines.contract.options import Option, options_of
from pipeline.config import composing
from pipeline.jobfiles import JobFile, chain, job_files, kind_of, named_file
from pipeline.ragged import print_ragged

_TYPES = {int: "whole number", float: "number", str: "text", bool: "true|false"}
_ALIKE = 0.6
"""From this similarity on (difflib's ratio), two texts are taken to say the same."""


@dataclass(frozen=True)
class FieldHelp:
    """One field of a job."""

    field: str
    """The name by which it is set: ``job.limits.states``."""
    type: str
    least: float | None
    most: float | None
    choices: list[str]
    """All values, where there are few."""
    none: str
    """The word for "no value"; empty when a value is needed."""
    default: Any
    """In this file; None for no value."""
    help: str
    """What the game says of it."""
    comment: str
    """What the job's files say of it."""

    @property
    def values(self) -> str:
        """The values that it takes, in words."""
        words = "|".join(self.choices) if self.choices else self.type
        if self.most is not None:
            words = f"{_plain(self.least or 0)} to {_plain(self.most)}"
        elif self.least is not None and not self.choices:
            words = f"{self.type}, at least {_plain(self.least)}"
        return f"{words}, or {self.none}" if self.none else words

    @property
    def meaning(self) -> str:
        """What the game and the files say; once where the words are nearly the same."""
        said = self.help.rstrip(".")
        if SequenceMatcher(None, said.lower(), self.comment.lower()).ratio() > _ALIKE:
            said = ""
        both = "; ".join(filter(None, [said, self.comment]))
        names_value = re.match(r"\w+:", both)
        return both if names_value else both[:1].upper() + both[1:]


@dataclass(frozen=True)
class JobHelp:
    """One job file."""

    job: str
    kind: str
    """Its ``job.name``; jobs that differ only in defaults share it."""
    remarks: list[str]
    fields: list[FieldHelp]
    example: str


def job_help(name: str, config_dir: Path | None) -> JobHelp:
    """All that is known of a job; UserError when there is none of this name."""
    files = job_files(config_dir)
    file: JobFile = named_file(files, name)
    with composing(config_dir) as composer:
        job = composer.compose_unchecked([f"job={name}"]).job
    comments: dict[str, str] = {}
    for each in chain(files, name):
        said = {f"job.{key}": comment for key, comment in each.comments.items()}
        comments |= {key: comment for key, comment in said.items() if comment or key not in comments}
    fields = list(_fields("job", type(job), vars(job), comments))
    places = list(comments)
    fields.sort(key=lambda each: places.index(each.field) if each.field in comments else len(places))
    return JobHelp(
        name,
        kind_of(files, name) or job.name,
        file.remarks,
        fields,
        f"yamafuda run job={name} cluster=local",
    )


def print_job_help(told: JobHelp, as_json: bool) -> None:
    """Print it, for people or as one JSON line."""
    if as_json:
        print(json.dumps(asdict(told)))
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    first, *rest = told.remarks or [""]
    print_ragged(console, Text.assemble((told.job, "bold"), f": {first}" if first else ""))
    for line in rest:
        print_ragged(console, Text(line))
    console.print()
    for each in told.fields:
        value = shown_value(each.default, each.none)
        print_ragged(console, Text.assemble((each.field, "cyan"), f"={value}", (f"  ({each.values})", "dim")))
        if each.meaning:
            print_ragged(console, Padding(Text(each.meaning), (0, 0, 0, 4)))
    console.print()
    print_ragged(
        console, Text.assemble("Example: ", told.example, " (--dry-run shows units, bytes and time)")
    )


def _fields(prefix: str, kind: type, values: dict[str, Any], comments: dict[str, str]) -> Iterator[FieldHelp]:
    hints = get_type_hints(kind)
    options = {each.name: each for each in options_of(kind)}
    for each in dataclasses.fields(kind):
        if (prefix, each.name) == ("job", "name") or each.name.endswith(FOUND_OUT):
            continue
        name, hint = f"{prefix}.{each.name}", hints[each.name]
        if dataclasses.is_dataclass(hint):
            yield from _fields(name, cast(type, hint), vars(values[each.name]), comments)
        else:
            yield _field(name, hint, options.get(each.name), values[each.name], comments.get(name, ""))


def _field(name: str, hint: Any, option: Option | None, default: Any, comment: str) -> FieldHelp:
    types = (
        [each for each in get_args(hint) if each is not NoneType] if NoneType in get_args(hint) else [hint]
    )
    choices: list[str] = [] if option is None else [_plain(each) for each in option.choices]
    if not choices and isinstance(types[0], type) and issubclass(types[0], StrEnum):
        choices = [each.value for each in types[0]]
    is_number = option is not None and not choices and types[0] in (int, float)
    return FieldHelp(
        field=name,
        type=_type_words(types[0]),
        least=option.least if option is not None and is_number else None,
        most=option.most if option is not None and is_number else None,
        choices=choices,
        none=((option.none if option is not None else "") or "null") if NoneType in get_args(hint) else "",
        default=_as_json(default),
        help="" if option is None else option.help,
        comment=comment,
    )


def _type_words(hint: Any) -> str:
    if get_origin(hint) is list:
        return f"list of {_type_words(get_args(hint)[0])}"
    if get_origin(hint) is dict:
        return "options by name"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _TYPES[str]
    return _TYPES[hint]


def _as_json(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {
            key: dict(vars(each)) if dataclasses.is_dataclass(each) else each for key, each in value.items()
        }
    return value


def shown_value(value: Any, none: str) -> str:
    """A default as it would be typed; of options by name only the names."""
    if isinstance(value, dict):
        return "{" + ", ".join(value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_plain(each) for each in value) + "]"
    return none if value is None else _plain(value)


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
