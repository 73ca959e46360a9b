"""``solve`` of every solitaire."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.contract.answer import Answer, Door
from engines.contract.options import COMMAND
from engines.contract.source import Source
from engines.solitaire.answers import Answers, effort_words, found_values, found_words
from engines.solitaire.best import best_lines, best_values
from engines.solitaire.chances import Sampling, chance_of, head_values, head_words, limited
from engines.solitaire.game import DECIDE, Solitaire
from engines.solitaire.given import deals_of, mode_given
from engines.solitaire.telling import Style, told_moves
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.limits import Bounds


def solve(
    game: Solitaire[Any, Any, Any],
    door: Door,
    file: Source,
    options: Any,
    bounds: Bounds,
    style: Style,
    boards: bool,
    proof: Path | None = None,
    best: bool = False,
    sampling: Sampling | None = None,
    **modes: Any,
) -> Iterator[Answer]:
    """Search each deal of a text; ``modes`` are given by name.

    ``best``: for a deal that is not won, also its best position. ``sampling``: for deals with unknown cards.
    """
    mode = mode_given(game, modes)
    game.check_search(options, mode, COMMAND)
    deals = deals_of(game, file)
    _check_known(game, deals, mode, best)
    answers = Answers(game, options, door)
    at = door.waiting("deal", len(deals), bounds.words())
    for number, deal in enumerate(deals, start=1):
        if sampling is not None and game.unknown_count(deal):
            limits = limited(bounds)
            with at(number):
                chance = chance_of(game, deal, options, limits, sampling)
            values = head_values(game, deal, sampling) | {"limits": asdict(limits)} | chance.values()
            remark = f"# {head_words(game, deal, sampling, limits)}"
            yield answers.of(number, deal, values, [f"deal {number}: {chance.words()}", remark])
            continue
        begin_s = time.perf_counter()
        with at(number):
            if proof is None:
                found = game.search(deal, options, mode, bounds)
            else:
                found = game.prove(deal, options, bounds, proof, f"deal-{number}")
            reached = game.best(deal, options, bounds) if best and found.moves is None else None
        elapsed_s = time.perf_counter() - begin_s
        values = found_values(game, found) | {"elapsed_s": elapsed_s, "moves": None}
        lines = [
            f"deal {number}: {found_words(game, found)}",
            f"# {effort_words(game, found)}, {elapsed_s:.2f} s in all",
        ]
        if found.moves is not None:
            told = told_moves(game, deal, found.moves, options, style, boards)
            values |= told.values
            lines += told.lines
        if best:
            values["best"] = None
        if reached is not None:
            told = told_moves(game, deal, reached.moves, options, style, boards)
            values["best"] = best_values(game, reached, told)
            lines += best_lines(game, reached, told)
        yield answers.of(number, deal, values, lines)


def _check_known(game: Solitaire[Any, Any, Any], deals: list[Any], mode: str, best: bool) -> None:
    """UserError when a search needs all cards of a deal, and not all are known."""
    if mode == DECIDE and not best:
        return
    for number, deal in enumerate(deals, start=1):
        if game.unknown_count(deal):
            asked = "best" if best else mode
            raise UserError(f"--{asked}", f"all cards of deal {number} must be known for it")
