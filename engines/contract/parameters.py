"""Options of a game as parameters of a command's function, from which typer makes the command."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, get_type_hints

import typer

from engines.contract.options import COMMAND, Option, check_options, chosen, named, options_of

Command = Callable[..., None]


def parameters(kind: type) -> list[inspect.Parameter]:
    """The options of ``kind`` as parameters of a command's function."""
    return [option_parameter(each) for each in options_of(kind)]


def option_parameter(option: Option) -> inspect.Parameter:
    """An option as a parameter of a command's function."""
    return parameter(option.name, option.default, _annotation(option))


def parameter(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    """A parameter of a command's function."""
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation
    )


def with_parameters(function: Command, own: Sequence[inspect.Parameter]) -> None:
    """Let a function that takes keywords alone have these parameters."""
    function.__dict__["__signature__"] = inspect.Signature(own)
    function.__annotations__ = {each.name: each.annotation for each in own}


def with_options(kind: type) -> Callable[[Command], Command]:
    """For a command's function with a parameter ``options``, an instance of ``kind``: the command has its options.

    They are checked: UserError that names the one that is wrong.
    """

    def made(function: Command) -> Command:
        hints = get_type_hints(function, include_extras=True)
        own: list[inspect.Parameter] = []
        for each in inspect.signature(function).parameters.values():
            own += parameters(kind) if each.name == "options" else [each.replace(annotation=hints[each.name])]

        @functools.wraps(function)
        def command(**given: Any) -> None:
            options: Any = chosen(kind, {each.name: given.pop(each.name) for each in options_of(kind)})
            check_options(options, kind, COMMAND)
            function(**given, options=options)

        with_parameters(command, own)
        return command

    return made


def _annotation(option: Option) -> Any:
    flag = named(COMMAND, option.name)
    if option.type is bool:
        return Annotated[bool, typer.Option(f"{flag}/--no-{flag[2:]}", help=option.help)]
    shown: Any = option.none if option.default is None else True
    return Annotated[
        option.type,
        typer.Option(flag, help=option.help, metavar=option.values, parser=option.read, show_default=shown),
    ]
