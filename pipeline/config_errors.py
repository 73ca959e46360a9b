"""Errors of Hydra and omegaconf as the user's errors: one line that names the key and a likely right one."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from typing import cast, get_type_hints

from omegaconf.errors import (
    ConfigAttributeError,
    ConfigKeyError,
    MissingMandatoryValue,
    OmegaConfBaseException,
)

from engines.contract.nearest import did_you_mean
from engines.contract.registry import job_names
from storage.errors import UserError

NamesOf = Callable[[str], Iterable[str]]
"""The names of the files that a group has: job, cluster or paths."""


def composing_error(
    error: BaseException, words: list[str], fields: Callable[[], Iterable[str]], names_of: NamesOf
) -> UserError:
    """Why composing ``words`` failed; ``fields``: dotted names of all that can be set."""
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None:
        chain.append(cause)
    for inner in reversed(chain):
        if isinstance(inner, OmegaConfBaseException) and inner.full_key:
            return value_error(inner, _full_key(inner.full_key, words), fields)
        if isinstance(inner, UserError):
            return inner
    text = str(error)
    if "You must specify 'job'" in text:
        return UserError("job", f"which one? job=NAME, where NAME is one of: {', '.join(job_names())}")
    # Could not find 'job/klondyke'; where a file extends it: Could not load 'job/klondyke'
    found = re.search("Could not (?:find|load) '([^/']+)/([^']+)'", text)
    if found:
        return no_file(found[1], found[2], list(names_of(found[1])))
    text = text.partition("Config search path")[0].removeprefix("In 'config': ")
    return UserError("configuration", " ".join(text.split()))


def _full_key(key: str, words: list[str]) -> str:
    # An error inside a schema knows only the end of the key; the word on the command line has all of it.
    whole = [word.split("=")[0].lstrip("+~") for word in words]
    return next((each for each in whole if each == key or each.endswith("." + key)), key)


def value_error(error: OmegaConfBaseException, key: str, fields: Callable[[], Iterable[str]]) -> UserError:
    """What is wrong with the value of ``key``, or that the key does not exist."""
    if isinstance(error, ConfigAttributeError | ConfigKeyError):
        place, _, end = key.rpartition(".")
        within = f" of {place}" if place else ""
        return UserError(key, f"there is no field {end!r}{within}{did_you_mean(key, fields())}")
    if isinstance(error, MissingMandatoryValue):
        return UserError(key, f"is missing: {key}=...")
    text = first_line(error)
    is_none = text.startswith("Incompatible value 'None'") or text.endswith("is not Optional")
    return UserError(key, "must have a value" if is_none else text)


def no_file(group: str, name: str, names: list[str]) -> UserError:
    """That there is no ``group=name``; of jobs, which are many, only near ones are listed."""
    hint = did_you_mean(name, names)
    others = "yamafuda jobs lists them" if group == "job" else f"there are: {', '.join(names)}"
    return UserError(
        group, f"there is no {group} {name!r}{hint}{'' if hint and group == 'job' else f'; {others}'}"
    )


def field_names(prefix: str, kind: type) -> Iterator[str]:
    """Dotted names of a dataclass's fields, with those of dataclasses inside it."""
    hints = get_type_hints(kind)
    for each in dataclasses.fields(kind):
        name = f"{prefix}.{each.name}"
        yield name
        if dataclasses.is_dataclass(hints[each.name]):
            yield from field_names(name, cast(type, hints[each.name]))


def first_line(error: BaseException) -> str:
    """The first line of what an error says."""
    return str(error).strip().splitlines()[0]
