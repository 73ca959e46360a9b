"""``yamafuda solve`` of every solitaire."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.contract.options import COMMAND
from engines.solitaire.best import best_lines, best_values
from engines.solitaire.chances import Sampling, chance, head_values, head_words, limited
from engines.solitaire.game import DECIDE, Solitaire
from engines.solitaire.given import deals_of, mode_given
from engines.solitaire.printing import Answers, effort_words, found_values, found_words
from engines.solitaire.telling import Style, move_lines, move_values
from engines.text.waiting import Waiting
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.limits import Bounds


def solve(
    game: Solitaire[Any, Any, Any],
    file: Path,
    options: Any,
    bounds: Bounds,
    style: Style,
    boards: bool,
    as_json: bool,
    proof: Path | None = None,
    best: bool = False,
    sampling: Sampling | None = None,
    **modes: Any,
) -> None:
    """Search each deal of a file and print what was found; ``modes`` are told by their names.

    ``best``: of a deal that is not won also its best position. ``sampling``: of deals whose cards are not all known.
    """
    mode = mode_given(game, modes)
    game.check_search(options, mode, COMMAND)
    deals = deals_of(game, file)
    _check_known(game, deals, mode, best)
    answers = Answers(game, options, as_json)
    waiting = Waiting("deal", len(deals), bounds.words())
    for number, deal in enumerate(deals, start=1):
        if sampling is not None and game.unknown_count(deal):
            _tell_chance(game, answers, number, deal, options, bounds, sampling, waiting)
            continue
        begin_s = time.perf_counter()
        with waiting.at(number):
            if proof is None:
                found = game.search(deal, options, mode, bounds)
            else:
                found = game.prove(deal, options, bounds, proof, f"deal-{number}")
            reached = game.best(deal, options, bounds) if best and found.moves is None else None
        elapsed_s = time.perf_counter() - begin_s
        if as_json:
            told = found_values(game, found) | {"elapsed_s": elapsed_s, "moves": None}
            if found.moves is not None:
                told |= move_values(game, deal, found.moves, options, style, boards)
            if best:
                told |= {
                    "best": None
                    if reached is None
                    else best_values(game, deal, reached, options, style, boards)
                }
            answers.print_values(number, deal, told)
        else:
            work = f"# {effort_words(game, found)}, {elapsed_s:.2f} s in all"
            lines = [f"deal {number}: {found_words(game, found)}", work]
            if found.moves is not None:
                lines += move_lines(game, deal, found.moves, options, style, boards)
            if reached is not None:
                lines += best_lines(game, deal, reached, options, style, boards)
            answers.print_lines(lines)


def _check_known(game: Solitaire[Any, Any, Any], deals: list[Any], mode: str, best: bool) -> None:
    """UserError when a search needs all cards of a deal, and not all are known."""
    if mode == DECIDE and not best:
        return
    for number, deal in enumerate(deals, start=1):
        if game.unknown_count(deal):
            asked = "best" if best else mode
            raise UserError(f"--{asked}", f"all cards of deal {number} must be known for it")


def _tell_chance(
    game: Solitaire[Any, Any, Any],
    answers: Answers,
    number: int,
    deal: Any,
    options: Any,
    bounds: Bounds,
    sampling: Sampling,
    waiting: Waiting,
) -> None:
    bounds = limited(bounds)
    with waiting.at(number):
        found = chance(game, deal, options, bounds, sampling)
    if answers.as_json:
        head = head_values(game, deal, sampling) | {"limits": asdict(bounds)}
        answers.print_values(number, deal, head | found.values())
    else:
        answers.print_lines(
            [f"deal {number}: {found.words()}", f"# {head_words(game, deal, sampling, bounds)}"]
        )
