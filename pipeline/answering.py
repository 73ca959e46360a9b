"""Commands made from functions that answer: options come from their parameters, and each answer is printed as
it comes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from engines.contract.answer import Answer, At, Door
from engines.contract.asking import REQUIRED, Parameter, answered, parameters_of
from engines.contract.game import example, example_of
from engines.contract.parameters import parameter, with_parameters
from engines.contract.source import FileSource, Source
from pipeline.waiting import Waiting


class Terminal(Door):
    """The command line as a door: only answers go to standard output; in words, what they share is said once."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json

    def head(self, line: str) -> None:
        """Printed once, before answers in words; an answer in JSON has all of it itself."""
        if not self._as_json:
            print(line, flush=True)

    def note(self, line: str) -> None:
        """On standard error."""
        print(line, file=sys.stderr)

    def waiting(self, noun: str, count: int, bounds: str = "") -> At:
        """A line on the terminal while something is waited for."""
        return Waiting(noun, count, bounds).at


def answering_command(function: Callable[..., Any]) -> Callable[..., None]:
    """A command's function, made from one that answers: it has ``--json``, and takes texts as files."""
    described = parameters_of(function)
    each = answered(function)
    help = "One JSON object on stdout." if each is None else "JSON lines on stdout."
    if each:
        help = f"JSON lines on stdout, one for {each}."
    json_option = Annotated[bool, typer.Option("--json", help=help)]

    def command(ctx: typer.Context, as_json: bool, **given: Any) -> None:
        # What is not given is left to the function: its defaults may depend on what is given.
        told = {
            each.name: _source(each, given[each.name]) if each.is_text else given[each.name]
            for each in described
            if _was_told(ctx, each.name)
        }
        status = _print(function(Terminal(as_json), **told), as_json)
        raise typer.Exit(status)

    own = [parameter(each.name, each.default, _annotation(each)) for each in described]
    context = parameter("ctx", REQUIRED, typer.Context)
    with_parameters(command, [context, *own, parameter("as_json", False, json_option)])
    command.__doc__ = function.__doc__
    return example(example_of(function) or "")(command)


def _print(answers: Iterable[Answer], as_json: bool) -> int:
    """Print answers as they come; returns the worst of their exit statuses."""
    status = 0
    for number, answer in enumerate(answers):
        if as_json:
            print(json.dumps(answer.values), flush=True)
        else:
            print("\n".join(([""] if number and answer.apart else []) + [*answer.lines]), flush=True)
        status = max(status, answer.status)
    return status


def _was_told(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _annotation(described: Parameter) -> Any:
    """The parameter as typer takes it: a text is given by its words or by the path of its file."""
    if not described.is_text:
        return described.annotation
    kind: Any = Path if described.typed is None else str if described.typed.is_file is None else list[str]
    _, *extras = get_args(described.annotation)
    return Annotated[(kind | None if described.default is None else kind, *extras)]


def _source(described: Parameter, given: Any) -> Source:
    """The text that the command line gives: as words, or in a file."""
    if isinstance(given, Path):
        return FileSource(given)
    words = given if isinstance(given, str) else " ".join(given)
    typed = described.typed
    is_file = typed is not None and typed.is_file is not None and typed.is_file(words)
    return FileSource(Path(words)) if is_file else Source(words, described.word.partition("|")[0])
