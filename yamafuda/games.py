"""The games: deals and positions are read, solved, checked, valued and replayed.

No game is known by name here: each declares its own verbs, as it does for the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yamafuda.found import Found
from yamafuda.positions import Play, Position, Replay
from yamafuda.texts import text_of

if TYPE_CHECKING:
    from engines.contract.answer import Answer, Door
    from engines.contract.asking import Parameter
    from engines.contract.game import Game as Declared
    from engines.contract.positions import Positions
    from engines.contract.source import Source

Text = str | Path | Position
"""What a question is about: a text in any of the game's forms, a file with it, or a position."""


class Game:
    """A game. ``verbs`` are the questions that it takes; any other is a UserError."""

    def __init__(self, declared: Declared) -> None:
        self._declared = declared
        self.name = declared.name
        self.title = declared.title
        """A one-line description."""
        self.heading = declared.heading
        """What it is called in headings."""
        self.forms: Mapping[str, str] = dict(declared.forms)
        """What it reads as text -> the notation."""
        self.jobs = tuple(declared.jobs)
        """Kinds of its runs."""

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        """Questions about deals and positions, with the game's own commands."""
        from engines.contract.game import VERBS

        return (*filter(self._declared.can, VERBS), *self._declared.commands)

    @cached_property
    def verbs_of_positions(self) -> tuple[str, ...]:
        """Those verbs that take a position."""
        positions = self._declared.positions()
        return () if positions is None else tuple(filter(self._declared.can, positions.asks))

    def parameters(self, verb: str) -> list[Parameter]:
        """The parameters of a verb: names, types, choices, defaults and help."""
        self._function(verb)
        return self._declared.parameters(verb)

    def read(self, text: Text) -> list[Position]:
        """All deals and positions of a text; UserError that names line and card."""
        if isinstance(text, Position):
            return [text]
        positions = self._positions
        source = _source(text, "text")
        whole = source.read(_BYTES_MAX)
        found = positions.read(whole, source.name)
        written = whole if len(found) == 1 else ""
        return [Position(self.name, positions, each, written) for each in found]

    def solve(self, deal: Text, **options: Any) -> Found:
        """Decide one deal. Options are those of the command: ``redeals=2``, ``states=1000``, ``style="words"``."""
        return self._one("solve", deal, options)

    def play(self, deal: Text, **options: Any) -> Found:
        """Let the game's player play one deal."""
        return self._one("play", deal, options)

    def advise(self, position: Text, **options: Any) -> Found:
        """Give the value of every play in one position."""
        return self._one("advise", position, options)

    def check(self, deal: Text, solution: str | Path | None = None, **options: Any) -> Found:
        """Replay one written solution; a game whose texts have deal and moves in one takes that alone."""
        texts = [deal] if solution is None else [deal, solution]
        found = list(self.ask("check", *texts, **options))
        if len(found) != 1:
            raise _several("solution" if solution is not None else "deal", len(found))
        return found[0]

    def replay(self, deal: Text, moves: str = "", **rules: Any) -> Replay:
        """The positions that written moves lead through, by the referee, up to the first that is wrong."""
        positions = self._positions
        written = deal.text if isinstance(deal, Position) else _source(deal, "deal").read(_BYTES_MAX)
        with _named_as_here():
            chosen = positions.rules(rules)
        found = positions.replay(written, text_of(moves, "moves"), chosen)
        plays = [
            Play(step.written, step.words, Position(self.name, positions, step.after)) for step in found.steps
        ]
        start = Position(self.name, positions, found.start)
        return Replay(start, plays, found.ending, found.problem)

    def ask(self, verb: str, *texts: Text, door: Door | None = None, **options: Any) -> Iterator[Found]:
        """The answers of any verb to texts of one or more deals, one by one as they are found.

        ``texts`` are in the order of the command's; ``door`` hears what is waited for.
        """
        from engines.contract.answer import Door
        from engines.contract.asking import ask, parameters_of

        with _named_as_here():
            function = self._function(verb)
            sources = [each for each in parameters_of(function) if each.is_text]
            if len(texts) > len(sources):
                raise _several(verb, len(texts), f"texts; {verb} of {self.name} takes {len(sources)}")
            given: dict[str, Any] = {}
            for parameter, text in zip(sources, texts, strict=False):
                given |= self._given(verb, parameter.name, text)
            for answer in ask(function, door or Door(), given | options):
                yield Found(answer, next((text for text in texts if isinstance(text, Position)), None))

    def _function(self, verb: str) -> Callable[..., Iterator[Answer]]:
        from engines.contract.nearest import did_you_mean
        from storage.errors import UserError

        if text_of(verb, "verb") not in self.verbs:
            near = did_you_mean(verb, self.verbs)
            raise UserError(verb, f"cannot be asked of {self.name}{near}; there are: {', '.join(self.verbs)}")
        return self._declared.function(verb)

    def _given(self, verb: str, name: str, text: Text) -> dict[str, Any]:
        """The arguments of a verb for a text or a position."""
        from engines.contract.source import Source
        from storage.errors import UserError

        if not isinstance(text, Position):
            return {name: _source(text, name)}
        if verb not in self.verbs_of_positions and not text.written:
            raise UserError(name, f"{verb} of {self.name} takes deals as they are written, not positions")
        asked = text.asked() if verb in self.verbs_of_positions else (text.written, {})
        if asked is None:
            raise UserError(name, f"{text.text or 'the position'} is over")
        return {name: Source(asked[0], name)} | asked[1]

    def _one(self, verb: str, text: Text, options: Mapping[str, Any]) -> Found:
        self._function(verb)
        read = self.read(text)
        if len(read) != 1:
            raise _several("text", len(read))
        # The text as it was written: it may say more than a position holds.
        (found,) = self.ask(verb, text, **options)
        found.position = read[0]
        return found

    @property
    def _positions(self) -> Positions[Any]:
        from storage.errors import UserError

        found = self._declared.positions()
        if found is None:
            raise UserError(self.name, "this game has no positions to show")
        return found

    def __repr__(self) -> str:
        return f"<{self.title}>"


class Games(list[Game]):
    """Games, by name."""

    def __repr__(self) -> str:
        return "\n".join(f"{game.name}: {game.title}" for game in self)

    def _repr_html_(self) -> str:
        from yamafuda.html import table_html

        cells = [[game.name, game.title, ", ".join(game.verbs)] for game in self]
        return table_html(["game", "what it is", "verbs"], cells, f"{len(self)} games")


def games() -> Games:
    """All games that installed packages have."""
    from engines.contract import registry

    return Games(map(Game, registry.games()))


def game(name: str) -> Game:
    """A game by its name; UserError when there is none.

    yamafuda.game("superpuzz").solve("S2 S3 D3 / HA H3 SA / DA D2 C3 / H2 CA C2")
    """
    from engines.contract import registry

    return Game(registry.game(text_of(name, "GAME")))


_BYTES_MAX = 1 << 26
"""Longest text that is read here, in bytes."""


def _source(text: Any, name: str) -> Source:
    from engines.contract.source import FileSource, Source
    from storage.errors import UserError

    if isinstance(text, Path):
        return FileSource(text)
    if not isinstance(text, str):
        raise UserError(name, f"must be a text, a Path or a position; got {type(text).__name__}")
    return Source(text, name)


def _several(
    place: str, count: int, what: str = "deals; one is needed here (read splits them, ask takes all)"
) -> Any:
    from storage.errors import UserError

    return UserError(place, f"there are {count} {what}")


@contextmanager
def _named_as_here() -> Iterator[None]:
    """Errors that name an option of the command line name the keyword instead."""
    from engines.contract.options import COMMAND
    from storage.errors import UserError

    try:
        yield
    except UserError as error:
        if not error.field.startswith(COMMAND):
            raise
        raise UserError(error.field.removeprefix(COMMAND).replace("-", "_"), error.message) from error
