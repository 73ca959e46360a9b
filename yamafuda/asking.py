"""Questions in the middle of a game: a game's verbs, asked about the position after some of its moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yamafuda.replays import Next, plays_after

if TYPE_CHECKING:
    from engines.contract.asking import Parameter

BOUNDS = ("time_s", "memory_bytes")
"""Parameters that bound a search; a caller that asks for somebody else sets them."""
_OF_PRINTING = ("style", "boards")
"""Parameters that change only the wording."""
_PRESET = "rules"
"""A parameter that stands for several rules, which are given one by one here."""
_USED_SHARE = 0.75
"""Share of a limit for the search itself; the rest is for what is around it."""


@dataclass(frozen=True)
class Question:
    """A verb that can be asked of a game's positions."""

    verb: str
    parameters: tuple[Parameter, ...]
    """Its parameters, without the position, the rules and the bounds."""


@dataclass(frozen=True)
class Told:
    """An answer, ready to be shown."""

    values: Mapping[str, Any]
    lines: tuple[str, ...]
    stored: str
    """The source that it was read from; empty when it was computed."""
    moves_text: str
    """The moves up to the position, followed by those of the answer; empty when it has none."""
    plays: Mapping[str, Next]
    """The legal moves in the position, by their notation."""


def questions(game: str) -> list[Question]:
    """The questions that a game's positions take; empty for a game without positions."""
    from engines.contract import registry
    from engines.contract.asking import parameters_of
    from engines.contract.options import options_of

    found = registry.game(game)
    positions = found.positions()
    if positions is None:
        return []
    hidden = {*BOUNDS, *_OF_PRINTING, _PRESET, *(rule.name for rule in options_of(positions.options))}
    return [
        Question(
            verb,
            tuple(
                each
                for each in parameters_of(found.function(verb))
                if not (each.is_text or each.is_place or each.name in hidden)
            ),
        )
        for verb in positions.asks
        if found.can(verb)
    ]


def ask_after(
    game: str,
    verb: str,
    deal: str,
    moves: str,
    step: int,
    rules: Mapping[str, Any],
    values: Mapping[str, Any],
    time_s: float,
    memory_bytes: int,
) -> Iterator[Told]:
    """Ask a verb of the position after ``step`` of the moves; ``values`` are those of the question's parameters.

    Searches stay within ``time_s`` in all, and ``memory_bytes``, where the verb takes bounds. UserError for texts that
    cannot be read, for wrong values, and when nothing is left to ask about.
    """
    from engines.contract import registry
    from engines.contract.answer import Door
    from engines.contract.asking import ask, parameters_of
    from engines.contract.source import Source
    from storage.errors import UserError

    known = {each.verb: each for each in questions(game)}
    if verb not in known:
        raise UserError(verb, "cannot be asked of a position of this game")
    names = {each.name for each in known[verb].parameters}
    wrong = next((name for name in values if name not in names), None)
    if wrong is not None:
        raise UserError(wrong, f"there is no such option of {verb}")
    positions: Any = registry.game(game).positions()
    chosen = positions.rules(rules)
    found = positions.replay(deal, moves, chosen)
    before = found.steps[:step]
    position = found.positions[len(before)]
    asked = positions.asked(position)
    if asked is None:
        raise UserError("position", "the game is over; there is nothing to ask")
    text, needed = asked
    function = registry.game(game).function(verb)
    parameters = {each.name: each for each in parameters_of(function)}
    source = next(each.name for each in parameters.values() if each.is_text)
    plays = {play.written: play for play in plays_after(positions, found, chosen, step)}
    # Verbs that search after each play get a bound for each; those that judge all plays at once get one.
    searches_count = max(1, len(plays)) if verb == "advise" and "states" in parameters else 1
    bounds = {
        "time_s": _USED_SHARE * time_s / searches_count,
        "memory_bytes": int(_USED_SHARE * memory_bytes),
    }
    given = {
        source: Source(text, "position"),
        **{name: value for name, value in {**vars(chosen), **bounds}.items() if name in parameters},
        **needed,
        **values,
    }
    for answer in ask(function, Door(), given):
        way = answer.values.get("moves")
        is_way = isinstance(way, list) and way and all(isinstance(move, str) for move in way)
        written = [*(play.written for play in before), *way] if is_way and way is not None else []
        yield Told(
            answer.values, answer.lines, answer.stored, positions.join(written) if written else "", plays
        )
