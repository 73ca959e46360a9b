"""Options of a game as parameters of a command's function, from which typer makes the command."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from engines.contract.options import COMMAND, Option, named, options_of


def parameters(kind: type) -> list[inspect.Parameter]:
    """The options of ``kind`` as parameters of a command's function."""
    return [parameter(each.name, each.default, _annotation(each)) for each in options_of(kind)]


def parameter(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    """A parameter of a command's function."""
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation
    )


def _annotation(option: Option) -> Any:
    flag = named(COMMAND, option.name)
    if option.type is bool:
        return Annotated[bool, typer.Option(f"{flag}/--no-{flag[2:]}", help=option.help)]
    shown: Any = option.none if option.default is None else True
    return Annotated[
        option.type,
        typer.Option(flag, help=option.help, metavar=option.values, parser=option.read, show_default=shown),
    ]
