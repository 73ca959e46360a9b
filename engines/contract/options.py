"""Options of a game, described once: fields of a dataclass that are options of a command, fields of a job and columns.

    @dataclass(unsafe_hash=True)
    class Rules:
        draw: int = option(3, "Cards dealt at once.", choices=(1, 3), column="uint8")
        redeals: int | None = option(None, "Redeals.", most=1_000_000, none="unlimited", column="int32")

A field's type is ``bool``, ``int``, ``float``, ``int | None`` or a ``StrEnum``. Such a dataclass is not frozen, so that
a job can inherit its fields; nothing changes one that is in use.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from engines.text.textfile import shown, whole_number
from storage.errors import UserError

COMMAND, JOB = "--", "job."
"""The beginning of an option's name in errors."""
NONE_WORDS = ("null", "none", "unlimited")
"""Words that mean no value, on the command line and in configurations."""
BOOL_WORDS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Option:
    """The description of one option."""

    name: str
    type: Any
    """Type of its values, without None."""
    default: Any
    help: str
    least: float | None
    most: float | None
    choices: tuple[Any, ...]
    """All values, where there are few."""
    none: str
    """The word for "no value"; empty when a value is needed."""
    column: str
    """Arrow type of its column; empty when it has none."""
    unit: str
    """What its numbers count; empty for words and for plain numbers."""
    label: str
    """Its head in tables."""

    @property
    def values(self) -> str:
        """The values that it takes, in words: ``1|3`` or ``N|unlimited``."""
        if self.choices:
            return "|".join(map(str, self.choices))
        return "|".join(filter(None, ["X" if self.type is float else "N", self.none]))

    def check(self, value: Any, prefix: str) -> None:
        """UserError naming the option (with ``prefix``) when it cannot have this value."""
        if value is None and self.none:
            return
        place = named(prefix, self.name)
        if self.choices:
            if value not in self.choices:
                raise UserError(place, f"must be {_either(self.choices)}; got {shown(str(value))}")
        elif self.type is not bool:
            least, most = self.least, self.most
            # Neither None nor "not a number" is in any range.
            inside = (
                value is not None and (least is None or value >= least) and (most is None or value <= most)
            )
            if not inside:
                ends = f"{least} to {most}" if most is not None else f"at least {least}"
                raise UserError(
                    place, f"must be {ends}{f', or {self.none}' if self.none else ''}; got {value}"
                )

    def check_type(self, value: Any) -> None:
        """UserError for a value that is neither a word nor a number of the right kind; a whole number is of any
        kind."""
        if self.choices or (value is None and self.none):
            return
        kinds = (int, float) if self.type is float else self.type
        if not isinstance(value, kinds) or (isinstance(value, bool) and self.type is not bool):
            allowed = "true or false" if self.type is bool else f"a number: {self.values}"
            raise UserError(self.name, f"must be {allowed}; got {shown(str(value))}")

    def read(self, text: Any) -> Any:
        """The value of a word on the command line; UserError for anything else."""
        if not isinstance(text, str) or isinstance(text, StrEnum):
            return text
        if self.none and text.lower() in (self.none, *NONE_WORDS):
            return None
        for choice in self.choices:
            if str(choice) == text:
                return choice
        if self.type is bool and text.lower() in BOOL_WORDS:
            return BOOL_WORDS[text.lower()]
        if self.type is int:
            number = whole_number(text, (1 << 63) - 1)
            if number is not None:
                return number
        elif self.type is float and re.fullmatch(r"[0-9]+([.][0-9]*)?(e[+-]?[0-9]+)?", text):
            return float(text)
        kind = "true or false" if self.type is bool else "a number"
        allowed = _either(self.choices) if self.choices else " or ".join(filter(None, [kind, self.none]))
        raise UserError(named(COMMAND, self.name), f"must be {allowed}; got {shown(text)}")


def option(
    default: Any,
    help: str,
    *,
    least: float | None = 0,
    most: float | None = None,
    choices: tuple[Any, ...] = (),
    none: str = "",
    column: str = "",
    unit: str = "",
    label: str = "",
) -> Any:
    """A dataclass field that is an option; see ``Option``. The values of a StrEnum are its choices."""
    described = {
        "help": help, "least": least, "most": most, "choices": choices, "none": none, "column": column,
        "unit": unit, "label": label,
    }  # fmt: skip
    return dataclasses.field(default=default, metadata={"option": described})


def options_of(kind: type) -> Iterator[Option]:
    """The options among the fields of a dataclass, in order."""
    hints = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        described = _described(kind, field.name)
        if described is None:
            continue
        hint = hints[field.name]
        types = [each for each in get_args(hint) if each is not NoneType] or [hint]
        choices = described["choices"]
        if issubclass(types[0], StrEnum):
            choices = tuple(types[0])
        yield Option(
            **described | {"choices": choices, "label": described["label"] or field.name},
            name=field.name,
            type=types[0],
            default=field.default,
        )


def _described(kind: type, name: str) -> dict[str, Any] | None:
    """The option of a field, also where a subclass gives it another default."""
    own = (base.__dict__.get("__dataclass_fields__", {}).get(name) for base in kind.__mro__)
    return next((field.metadata["option"] for field in own if field and "option" in field.metadata), None)


def check_options(values: Any, kind: type, prefix: str) -> None:
    """UserError naming the first option of ``kind`` with a wrong value in ``values`` (an instance, or a job with the
    same fields)."""
    for each in options_of(kind):
        each.check(getattr(values, each.name), prefix)


def chosen(kind: type[Kind], values: Mapping[str, Any]) -> Kind:
    """An instance of ``kind`` from ``values``, which may have other names, too; choices may be given as words."""
    told = {each.name: each.read(values[each.name]) for each in options_of(kind) if each.name in values}
    return kind(**told)


def without_none_words(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` of a dataclass's fields, as configurations have them, with None for the words that mean it.

    Only for fields that may be None: where a value is needed, the text ``none`` stays. Nested dataclasses are treated
    alike.
    """
    hints = get_type_hints(kind)
    none_words = {each.name: each.none for each in options_of(kind)}
    return {
        name: _without_none_words(hints.get(name, Any), value, (none_words.get(name, ""), *NONE_WORDS))
        for name, value in values.items()
    }


def _without_none_words(hint: Any, value: Any, words: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        return None if NoneType in get_args(hint) and value.lower() in filter(None, words) else value
    if not isinstance(value, Mapping):
        return value
    if dataclasses.is_dataclass(hint):
        return without_none_words(cast(type, hint), value)
    inner = get_args(hint)[1] if get_origin(hint) is dict else Any
    return {key: _without_none_words(inner, each, NONE_WORDS) for key, each in value.items()}


def named(prefix: str, name: str) -> str:
    """The name by which an option is set: ``--redeal-rule`` or ``job.redeal_rule``."""
    return prefix + (name.replace("_", "-") if prefix == COMMAND else name)


def _either(choices: tuple[Any, ...]) -> str:
    names = [str(choice) for choice in choices]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
