"""Options of a game as parameters of a function that answers."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, get_type_hints

import typer

from engines.contract.answer import Answer, Door
from engines.contract.options import COMMAND, Option, check_options, chosen, named, options_of

Command = Callable[..., Any]


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
    """Give these parameters to a function that takes only keywords."""
    function.__dict__["__signature__"] = inspect.Signature(own)
    function.__annotations__ = {each.name: each.annotation for each in own}


def with_options(kind: type) -> Callable[[Command], Command]:
    """For a verb's function with a parameter ``options`` (an instance of ``kind``): the function then takes these
    options one by one.

    UserError names one with a wrong value.
    """

    def made(function: Command) -> Command:
        hints = get_type_hints(function, include_extras=True)
        own: list[inspect.Parameter] = []
        for each in inspect.signature(function).parameters.values():
            own += parameters(kind) if each.name == "options" else [each.replace(annotation=hints[each.name])]

        @functools.wraps(function)
        def command(door: Door, **given: Any) -> Iterator[Answer]:
            told = {each.name: given.pop(each.name) for each in options_of(kind) if each.name in given}
            options: Any = chosen(kind, told)
            check_options(options, kind, COMMAND)
            yield from function(door, **given, options=options)

        with_parameters(command, own)
        return command

    return made


def _annotation(option: Option) -> Any:
    flag = named(COMMAND, option.name)
    if option.type is bool:
        return Annotated[bool, typer.Option(f"{flag}/--no-{flag[2:]}", help=option.help), option]
    shown: Any = option.none if option.default is None else True
    return Annotated[
        option.type,
        typer.Option(flag, help=option.help, metavar=option.values, parser=option.read, show_default=shown),
        option,
    ]
