"""The parameters of a verb's function as data, and how a caller passes values for them.

Forms and keyword arguments are made from these; typer makes the command line from the same annotations.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, OptionInfo

from engines.contract.answer import Answer, Door
from engines.contract.nearest import did_you_mean
from engines.contract.options import BOOL_WORDS, COMMAND, NONE_WORDS, Option, named
from engines.contract.source import Source, Typed
from engines.text.textfile import shown, whole_number
from storage.errors import UserError

DOOR = "door"
"""The parameter that takes the door."""
REQUIRED = inspect.Parameter.empty
_NUMBER_MAX = (1 << 64) - 1

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Parameter:
    """A parameter of a verb's function."""

    name: str
    """The keyword."""
    word: str
    """Its name on the command line: ``--time-s``, or ``FILE`` for an argument."""
    type: Any
    """Type of its values, without None: ``Source``, ``bool``, ``int``, ``float``, ``str``, ``Path``, ``list`` (of
    names of places) or an enumeration."""
    default: Any
    """``REQUIRED`` where a value must be given."""
    help: str
    values: str
    """The values that it takes, in words: ``1|3`` or ``N|unlimited``; empty where its type says all."""
    option: Option | None
    """The game's option that it stands for, if any."""
    annotation: Any
    """The annotation, for typer."""
    typed: Typed | None
    environment: tuple[str, ...]
    """Environment variables that give the value where the caller does not."""

    @property
    def is_required(self) -> bool:
        """Whether a value must be given."""
        return self.default is REQUIRED

    @property
    def is_text(self) -> bool:
        """Whether it is the text that the question is about."""
        return self.type is Source

    @property
    def is_place(self) -> bool:
        """Whether it names a file, a folder or a store, which not every caller may choose."""
        return self.type in (Path, list) or self.values == "PLACE"

    @property
    def choices(self) -> tuple[str, ...]:
        """All values as they are written, where there are few."""
        if self.option is not None:
            return tuple(map(str, self.option.choices))
        if issubclass(self.type, Enum):
            return tuple(str(each.value) for each in self.type)
        words = self.values.split("|")
        return tuple(words) if len(words) > 1 and not any(map(str.isupper, words)) else ()

    def value(self, given: Any) -> Any:
        """The value that a value or a word stands for; UserError for anything else."""
        if given is None and (self.default is None or (self.option is not None and self.option.none)):
            return None
        if self.is_text:
            return given if isinstance(given, Source) else Source(self._of_type(given, str), self.name)
        if self.option is not None and self.type is not bool:
            given = self.option.read(given)
            return given if given is None or self.option.choices else self._of_type(given, self.type)
        if issubclass(self.type, Enum):
            return self._choice(given)
        if self.type is Path and isinstance(given, str):
            return Path(given)
        return self._of_type(self._read(given) if isinstance(given, str) else given, self.type)

    def _choice(self, given: Any) -> Any:
        try:
            return self.type(given)
        except ValueError:
            raise self._wrong(given, " or ".join(self.choices)) from None

    def _read(self, word: str) -> Any:
        if self.type is bool:
            return BOOL_WORDS.get(word.lower(), word)
        if self.type is int:
            number = whole_number(word, _NUMBER_MAX)
            return word if number is None else number
        if self.type is float:
            try:
                return float(word)
            except ValueError:
                return word
        return None if self.default is None and word.lower() in NONE_WORDS else word

    def _of_type(self, value: Any, kind: Any) -> Any:
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self._wrong(value, _NOUNS.get(kind, kind.__name__))
        return value

    def _wrong(self, value: Any, expected: str) -> UserError:
        return UserError(self.name, f"must be {expected}; got {shown(str(value))}")


_NOUNS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    Path: "a path",
    list: "a list",
}


def answers_each(what: str) -> Callable[[Function], Function]:
    """Mark a function that gives an answer for each deal, say (``a deal``), and not only one.

    ``what`` is empty where its answers are about different things.
    """

    def mark(function: Function) -> Function:
        function.__dict__["answers_each"] = what
        return function

    return mark


def answered(function: Callable[..., Any]) -> str | None:
    """The ``what`` of ``answers_each``; None for a function with a single answer."""
    return function.__dict__.get("answers_each")


def parameters_of(function: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function that answers, in order."""
    hints = get_type_hints(function, include_extras=True)
    return [
        _described(each.name, each.default, hints[each.name])
        for each in inspect.signature(function).parameters.values()
        if each.name != DOOR
    ]


def ask(function: Callable[..., Iterator[Answer]], door: Door, given: Mapping[str, Any]) -> Iterator[Answer]:
    """The answers of a function.

    Parameters are given as values, or as words as people write them. UserError names a parameter that does not exist,
    is missing, or has a wrong value.
    """
    known = {each.name: each for each in parameters_of(function)}
    for name in given:
        if name not in known:
            raise UserError(
                name,
                f"there is no such option{did_you_mean(name, known)}; there are: {', '.join(known)}",
            )
    told = {name: known[name].value(value) for name, value in given.items()}
    for each in known.values():
        word = next(filter(None, map(os.environ.get, each.environment)), None)
        if each.name not in told and word is not None:
            told[each.name] = each.value(word)
        if each.name not in told and each.is_required:
            raise UserError(each.name, "is missing")
    return function(door, **told)


def _described(name: str, default: Any, annotation: Any) -> Parameter:
    if get_origin(annotation) is not Annotated:
        raise TypeError(f"{name}: has no help")
    kind, *extras = get_args(annotation)
    info = next(each for each in extras if isinstance(each, ArgumentInfo | OptionInfo))
    option = next((each for each in extras if isinstance(each, Option)), None)
    types = [kind] if get_origin(kind) is list else get_args(kind) or [kind]
    is_argument = isinstance(info, ArgumentInfo)
    flag = info.param_decls[0] if info.param_decls else named(COMMAND, name)
    variables = info.envvar or ()
    return Parameter(
        name=name,
        word=info.metavar or name.upper() if is_argument else flag.partition("/")[0],
        type=get_origin(types[0]) or types[0],
        default=default,
        help=info.help or "",
        values=(option.values if option is not None and option.type is not bool else info.metavar) or "",
        option=option,
        annotation=annotation,
        typed=next((each for each in extras if isinstance(each, Typed)), None),
        environment=(variables,) if isinstance(variables, str) else tuple(variables),
    )
