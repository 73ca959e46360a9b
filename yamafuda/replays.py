"""Games move by move: the referee plays the written moves, and every position on the way is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.contract.options import Option
    from engines.contract.positions import Positions


@dataclass(frozen=True)
class Replayable:
    """A game that can be replayed."""

    name: str
    title: str
    rules: tuple[Option, ...]
    """The options that its plays depend on."""
    forms: Mapping[str, str]
    """What it reads as text -> the notation."""
    can_be_filled: bool
    """Whether deals can be typed card by card (``yamafuda.blanks``)."""


@dataclass(frozen=True)
class Step:
    """A position, and the move that led to it."""

    number: int
    """0 before the first move."""
    written: str
    """The move as ``moves`` has it; empty before the first."""
    words: str
    """The move in words."""
    text: str
    """The position on one line: a text to ask about, or to replay from."""
    html: str
    """The position, drawn; the page must have ``yamafuda.cards.STYLE`` once."""


@dataclass(frozen=True)
class Next:
    """A legal move."""

    written: str
    words: str
    moves_text: str
    """All moves, this one the last."""


def replayable() -> list[Replayable]:
    """All games that can be replayed."""
    from engines.contract.registry import games

    return [replayable_game(game.name) for game in games() if game.positions() is not None]


def replayable_game(name: str) -> Replayable:
    """A game by its name; UserError when there is none, or it cannot be replayed."""
    from engines.contract.options import options_of
    from engines.contract.registry import game
    from yamafuda.blanks import can_be_filled

    found = game(name)
    rules = tuple(options_of(_positions(name).options))
    return Replayable(name, found.title, rules, found.forms, can_be_filled(name))


@dataclass(frozen=True)
class Replay:
    """A game up to the last move that was given."""

    game: str
    deal: str
    """On one line."""
    rules: Mapping[str, str]
    """The rules that differ from the defaults, as text."""
    moves: tuple[str, ...]
    """The moves that are legal."""
    moves_text: str
    """The same as ``replay`` reads them, on one line."""
    ending: str
    problem: str
    """What is wrong with the move after them; empty when nothing is."""
    steps: tuple[Step, ...]
    """The positions that were asked for."""
    plays: tuple[Next, ...]
    """The legal moves at the position ``at``; empty when the game is over, or cards are unknown."""
    is_known: bool
    """Whether all cards are known."""


def replay(
    game: str,
    deal: str,
    moves: str = "",
    rules: Mapping[str, Any] | None = None,
    *,
    first: int = 0,
    count: int | None = None,
    at: int | None = None,
) -> Replay:
    """Play ``moves`` from ``deal``, texts in the game's own forms.

    ``first`` and ``count``: the positions to draw; ``at``: the one whose legal moves are listed. UserError for a text
    that cannot be read, or an unknown option; an illegal move is reported as the replay's ``problem``.
    """
    positions = _positions(game)
    chosen = positions.rules({name: value for name, value in (rules or {}).items() if value != ""})
    found = positions.replay(deal, moves, chosen)
    last = len(found.steps)
    return Replay(
        game=game,
        deal=positions.write(found.start),
        rules={
            name: "unlimited" if value is None else str(value)
            for name, value in vars(chosen).items()
            if value != getattr(positions.options(), name)
        },
        moves=tuple(step.written for step in found.steps),
        moves_text=positions.join([step.written for step in found.steps]) if found.steps else "",
        ending=found.ending,
        problem=found.problem or "",
        steps=tuple(islice(_drawn(positions, found, min(first, last)), count)),
        plays=() if at is None else tuple(plays_after(positions, found, chosen, at)),
        is_known=positions.is_known(found.start),
    )


def plays_after(positions: Positions[Any], found: Any, rules: Any, at: int) -> Iterator[Next]:
    """The legal moves after so many moves of a replay."""
    before = found.steps[:at]
    written = [step.written for step in before]
    for play in positions.plays(found.positions[len(before)], rules):
        yield Next(play.written, play.words, positions.join([*written, play.written]))


def _drawn(positions: Positions[Any], found: Any, first: int) -> Iterator[Step]:
    from yamafuda.cards import drawn

    for number, picture in enumerate(positions.pictures(found, first), start=first):
        written, words, position = "", "", found.start
        if number:
            play = found.steps[number - 1]
            written, words, position = play.written, play.words, play.after
        yield Step(number, written, words, positions.write(position), drawn(picture))


def _positions(name: str) -> Positions[Any]:
    from engines.contract.registry import game
    from storage.errors import UserError

    found = game(name).positions()
    if found is None:
        raise UserError(name, "this game cannot be replayed")
    return found
