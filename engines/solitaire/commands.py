"""The commands of every solitaire: solve, check, advise, show. What takes time to import is imported when they run."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.contract.game import example
from engines.contract.options import COMMAND, check_options, chosen, options_of
from engines.contract.parameters import option_parameter, parameter, parameters, with_parameters
from engines.solitaire.checking import deals_with_solutions
from engines.solitaire.game import DECIDE, FILE_BYTES, Solitaire
from engines.solitaire.limits import SearchLimits, bounds_of_options
from engines.text.textfile import read_text
from engines.text.waiting import Waiting
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.found import Found, Replay
    from engines.solitaire.limits import Bounds

_DEALS = Annotated[Path, typer.Argument(metavar="FILE", help="Deals; - is standard input.")]
_DEAL = Annotated[Path, typer.Argument(metavar="DEAL", help="Deals; - is standard input.")]
_SOLUTION = Annotated[
    Path,
    typer.Argument(metavar="SOLUTION", help="Solutions in the deals' order; what solve prints, for example."),
]
_JSON = Annotated[bool, typer.Option("--json", help="One JSON object a deal and line.")]
_MEMORY = Annotated[int, typer.Option("--memory-bytes", help="Limit for each search, in bytes.")]
REQUIRED = inspect.Parameter.empty


def command_of(game: Solitaire[Any, Any, Any], verb: str) -> Callable[..., None]:
    """The function of a verb, with the game's options as parameters."""
    verbs: dict[str, Callable[..., None]] = {
        "solve": _solve,
        "check": _check,
        "advise": _advise,
        "show": _show,
    }
    do = verbs[verb]
    own = [parameter("file", REQUIRED, _DEALS)]
    if verb == "check":
        own = [parameter("deal", REQUIRED, _DEAL), parameter("solution", REQUIRED, _SOLUTION)]
    if verb != "show":
        left_out = () if verb == "solve" else game.of_search
        own += [each for each in parameters(game.options) if each.name not in left_out]
    if verb == "solve":
        own += [
            parameter(mode, False, Annotated[bool, typer.Option(f"--{mode}", help=text)])
            for mode, text in game.modes.items()
        ]
        if game.proof_form:
            own.append(parameter("proof", None, _proof(game)))
    searches = verb in ("solve", "advise")
    if searches:
        own += [
            *_limits(),
            parameter("memory_bytes", game.memory_bytes, _MEMORY),
        ]
    own.append(parameter("as_json", False, _JSON))

    words = "deals.txt solutions.txt" if verb == "check" else "deals.txt"
    form = game.forms["solution" if verb == "check" else "deal"]

    @example(f"Example: yamafuda {verb} {game.name} {words}. {form}")
    def command(**given: Any) -> None:
        if searches:
            given["bounds"] = bounds_of_options(
                *(given.pop(name) for name in ("time_s", "states", "memory_bytes"))
            )
        do(game, **given)

    with_parameters(command, own)
    command.__doc__ = " ".join(filter(None, [_HELP[verb].format(title=game.title), game.remark]))
    return command


def _limits() -> list[inspect.Parameter]:
    """Those of a search, of which a command has none unless it is told."""
    limits = {each.name: each for each in options_of(SearchLimits)}
    return [option_parameter(replace(limits[name], default=None)) for name in ("time_s", "states")]


_HELP = {
    "solve": "Decide deals with all cards known.\n\n{title}. Told are outcome, work, and a solution, first move first. "
    "What hits a limit is undecided. Every solution was replayed by the referee.",
    "check": "Replay solutions.\n\n{title}. Exit status 1 when a solution does not win.",
    "advise": "Tell which plays keep a win, with all cards known.\n\n{title}. "
    "Of every legal play it is told whether the position after it can be won. "
    "Plays that win come first, then those after which the search hit a limit.",
    "show": "Draw deals and positions.\n\n{title}.",
}


def _proof(game: Solitaire[Any, Any, Any]) -> Any:
    return Annotated[Path | None, typer.Option("--proof", metavar="FOLDER", help=game.proof_form)]


def _solve(
    game: Solitaire[Any, Any, Any],
    file: Path,
    bounds: Bounds,
    as_json: bool,
    proof: Path | None = None,
    **given: Any,
) -> None:
    options, mode = _options(game, given), _mode(game, given)
    game.check_search(options, mode, COMMAND)
    deals = _deals(game, file)
    waiting = Waiting("deal", len(deals), bounds.words())
    for number, deal in enumerate(deals, start=1):
        with waiting.at(number):
            if proof is None:
                found = game.search(deal, options, mode, bounds)
            else:
                found = game.prove(deal, options, bounds, proof, f"deal-{number}")
        moves = None if found.moves is None else game.format_moves(deal, found.moves, options)
        if as_json:
            print(json.dumps(_found_values(game, found) | {"moves": moves}), flush=True)
            continue
        lines = [f"deal {number}: {_found_words(game, found)}, {found.elapsed_s:.2f} s"]
        lines += [] if moves is None else [game.join_moves(moves)]
        print("\n".join(["", *lines] if number > 1 else lines), flush=True)


def _check(game: Solitaire[Any, Any, Any], deal: Path, solution: Path, as_json: bool, **given: Any) -> None:
    options = _options(game, given)
    right = True
    for number, (each, written) in enumerate(
        deals_with_solutions(deal, solution, FILE_BYTES, game.read_deals, game.read_solutions), start=1
    ):
        replay = None if written is None else game.replay(each, written, options)
        right &= replay is None or replay.problem is None
        if as_json:
            print(json.dumps(_replay_values(replay)), flush=True)
        else:
            print(f"deal {number}: {_replay_words(replay)}", flush=True)
    raise typer.Exit(0 if right else 1)


def _advise(game: Solitaire[Any, Any, Any], file: Path, bounds: Bounds, as_json: bool, **given: Any) -> None:
    options = _options(game, given)
    deals = _deals(game, file)
    waiting = Waiting("deal", len(deals), f"{bounds.words()} for each play")
    for number, deal in enumerate(deals, start=1):
        with waiting.at(number):
            plays = [
                (game.format_moves(deal, [move], options)[0], game.search(after, options, DECIDE, bounds))
                for move, after in game.plays(deal, options)
            ]
        plays.sort(key=lambda play: ("won", "undecided", "lost").index(play[1].outcome))
        if as_json:
            told = [{"play": written} | _found_values(game, found) for written, found in plays]
            print(json.dumps({"plays": told}), flush=True)
            continue
        head = f"{len(plays)} plays"
        if not plays:
            head = _found_words(game, game.search(deal, options, DECIDE, bounds))
        lines = [f"deal {number}: {head}"]
        width = max((len(written) for written, _ in plays), default=0)
        lines += [f"{written:<{width}}  {_found_words(game, found)}" for written, found in plays]
        print("\n".join(["", *lines] if number > 1 else lines), flush=True)


def _show(game: Solitaire[Any, Any, Any], file: Path, as_json: bool) -> None:
    for number, deal in enumerate(_deals(game, file), start=1):
        if as_json:
            print(json.dumps({"deal": game.format_deal(deal)}))
        else:
            print(("\n" if number > 1 else "") + game.draw_deal(deal))


def _options(game: Solitaire[Any, Any, Any], given: dict[str, Any]) -> Any:
    """The game's options among what a command was given, those of a search by their defaults where it has none."""
    defaults = vars(game.options())
    options: Any = chosen(game.options, defaults | given)
    check_options(options, game.options, COMMAND)
    return options


def _mode(game: Solitaire[Any, Any, Any], given: dict[str, Any]) -> str:
    asked = [mode for mode in game.modes if given[mode]]
    if len(asked) > 1:
        raise UserError(f"--{asked[1]}", f"cannot go with --{asked[0]}")
    return asked[0] if asked else DECIDE


def _deals(game: Solitaire[Any, Any, Any], file: Path) -> list[Any]:
    deals = game.read_deals(read_text(file, FILE_BYTES), str(file))
    if not deals:
        raise UserError(str(file), "there is no deal in it")
    return deals


def _found_values(game: Solitaire[Any, Any, Any], found: Found[Any]) -> dict[str, Any]:
    return {
        "outcome": found.outcome,
        "limit": found.limit,
        game.effort: found.effort_count,
        "moves_count": found.moves_count,
        **found.counts,
        "elapsed_s": found.elapsed_s,
    }


def _found_words(game: Solitaire[Any, Any, Any], found: Found[Any]) -> str:
    counts = {game.effort: found.effort_count, "moves_count": found.moves_count, **found.counts}
    outcome = found.outcome if found.limit is None else f"{found.outcome} (limit: {found.limit})"
    return ", ".join(
        [outcome, *(_counted(name, count) for name, count in counts.items() if count is not None)]
    )


def _replay_values(replay: Replay[Any] | None) -> dict[str, Any]:
    if replay is None:
        return {"won": None, "moves_count": None, "problem": None}
    return {
        "won": replay.problem is None and replay.ending == "won",
        "moves_count": replay.moves_count,
        **replay.counts,
        "problem": replay.problem,
    }


def _replay_words(replay: Replay[Any] | None) -> str:
    if replay is None:
        return "no solution is given"
    if replay.problem is not None:
        return f"wrong: {replay.problem}"
    counts = {name: count for name, count in replay.counts.items() if name.endswith("_count")}
    words = ", ".join(
        _counted(name, count) for name, count in {"moves_count": replay.moves_count, **counts}.items()
    )
    return f"{replay.ending} after {words}" + (f"; {replay.remark}" if replay.remark else "")


def _counted(column: str, count: int) -> str:
    """``states_count`` and 12 as ``12 states``."""
    return f"{count} {column.removesuffix('_count').replace('_', ' ')}"
