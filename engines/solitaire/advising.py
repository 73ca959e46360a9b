"""``yamafuda advise`` of every solitaire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.solitaire.chances import Sampling, chances_of_plays, head_values, head_words, limited
from engines.solitaire.game import DECIDE, Solitaire
from engines.solitaire.given import deals_of
from engines.solitaire.printing import Answers, effort_words, found_values, found_words
from engines.solitaire.telling import Style, move_text, told_move
from engines.text.waiting import Waiting

if TYPE_CHECKING:
    from engines.solitaire.found import Found
    from engines.solitaire.limits import Bounds


def advise(
    game: Solitaire[Any, Any, Any],
    file: Path,
    options: Any,
    bounds: Bounds,
    style: Style,
    as_json: bool,
    sampling: Sampling | None = None,
) -> None:
    """Search the position after each play of each deal of a file, or of deals that fit it (``sampling``)."""
    deals = deals_of(game, file)
    answers = Answers(game, options, as_json)
    waiting = Waiting("deal", len(deals), f"{bounds.words()} for each play")
    for number, deal in enumerate(deals, start=1):
        if sampling is not None and game.unknown_count(deal):
            _advise_unknown(game, answers, number, deal, options, bounds, style, sampling, waiting)
            continue
        with waiting.at(number):
            plays = [
                (told_move(game, deal, move, options, style), game.search(after, options, DECIDE, bounds))
                for move, after in game.plays(deal, options)
            ]
        plays.sort(key=lambda play: ("won", "undecided", "lost").index(play[1].outcome))
        if as_json:
            told = [{"play": written} | found_values(game, found) for written, found in plays]
            answers.print_values(number, deal, {"limits": asdict(bounds), "plays": told})
            continue
        head = f"{len(plays)} plays, each searched with {bounds.words()}"
        if not plays:
            head = _words(game, game.search(deal, options, DECIDE, bounds))
        lines = _aligned([(move_text(written), _words(game, found)) for written, found in plays])
        answers.print_lines([f"deal {number}: {head}", *lines])


def _advise_unknown(
    game: Solitaire[Any, Any, Any],
    answers: Answers,
    number: int,
    deal: Any,
    options: Any,
    bounds: Bounds,
    style: Style,
    sampling: Sampling,
    waiting: Waiting,
) -> None:
    bounds = limited(bounds)
    with waiting.at(number):
        found = chances_of_plays(game, deal, options, bounds, sampling)
    plays = [(told_move(game, deal, move, options, style), chance) for move, chance in found]
    told = [{"play": written} | chance.values() for written, chance in plays]
    if answers.as_json:
        head = head_values(game, deal, sampling) | {"limits": asdict(bounds)}
        answers.print_values(number, deal, head | {"plays": told})
        return
    lines = _aligned([(move_text(written), chance.words()) for written, chance in plays])
    head_line = f"deal {number}: {len(plays)} plays; {head_words(game, deal, sampling, bounds)}"
    answers.print_lines([head_line, *lines])


def _aligned(plays: Sequence[tuple[str, str]]) -> list[str]:
    """A line for each play, with what is said of them one below another."""
    width = max((len(written) for written, _ in plays), default=0)
    return [f"{written:<{width}}  {words}" for written, words in plays]


def _words(game: Solitaire[Any, Any, Any], found: Found[Any]) -> str:
    return f"{found_words(game, found)} ({effort_words(game, found)})"
