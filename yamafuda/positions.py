"""Positions of games, drawn in notebooks; games move by move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from engines.contract.picture import Picture
    from engines.contract.positions import Positions


class Position:
    """A position of a game; a deal is one, too."""

    def __init__(self, game: str, positions: Positions[Any], inner: Any, written: str = "") -> None:
        self.game = game
        """The game's name."""
        self.written = written
        """The text that it was read from, if that text has nothing else in it."""
        self._positions = positions
        self._inner = inner

    @property
    def text(self) -> str:
        """On one line; ``read`` gives it back."""
        return self._positions.write(self._inner)

    @property
    def picture(self) -> Picture:
        """What lies on the table, in piles."""
        return self._positions.picture(self._inner)

    def plays(self, **rules: Any) -> Iterator[Play]:
        """The legal moves by these rules, by the referee; empty when the game is over.

        UserError for an unknown rule.
        """
        for play in self._positions.plays(self._inner, self._positions.rules(rules)):
            yield Play(play.written, play.words, Position(self.game, self._positions, play.after))

    def asked(self) -> tuple[str, dict[str, Any]] | None:
        """The text and the parameters with which verbs take it; None when the game is over."""
        found = self._positions.asked(self._inner)
        return None if found is None else (found[0], dict(found[1]))

    def __str__(self) -> str:
        """Drawn as text."""
        return self._positions.draw(self._inner)

    def __repr__(self) -> str:
        return f"<{self.game}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game, self.text) == (other.game, other.text)

    def __hash__(self) -> int:
        return hash((self.game, self.text))

    def _repr_html_(self) -> str:
        """Its picture, as notebooks show it."""
        from yamafuda.cards import STYLE, drawn

        return f"<style>{STYLE}</style>{drawn(self.picture)}"


class Play:
    """A legal move, and the position after it."""

    def __init__(self, written: str, words: str, after: Position) -> None:
        self.written = written
        """The move as ``replay`` reads it."""
        self.words = words
        """The move in words."""
        self.after = after

    def __repr__(self) -> str:
        return f"<{self.written}: {self.words}>"


class Replay(Sequence[Position]):
    """The positions of a game: the first, and that after each legal move."""

    def __init__(self, start: Position, plays: Sequence[Play], ending: str, problem: str | None) -> None:
        self.plays = tuple(plays)
        """The moves."""
        self.ending = ending
        """How it ends after them, such as ``won`` or ``not finished``."""
        self.problem = problem
        """What is wrong with the next move; None when all moves were played."""
        self._positions = (start, *(play.after for play in plays))

    @overload
    def __getitem__(self, place: int) -> Position: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Position, ...]: ...
    def __getitem__(self, place: int | slice) -> Position | tuple[Position, ...]:
        return self._positions[place]

    def __len__(self) -> int:
        return len(self._positions)

    def __repr__(self) -> str:
        return f"<{self[0].game}: {len(self.plays)} moves, {self.problem or self.ending}>"

    def _repr_html_(self) -> str:
        """The last position, with the moves that led to it."""
        from html import escape

        return f"{self[-1]._repr_html_()}<p>{escape(repr(self)[1:-1])}</p>"
