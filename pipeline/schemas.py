"""Schemas of configuration files: dataclasses whose optional fields take any word until all is composed.

Words that mean no value (``none``, ``unlimited``) become None after composing; until then Hydra must accept them.
Hydra checks all else as it composes: which fields there are, and the types of those that need a value.
"""

from __future__ import annotations

import dataclasses
import functools
from types import NoneType
from typing import Any, cast, get_args, get_origin, get_type_hints


@functools.cache
def schema_of(kind: type) -> type:
    """A dataclass with the fields and defaults of ``kind``; those that may be None have any type."""
    hints = get_type_hints(kind)
    fields = [
        (
            each.name,
            _hint(hints[each.name]),
            dataclasses.field(default_factory=functools.partial(_default, each)),
        )
        for each in dataclasses.fields(kind)
    ]
    return dataclasses.make_dataclass(kind.__name__, fields, namespace={"kind_of_schema": kind})


def kind_of_schema(schema: type | None) -> Any:
    """The dataclass that ``schema`` was made of; None for any other type."""
    return getattr(schema, "kind_of_schema", None)


def _hint(hint: Any) -> Any:
    if NoneType in get_args(hint):
        return Any
    if dataclasses.is_dataclass(hint):
        return schema_of(cast(type, hint))
    if get_origin(hint) is dict and dataclasses.is_dataclass(get_args(hint)[1]):
        return dict[get_args(hint)[0], schema_of(get_args(hint)[1])]  # type: ignore[misc]
    return hint


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is dataclasses.MISSING:
        return field.default
    return _as_schema(field.default_factory())


def _as_schema(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return schema_of(type(value))(**{name: _as_schema(each) for name, each in vars(value).items()})
    return {key: _as_schema(each) for key, each in value.items()} if isinstance(value, dict) else value
