"""``yamafuda advise`` of every solitaire."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.solitaire.game import DECIDE, Solitaire
from engines.solitaire.given import deals_of
from engines.solitaire.printing import Answers, effort_words, found_values, found_words
from engines.text.waiting import Waiting

if TYPE_CHECKING:
    from engines.solitaire.found import Found
    from engines.solitaire.limits import Bounds


def advise(game: Solitaire[Any, Any, Any], file: Path, options: Any, bounds: Bounds, as_json: bool) -> None:
    """Search the position after each play of each deal of a file."""
    deals = deals_of(game, file)
    answers = Answers(game, options, as_json)
    waiting = Waiting("deal", len(deals), f"{bounds.words()} for each play")
    for number, deal in enumerate(deals, start=1):
        with waiting.at(number):
            plays = [
                (game.format_moves(deal, [move], options)[0], game.search(after, options, DECIDE, bounds))
                for move, after in game.plays(deal, options)
            ]
        plays.sort(key=lambda play: ("won", "undecided", "lost").index(play[1].outcome))
        if as_json:
            told = [{"play": written} | found_values(game, found) for written, found in plays]
            answers.print_values(number, deal, {"plays": told})
            continue
        head = f"{len(plays)} plays"
        if not plays:
            head = _words(game, game.search(deal, options, DECIDE, bounds))
        width = max((len(written) for written, _ in plays), default=0)
        lines = [f"{written:<{width}}  {_words(game, found)}" for written, found in plays]
        answers.print_lines([f"deal {number}: {head}", *lines])


def _words(game: Solitaire[Any, Any, Any], found: Found[Any]) -> str:
    return f"{found_words(game, found)} ({effort_words(game, found)})"
