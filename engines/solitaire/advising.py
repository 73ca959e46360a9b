"""``advise`` of every solitaire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engines.contract.answer import Answer, Door
from engines.contract.source import Source
from engines.solitaire.answers import Answers, effort_words, found_values, found_words
from engines.solitaire.chances import Sampling, chances_of_plays, head_values, head_words, limited
from engines.solitaire.game import DECIDE, Solitaire
from engines.solitaire.given import deals_of
from engines.solitaire.telling import Style, move_text, told_move
from engines.text.words import count_of

if TYPE_CHECKING:
    from engines.solitaire.found import Found
    from engines.solitaire.limits import Bounds


def advise(
    game: Solitaire[Any, Any, Any],
    door: Door,
    file: Source,
    options: Any,
    bounds: Bounds,
    style: Style,
    sampling: Sampling | None = None,
) -> Iterator[Answer]:
    """Search the position after each play of each deal of a text, or of deals that fit it (``sampling``)."""
    deals = deals_of(game, file)
    answers = Answers(game, options, door)
    at = door.waiting("deal", len(deals), f"{bounds.words()} for each play")
    for number, deal in enumerate(deals, start=1):
        values: dict[str, Any] = {}
        if sampling is not None and game.unknown_count(deal):
            limits = limited(bounds)
            with at(number):
                chances = chances_of_plays(game, deal, options, limits, sampling)
            plays = [
                (told_move(game, deal, move, options, style), chance.values(), chance.words())
                for move, chance in chances
            ]
            values = head_values(game, deal, sampling)
            head = f"{count_of(len(plays), 'play')}; {head_words(game, deal, sampling, limits)}"
        else:
            limits = bounds
            with at(number):
                searched = [
                    (told_move(game, deal, move, options, style), game.search(after, options, DECIDE, bounds))
                    for move, after in game.plays(deal, options)
                ]
            searched.sort(key=lambda play: ("won", "undecided", "lost").index(play[1].outcome))
            plays = [(play, found_values(game, found), _words(game, found)) for play, found in searched]
            head = f"{count_of(len(plays), 'play')}, each searched with {bounds.words()}"
            if not plays:
                head = _words(game, game.search(deal, options, DECIDE, bounds))
        values |= {"limits": asdict(limits), "plays": [{"play": play} | told for play, told, _ in plays]}
        lines = _aligned([(move_text(play), words) for play, _, words in plays])
        yield answers.of(number, deal, values, [f"deal {number}: {head}", *lines])


def _aligned(plays: Sequence[tuple[str, str]]) -> list[str]:
    """A line for each play, in columns."""
    width = max((len(written) for written, _ in plays), default=0)
    return [f"{written:<{width}}  {words}" for written, words in plays]


def _words(game: Solitaire[Any, Any, Any], found: Found[Any]) -> str:
    return f"{found_words(game, found)} ({effort_words(game, found)})"
