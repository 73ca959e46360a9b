"""Questions in the middle of a game: what a game's verbs tell of the position after some of its moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yamafuda.replays import Next, plays_after

if TYPE_CHECKING:
    from engines.contract.asking import Parameter

BOUNDS = ("time_s", "memory_bytes")
"""Parameters by which a search is bounded; whoever asks for somebody else bounds it."""
_OF_PRINTING = ("style", "boards")
"""Parameters that change words alone."""
_PRESET = "rules"
"""A parameter that stands for several rules, which are told one by one here."""
_USED_SHARE = 0.75
"""Of a limit: the rest is for what is around the search."""


@dataclass(frozen=True)
class Question:
    """A verb that can be asked of a game's positions."""

    verb: str
    parameters: tuple[Parameter, ...]
    """What can be told to it, besides the position, the rules and the bounds."""


@dataclass(frozen=True)
class Told:
    """What an answer says."""

    values: Mapping[str, Any]
    lines: tuple[str, ...]
    stored: str
    """What it was read from; empty when it was computed."""
    moves_text: str
    """The moves up to the position with those of the answer after them; empty when it has none."""
    plays: Mapping[str, Next]
    """The moves that may follow the position, by how they are written."""


def questions(game: str) -> list[Question]:
    """What can be asked of a game's positions; nothing of a game that tells none."""
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
    # A search after each play has a bound of its own; what judges all plays at once has one.
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
