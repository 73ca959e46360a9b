"""A game as every door (command line, Python, pages) sees it: its name, its jobs, and its verbs.

No door knows a game by name. It gets the games from ``registry``, and the verbs from a game. A game's package opens
with ``game.py``, its declaration. That file does no slow imports; it names by ``module:attribute`` what is imported
when it is needed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from storage.errors import UserError
from storage.place import Place

if TYPE_CHECKING:
    from engines.contract.asking import Parameter
    from engines.contract.exploring import Explorer
    from engines.contract.positions import Positions

VERBS: dict[str, tuple[str, str]] = {
    "solve": ("Decide single deals of a game", "superpuzz deals.txt"),
    "play": ("Let a player play single deals of a game", "calculation decks.txt"),
    "check": ("Replay written solutions and games", "superpuzz deals.txt solutions.txt"),
    "advise": ("Give the value of every play in a position", "calculation position.txt"),
    "show": ("Draw deals, or write them in another form", "superpuzz deals.txt"),
}
"""Verb -> what it does, and the end of an example. A game's function for a verb has typed parameters, from which a
door makes its options or fields."""

REPORT, SECTIONS = "report", "sections"
"""Further verbs: ``report(roots: Roots, as_json: bool) -> bool`` prints what runs have found and returns whether all
that must hold does; ``sections(roots: Roots) -> Iterable[Section]`` gives the same as figures and tables."""

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Roots:
    """The folders of runs, for their readers."""

    results: Place
    """The root of sweep runs."""
    tables: Place
    """The root of table runs."""
    chosen: tuple[Place, ...] | None = None
    """Folders of the chosen runs; None for all runs below the roots."""

    @property
    def sweep_runs(self) -> Place | tuple[Place, ...]:
        """The chosen sweep runs, as ``runs.sound_runs`` takes them."""
        return self.results if self.chosen is None else self.chosen

    @property
    def table_runs(self) -> Place | tuple[Place, ...]:
        """The chosen table runs."""
        return self.tables if self.chosen is None else self.chosen


@dataclass(frozen=True)
class Launch:
    """A job that a game's service may return; the door runs it as ``yamafuda run`` does."""

    words: tuple[str, ...]
    """``job=NAME`` and overrides."""
    as_json: bool = False
    apart: str = ""
    """A field of the job whose value is new each time. If a run was stopped that differs in nothing else, it is gone on
    with instead. Empty: none."""


class Game:
    """The declaration of a game. Subclasses set the class variables; each has one instance."""

    name: ClassVar[str]
    """Its name in commands: ``yamafuda solve NAME``; also the name of its entry point."""
    title: ClassVar[str]
    """A one-line description: what the game is called, a colon, what it is."""
    jobs: ClassVar[Mapping[str, str]]
    """Name of a job (``job=NAME``) -> its engine, ``module:Class``."""
    verbs: ClassVar[Mapping[str, str]] = {}
    """Verb -> ``module:function``, which takes a ``Door`` and yields answers (``engines.contract.answer``); see also
    ``REPORT`` and ``SECTIONS``."""
    commands: ClassVar[Mapping[str, str]] = {}
    """Commands of its own: name -> ``module:function``, as for verbs."""
    services: ClassVar[Mapping[str, str]] = {}
    """Services, such as servers, that run until they are stopped, on the command line only: name ->
    ``module:function``, with typer's parameters. The function prints its messages, or returns a ``Launch``."""
    forms: ClassVar[Mapping[str, str]] = {}
    """What it reads as text (``deal``, ``solution``, ``position``, ...) -> its notation, in a sentence or two;
    engines/TEXT.md has the grammars."""
    positions_of: ClassVar[str] = ""
    """``module:class`` of its ``Positions``; empty for a game without, or a solitaire whose positions are its deals."""
    explorer_of: ClassVar[str] = ""
    """``module:class`` of its ``Explorer``; empty for a game without."""
    configs: ClassVar[str | None] = None
    """Package with a folder ``job`` of configuration files, for games that are not in this tree."""

    @property
    def heading(self) -> str:
        """What the game is called in headings."""
        return self.title.partition(":")[0]

    def positions(self) -> Positions[Any] | None:
        """How positions are read, drawn and played on; None for a game without positions."""
        found: Positions[Any] | None = load(self.positions_of)() if self.positions_of else None
        return found

    def explorer(self) -> Explorer | None:
        """The explorer of exact values of plays; None for a game without one."""
        found: Explorer | None = load(self.explorer_of)() if self.explorer_of else None
        return found

    def can(self, verb: str) -> bool:
        """Whether the game has ``verb``."""
        return verb in self.verbs

    def function(self, verb: str) -> Callable[..., Any]:
        """The function for a verb that the game ``can``, or for a command of its own."""
        found: Callable[..., Any] = load({**self.commands, **self.verbs}[verb])
        return found

    def parameters(self, verb: str) -> list[Parameter]:
        """The parameters of the function for a verb, for forms and keyword arguments."""
        from engines.contract.asking import parameters_of

        return parameters_of(self.function(verb))


def load(spec: str) -> Any:
    """The object that ``module:attribute`` names; UserError when it cannot be imported."""
    module, _, attribute = spec.partition(":")
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        raise UserError(spec, f"cannot be imported ({error})") from error
    if not hasattr(found, attribute):
        raise UserError(spec, f"there is no {attribute} in {found.__file__}")
    return getattr(found, attribute)


def example(text: str) -> Callable[[Function], Function]:
    """Give a verb's or command's function its example, and further lines for the end of ``--help``."""

    def mark(function: Function) -> Function:
        function.__dict__["example"] = text
        return function

    return mark


def example_of(function: Callable[..., Any]) -> str | None:
    """The example and lines that ``example`` gave a function."""
    return function.__dict__.get("example")
