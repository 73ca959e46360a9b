"""The rules that a verb of a solitaire was given: a named set, changed option by option."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.contract.options import COMMAND, check_options, chosen, named, options_of
from engines.contract.parameters import parameter
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.game import Solitaire

RULES = "rules"
"""Keyword for a named set of rules."""
_FLAG = named(COMMAND, RULES)


def rules_parameter(game: Solitaire[Any, Any, Any]) -> list[inspect.Parameter]:
    """The parameter that names a set of rules; none for a game without."""
    if not game.rule_sets:
        return []
    names = "|".join(game.rule_sets)
    told = "; ".join(f"{name}: {text}" for name, (_, text) in game.rule_sets.items())
    help = f"A named set of rules; options below change single ones. {told}."
    kind = Annotated[str, typer.Option(_FLAG, metavar=names, help=help)]
    return [parameter(RULES, next(iter(game.rule_sets)), kind)]


def options_given(game: Solitaire[Any, Any, Any], given: dict[str, Any]) -> Any:
    """The game's options, taken out of the values that a verb was given: those of the named set of rules, changed by
    single ones.

    UserError names a wrong one.
    """
    name = given.pop(RULES, next(iter(game.rule_sets), None))
    if name is not None and name not in game.rule_sets:
        raise UserError(_FLAG, f"must be {' or '.join(game.rule_sets)}; got {name!r}")
    values = dict(vars(game.options() if name is None else game.rule_sets[name][0]))
    values |= {each.name: given.pop(each.name) for each in options_of(game.options) if each.name in given}
    options: Any = chosen(game.options, values)
    check_options(options, game.options, COMMAND)
    return options
