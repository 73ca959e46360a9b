"""Positions of a game: read, written, drawn, and played on move by move. All doors use this interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from engines.contract.blank import Blank
from engines.contract.nearest import did_you_mean
from engines.contract.options import check_options, chosen, options_of
from engines.contract.picture import Picture, after_move, said
from engines.text.cards import card_name, read_card
from storage.errors import UserError

Position = TypeVar("Position")

NOT_FINISHED = "not finished"
"""The ending of a replay that could go on."""


@dataclass(frozen=True)
class NoRules:
    """Options for a game that has none."""


@dataclass(frozen=True)
class Play(Generic[Position]):
    """A legal move, and the position after it."""

    written: str
    """The move as ``replay`` reads it."""
    words: str
    """The move in words."""
    after: Position
    is_free: bool = False
    """Whether it is not counted as a move, such as a redeal."""


@dataclass(frozen=True)
class Replayed(Generic[Position]):
    """The result of written moves: those that the referee allows, up to the first that it does not."""

    start: Position
    steps: tuple[Play[Position], ...]
    problem: str | None
    """What is wrong with the next move, with its number; None when all moves were played."""
    ending: str
    """How it ends after them, such as ``won`` or ``not finished``."""

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions before the first move, and after each."""
        return (self.start, *(step.after for step in self.steps))


class Positions(ABC, Generic[Position]):
    """Operations on a game's positions. Rules are an instance of ``options``; ``rules`` makes them."""

    options: type = NoRules
    """Dataclass of the rules: what legal plays depend on besides the position (``engines.contract.options``)."""

    asks: tuple[str, ...] = ("solve", "advise")
    """Verbs of the game that take a position; ``asked`` gives the text for them."""

    @abstractmethod
    def read(self, text: str, name: str) -> list[Position]:
        """All positions of a text, deals among them; UserError that names ``name``, line and card."""

    @abstractmethod
    def write(self, position: Position) -> str:
        """A position on one line; ``read`` gives it back."""

    @abstractmethod
    def picture(self, position: Position) -> Picture:
        """What lies on the table."""

    def draw(self, position: Position) -> str:
        """A position as lines of text; for a game without its own drawing, the picture in words."""
        return said(self.picture(position))

    def is_known(self, position: Position) -> bool:
        """Whether all cards are known; while some are not, ``plays`` may be empty."""
        return True

    @abstractmethod
    def plays(self, position: Position, rules: Any) -> Iterable[Play[Position]]:
        """The legal moves in a position, by the referee; empty when the game is over."""

    @abstractmethod
    def replay(self, deal: str, moves: str, rules: Any) -> Replayed[Position]:
        """Play written moves from a deal or position, by the referee.

        UserError for texts that cannot be read; an illegal move is the ``problem`` of what is returned.
        """

    def join(self, written: Sequence[str]) -> str:
        """Moves as ``replay`` reads them, on one line."""
        return " ".join(written)

    def asked(self, position: Position) -> tuple[str, Mapping[str, Any]] | None:
        """The text for the verbs ``asks``, and the values of parameters that it needs; None when the game is over."""
        return self.write(position), {}

    sizes: type = NoRules
    """Dataclass of the sizes of a deal that is filled in."""

    def blank(self, sizes: Any) -> Blank | None:
        """A deal to fill in, of these ``sizes``; None for a game without such deals."""
        return None

    def card(self, word: str) -> str | None:
        """The name of a card that was typed; None for anything else."""
        found = read_card(word)
        return None if found is None else card_name(*found)

    def filled(self, sizes: Any, names: Sequence[Sequence[str]]) -> str:
        """The text of a deal that was filled in, as ``read`` takes it."""
        raise NotImplementedError

    def rules(self, values: Mapping[str, Any]) -> Any:
        """The rules with these options, by name; UserError for an unknown one, or one that is out of range."""
        return made(self.options, values)

    def pictures(self, replayed: Replayed[Position], first: int = 0) -> Iterator[Picture]:
        """The pictures before the first move and after each, with what moved marked; from number ``first`` on."""
        before = None if first == 0 else self.picture(replayed.positions[first - 1])
        for position in replayed.positions[first:]:
            picture = self.picture(position)
            yield picture if before is None else after_move(before, picture)
            before = picture


def made(kind: type, values: Mapping[str, Any]) -> Any:
    """An instance of a dataclass of options, the others with their defaults; UserError names a wrong one."""
    names = [each.name for each in fields(kind)]
    for name in values:
        if name not in names:
            raise UserError(name, f"is no option here{did_you_mean(name, names)}")
    found: Any = chosen(kind, vars(kind()) | dict(values))
    for each in options_of(kind):
        each.check_type(getattr(found, each.name))
    check_options(found, kind, "")
    return found


def only_one(found: list[Position], name: str) -> Position:
    """The one deal of a text; UserError when there is none, or several."""
    if len(found) != 1:
        raise UserError(name, f"there are {len(found)} deals in it; a replay is of one")
    return found[0]
