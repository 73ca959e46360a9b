"""The commands of every solitaire, made of what it declares: solve, check, advise, show.

What they do is in a file each, ``solving`` and so on; what takes time to import is imported when they run.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from engines.contract.game import example, load
from engines.contract.options import options_of
from engines.contract.parameters import option_parameter, parameter, parameters, with_parameters
from engines.solitaire.game import Solitaire
from engines.solitaire.given import options_given, rules_parameter
from engines.solitaire.limits import SearchLimits, bounds_of_options
from engines.solitaire.showing import to_parameter
from engines.solitaire.telling import Style

_DEALS = Annotated[Path, typer.Argument(metavar="FILE", help="Deals; - is standard input.")]
_DEAL = Annotated[Path, typer.Argument(metavar="DEAL", help="Deals; - is standard input.")]
_SOLUTION = Annotated[
    Path,
    typer.Argument(metavar="SOLUTION", help="Solutions in the deals' order; what solve prints, for example."),
]
_JSON = Annotated[bool, typer.Option("--json", help="One JSON object a deal and line.")]
_STYLE = Annotated[
    Style | None,
    typer.Option("--moves", help="How moves are told; report: as check reads them.", show_default=False),
]
_BOARDS = Annotated[bool, typer.Option("--boards", help="Show the position after each move.")]
_MEMORY = Annotated[int, typer.Option("--memory-bytes", help="Limit for each search, in bytes.")]
REQUIRED = inspect.Parameter.empty

DOES = {
    "solve": "engines.solitaire.solving:solve",
    "check": "engines.solitaire.checking:check",
    "advise": "engines.solitaire.advising:advise",
    "show": "engines.solitaire.showing:show",
}
"""Verb -> what its command does with the game and what it was given."""


def command_of(game: Solitaire[Any, Any, Any], verb: str) -> Callable[..., None]:
    """The function of a verb, with the game's options as parameters."""
    has_rules, searches = verb != "show", verb in ("solve", "advise")
    own = [parameter("ctx", REQUIRED, typer.Context)]
    if verb == "check":
        own += [parameter("deal", REQUIRED, _DEAL), parameter("solution", REQUIRED, _SOLUTION)]
    else:
        own.append(parameter("file", REQUIRED, _DEALS))
    if verb == "show":
        own.append(to_parameter(game))
    if has_rules:
        left_out = () if verb == "solve" else game.of_search
        own += rules_parameter(game)
        own += [each for each in parameters(game.options) if each.name not in left_out]
    if verb == "solve":
        own += [
            parameter(mode, False, Annotated[bool, typer.Option(f"--{mode}", help=text)])
            for mode, text in game.modes.items()
        ]
        if game.proof_form:
            own.append(parameter("proof", None, _proof(game)))
    if verb in ("solve", "check"):
        own += [
            parameter("style", Style.report if verb == "solve" else None, _STYLE),
            parameter("boards", False, _BOARDS),
        ]
    if searches:
        own += [
            *_limits(),
            parameter("memory_bytes", game.memory_bytes, _MEMORY),
        ]
    own.append(parameter("as_json", False, _JSON))

    words = "deals.txt solutions.txt" if verb == "check" else "deals.txt"
    form = game.forms["solution" if verb == "check" else "deal"]

    @example(f"Example: yamafuda {verb} {game.name} {words}. {form}")
    def command(ctx: typer.Context, **given: Any) -> None:
        if has_rules:
            given["options"] = options_given(game, ctx, given)
        if searches:
            given["bounds"] = bounds_of_options(
                *(given.pop(name) for name in ("time_s", "states", "memory_bytes"))
            )
        load(DOES[verb])(game, **given)

    with_parameters(command, own)
    command.__doc__ = " ".join(
        filter(None, [_HELP[verb].format(title=game.title, moves=game.moves_counted), game.remark])
    )
    return command


def _limits() -> list[inspect.Parameter]:
    """Those of a search, of which a command has none unless it is told."""
    limits = {each.name: each for each in options_of(SearchLimits)}
    return [option_parameter(replace(limits[name], default=None)) for name in ("time_s", "states")]


_HELP = {
    "solve": "Decide deals with all cards known.\n\n{title}. Told are outcome, work, and a solution, first move first, "
    "to the last card. {moves} What hits a limit is undecided. Every solution was replayed by the referee.",
    "check": "Replay solutions.\n\n{title}. {moves} Exit status 1 when a solution does not win.",
    "advise": "Tell which plays keep a win, with all cards known.\n\n{title}. "
    "Of every legal play it is told whether the position after it can be won. "
    "Plays that win come first, then those after which the search hit a limit. {moves}",
    "show": "Draw deals and positions, or write them in another form.\n\n{title}.",
}


def _proof(game: Solitaire[Any, Any, Any]) -> Any:
    return Annotated[Path | None, typer.Option("--proof", metavar="FOLDER", help=game.proof_form)]
