"""``yamafuda solve`` of every solitaire."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.contract.options import COMMAND
from engines.solitaire.game import Solitaire
from engines.solitaire.given import deals_of, mode_given
from engines.solitaire.printing import Answers, effort_words, found_values, found_words
from engines.solitaire.telling import Style, move_lines, move_values
from engines.text.waiting import Waiting

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
    **modes: Any,
) -> None:
    """Search each deal of a file and print what was found; ``modes`` are told by their names."""
    mode = mode_given(game, modes)
    game.check_search(options, mode, COMMAND)
    deals = deals_of(game, file)
    answers = Answers(game, options, as_json)
    waiting = Waiting("deal", len(deals), bounds.words())
    for number, deal in enumerate(deals, start=1):
        begin_s = time.perf_counter()
        with waiting.at(number):
            if proof is None:
                found = game.search(deal, options, mode, bounds)
            else:
                found = game.prove(deal, options, bounds, proof, f"deal-{number}")
        elapsed_s = time.perf_counter() - begin_s
        if as_json:
            told = found_values(game, found) | {"elapsed_s": elapsed_s, "moves": None}
            if found.moves is not None:
                told |= move_values(game, deal, found.moves, options, style, boards)
            answers.print_values(number, deal, told)
        else:
            work = f"# {effort_words(game, found)}, {elapsed_s:.2f} s in all"
            lines = [f"deal {number}: {found_words(game, found)}", work]
            if found.moves is not None:
                lines += move_lines(game, deal, found.moves, options, style, boards)
            answers.print_lines(lines)
