"""The verbs of every solitaire, made from its declaration: solve, check, advise, show.

Each has its own file, ``solving`` and so on; slow imports happen when a verb runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from engines.contract.answer import Answer, Door
from engines.contract.asking import DOOR, REQUIRED, answers_each
from engines.contract.game import example, load
from engines.contract.job import SEED_MAX
from engines.contract.options import options_of
from engines.contract.parameters import option_parameter, parameter, parameters, with_parameters
from engines.contract.source import Source
from engines.solitaire.chances import Sampling
from engines.solitaire.game import Solitaire
from engines.solitaire.limits import SearchLimits, bounds_of_options
from engines.solitaire.rule_sets import RULES, options_given, rules_parameter
from engines.solitaire.showing import to_parameter
from engines.solitaire.telling import Style
from storage.errors import UserError

_DEALS = Annotated[Source, typer.Argument(metavar="FILE", help="Deals; - is standard input.")]
_DEAL = Annotated[Source, typer.Argument(metavar="DEAL", help="Deals; - is standard input.")]
_SOLUTION = Annotated[
    Source,
    typer.Argument(
        metavar="SOLUTION",
        help="Solutions in the order of the deals, as solve prints them, with or without --json.",
    ),
]
_STYLE = Annotated[
    Style | None,
    typer.Option(
        "--moves", help="How moves are written; report: the form that check reads.", show_default=False
    ),
]
_BOARDS = Annotated[bool, typer.Option("--boards", help="Show the position after each move.")]
_MEMORY = Annotated[int, typer.Option("--memory-bytes", help="Memory that each search may use, in bytes.")]
_SAMPLES = Annotated[
    int,
    typer.Option("--samples", help="With unknown cards: how many deals that fit are searched."),
]
_SEED = Annotated[int, typer.Option("--seed", help="With unknown cards: the seed of the deals that fit.")]
ADVICE_S = 2.0
"""Limit of the search after each play of an advice when none is given: a position has a dozen plays or two."""

DOES = {
    "solve": "engines.solitaire.solving:solve",
    "check": "engines.solitaire.checking:check",
    "advise": "engines.solitaire.advising:advise",
    "show": "engines.solitaire.showing:show",
}
"""Verb -> its function of the game and the values given."""


def function_of(game: Solitaire[Any, Any, Any], verb: str) -> Callable[..., Iterator[Answer]]:
    """The function of a verb, with the game's options as parameters."""
    has_rules, searches = verb != "show", verb in ("solve", "advise")
    own = [parameter(DOOR, REQUIRED, Door)]
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
    rules = {RULES, *(each.name for each in options_of(game.options))}
    if verb == "solve":
        own += [
            parameter(mode, False, Annotated[bool, typer.Option(f"--{mode}", help=text)])
            for mode, text in game.modes.items()
        ]
        if game.best_of:
            own.append(parameter("best", False, _best(game)))
        if game.proof_form:
            own.append(parameter("proof", None, _proof(game)))
    if verb != "show":
        own.append(parameter("style", None if verb == "check" else Style.report, _STYLE))
    if verb in ("solve", "check"):
        own.append(parameter("boards", False, _BOARDS))
    if searches:
        own += [
            *_limits(ADVICE_S if verb == "advise" else None),
            parameter("memory_bytes", game.memory_bytes, _MEMORY),
        ]
    samples = searches and game.may_hide
    if samples:
        own += [parameter("samples", 100, _SAMPLES), parameter("seed", 1, _SEED)]

    words = "deals.txt solutions.txt" if verb == "check" else "deals.txt"
    form = game.forms["solution" if verb == "check" else "deal"]

    defaults = {each.name: each.default for each in own if each.default is not REQUIRED}

    @example(f"Example: yamafuda {verb} {game.name} {words}. {form}")
    @answers_each("a deal")
    def function(door: Door, **told: Any) -> Iterator[Answer]:
        given = dict(told)
        if has_rules:
            given["options"] = options_given(game, given)
        given = {name: value for name, value in defaults.items() if name not in rules} | given
        if searches:
            given["bounds"] = bounds_of_options(
                *(given.pop(name) for name in ("time_s", "states", "memory_bytes"))
            )
        if samples:
            given["sampling"] = _sampling(given.pop("samples"), given.pop("seed"))
        yield from load(DOES[verb])(game, door, **given)

    with_parameters(function, own)
    moves = f"{game.moves_counted} " if game.moves_counted else ""
    function.__doc__ = " ".join(
        filter(None, [_HELP[verb].format(title=game.title, moves=moves).strip(), game.remark])
    )
    return function


def _limits(time_s: float | None) -> list[inspect.Parameter]:
    """The bounds of a command's search; by default only ``time_s``."""
    limits = {each.name: each for each in options_of(SearchLimits)}
    defaults = {"time_s": time_s, "states": None}
    return [option_parameter(replace(limits[name], default=value)) for name, value in defaults.items()]


def _sampling(samples_count: int, seed: int) -> Sampling:
    """UserError naming a value that is out of range."""
    if not 1 <= samples_count < 1 << 32:
        raise UserError("--samples", f"must be at least 1 and below 2**32; got {samples_count}")
    if not 0 <= seed <= SEED_MAX:
        raise UserError("--seed", f"must be 0 to {SEED_MAX}; got {seed}")
    return Sampling(samples_count, seed)


_HELP = {
    "solve": "Decide deals with all cards known.\n\n{title}. Prints the outcome, the work that it took, and a "
    "solution, first move first, to the last card. {moves}A deal that hits a limit is undecided. Every "
    "solution has been replayed by the referee.",
    "check": "Replay solutions.\n\n{title}. {moves}Exit status 1 when a solution does not win.",
    "advise": "Say which plays keep a win possible, with all cards known.\n\n{title}. "
    "For every legal play, says whether the position after it can be won, as far as a search within "
    "its limits finds out. "
    "Plays that win come first, then those after which the search hit a limit. {moves}",
    "show": "Draw deals and positions, or write them in another form.\n\n{title}.",
}


def _best(game: Solitaire[Any, Any, Any]) -> Any:
    text = f"For a deal that is not won, find the most {game.best_of} that any line of play reaches."
    return Annotated[bool, typer.Option("--best", help=text)]


def _proof(game: Solitaire[Any, Any, Any]) -> Any:
    return Annotated[Path | None, typer.Option("--proof", metavar="FOLDER", help=game.proof_form)]
