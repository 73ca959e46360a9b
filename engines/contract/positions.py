"""Positions of a game: read, written, drawn, and played on move by move. Every door asks for them in the same way."""

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
"""How a replay ends that could go on."""


@dataclass(frozen=True)
class NoRules:
    """The options of a game that has none."""


@dataclass(frozen=True)
class Play(Generic[Position]):
    """A legal move, and what it leads to."""

    written: str
    """As ``replay`` reads it."""
    words: str
    """As people say it."""
    after: Position
    is_free: bool = False
    """It counts as no move, such as a redeal."""


@dataclass(frozen=True)
class Replayed(Generic[Position]):
    """What became of written moves: those that the referee allows, up to the first that it does not."""

    start: Position
    steps: tuple[Play[Position], ...]
    problem: str | None
    """What is wrong with the next move, with its number; None when all were played."""
    ending: str
    """How it ends after them, such as ``won`` or ``not finished``."""

    @property
    def positions(self) -> tuple[Position, ...]:
        """Before the first move, and after each."""
        return (self.start, *(step.after for step in self.steps))


class Positions(ABC, Generic[Position]):
    """What can be asked of a game's positions. Rules are an instance of ``options``; ``rules`` makes them."""

    options: type = NoRules
    """Dataclass of what plays depend on besides the position (``engines.contract.options``)."""

    asks: tuple[str, ...] = ("solve", "advise")
    """Verbs of the game that take a position; ``asked`` says how they are told of it."""

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
        """A position as lines of text; without a drawing of the game's own, the picture in words."""
        return said(self.picture(position))

    @abstractmethod
    def plays(self, position: Position, rules: Any) -> Iterable[Play[Position]]:
        """The legal moves of a position, by the referee; none when the game is over."""

    @abstractmethod
    def replay(self, deal: str, moves: str, rules: Any) -> Replayed[Position]:
        """Play written moves from a deal or position, by the referee.

        UserError for texts that cannot be read; an illegal move is the ``problem`` of what is returned.
        """

    def join(self, written: Sequence[str]) -> str:
        """Moves as ``replay`` reads them, on one line."""
        return " ".join(written)

    def asked(self, position: Position) -> tuple[str, Mapping[str, Any]] | None:
        """The text that ``asks`` read, and values of their parameters that it needs; None where there are none."""
        return self.write(position), {}

    sizes: type = NoRules
    """Dataclass of the options that say how large a deal is that is filled in."""

    def blank(self, sizes: Any) -> Blank | None:
        """A deal to fill in, of these ``sizes``; None for a game that has no such."""
        return None

    def card(self, word: str) -> str | None:
        """The name of a card that somebody typed; None for what is none."""
        found = read_card(word)
        return None if found is None else card_name(*found)

    def filled(self, sizes: Any, names: Sequence[Sequence[str]]) -> str:
        """The text of a deal that was filled in, as ``read`` takes it."""
        raise NotImplementedError

    def rules(self, values: Mapping[str, Any]) -> Any:
        """The rules with these options, by name; UserError for one that there is not, or that is out of range."""
        return made(self.options, values)

    def pictures(self, replayed: Replayed[Position], first: int = 0) -> Iterator[Picture]:
        """The picture before the first move, and that after each with what moved; from number ``first`` on."""
        before = None if first == 0 else self.picture(replayed.positions[first - 1])
        for position in replayed.positions[first:]:
            picture = self.picture(position)
            yield picture if before is None else after_move(before, picture)
            before = picture


def made(kind: type, values: Mapping[str, Any]) -> Any:
    """An instance of a dataclass of options, the others as they are; UserError names the one that is wrong."""
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
