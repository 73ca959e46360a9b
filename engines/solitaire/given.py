"""What a command of a solitaire was given: the rules, the mode, the deals of a file."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Any

import typer

from engines.contract.options import COMMAND, check_options, chosen, options_of
from engines.contract.parameters import parameter
from engines.solitaire.game import DECIDE, FILE_BYTES, Solitaire
from engines.text.textfile import read_text
from storage.errors import UserError

_FLAG = "--rules"


def rules_parameter(game: Solitaire[Any, Any, Any]) -> list[inspect.Parameter]:
    """The parameter that names a set of rules; none for a game without."""
    if not game.rule_sets:
        return []
    names = "|".join(game.rule_sets)
    told = "; ".join(f"{name}: {text}" for name, (_, text) in game.rule_sets.items())
    help = f"Rules by their name, which options change. {told}."
    kind = Annotated[str, typer.Option(_FLAG, metavar=names, help=help)]
    return [parameter("rules", next(iter(game.rule_sets)), kind)]


def options_given(game: Solitaire[Any, Any, Any], ctx: typer.Context, given: dict[str, Any]) -> Any:
    """The game's options, taken out of what a command was given.

    Those of the set of rules that was named, changed by those that were told; UserError naming the one that is wrong.
    """
    name = given.pop("rules", None)
    if name is not None and name not in game.rule_sets:
        raise UserError(_FLAG, f"must be {' or '.join(game.rule_sets)}; got {name!r}")
    values = dict(vars(game.options() if name is None else game.rule_sets[name][0]))
    for each in options_of(game.options):
        if each.name in given:
            value = given.pop(each.name)
            if _was_told(ctx, each.name):
                values[each.name] = value
    options: Any = chosen(game.options, values)
    check_options(options, game.options, COMMAND)
    return options


def _was_told(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def mode_given(game: Solitaire[Any, Any, Any], given: dict[str, Any]) -> str:
    """The mode among what a command was given."""
    asked = [mode for mode in game.modes if given[mode]]
    if len(asked) > 1:
        raise UserError(f"--{asked[1]}", f"cannot go with --{asked[0]}")
    return asked[0] if asked else DECIDE


def deals_of(game: Solitaire[Any, Any, Any], file: Path) -> list[Any]:
    """The deals of a file, at least one."""
    deals = game.read_deals(read_text(file, FILE_BYTES), str(file))
    if not deals:
        raise UserError(str(file), "there is no deal in it")
    return deals
