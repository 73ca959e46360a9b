"""What a game is to every door (command line, Python, pages): its name, its jobs, and what can be asked of it.

No door knows a game by name. It asks ``registry`` for the games that there are and a game for its verbs. A game's
package opens with ``game.py``, its declaration: it imports nothing that takes time, and names by ``module:attribute``
what is imported when it is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from storage.place import Place

if TYPE_CHECKING:
    from engines.contract.asking import Parameter
    from engines.contract.exploring import Explorer
    from engines.contract.positions import Positions

VERBS: dict[str, tuple[str, str]] = {
    "solve": ("Decide single deals of a game", "superpuzz deals.txt"),
    "play": ("Let a player play single deals of a game", "calculation decks.txt"),
    "check": ("Replay written solutions and games", "superpuzz deals.txt solutions.txt"),
    "advise": ("Tell what every play in a position is worth", "calculation position.txt"),
    "show": ("Draw deals, or write them in another form", "superpuzz deals.txt"),
}
"""Verb -> what it does, and how an example goes on. A game's function for a verb has typed parameters, from which a
door makes what is asked for."""

REPORT, SECTIONS = "report", "sections"
"""Further verbs: ``report(roots: Roots, as_json: bool) -> bool`` prints what runs have found and tells whether all that
must hold does; ``sections(roots: Roots) -> Iterable[Section]`` gives the same as figures and tables."""

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Roots:
    """Where runs are, for what reads them."""

    results: Place
    """What sweep runs are below."""
    tables: Place
    """What table runs are below."""
    chosen: tuple[Place, ...] | None = None
    """Folders of the runs that count; None: all that are below these."""

    @property
    def sweep_runs(self) -> Place | tuple[Place, ...]:
        """The sweep runs that count, as ``runs.sound_runs`` takes them."""
        return self.results if self.chosen is None else self.chosen

    @property
    def table_runs(self) -> Place | tuple[Place, ...]:
        """The table runs that count."""
        return self.tables if self.chosen is None else self.chosen


@dataclass(frozen=True)
class Launch:
    """What a service of a game may return: a job, which the door runs as ``yamafuda run`` does."""

    words: tuple[str, ...]
    """``job=NAME`` and overrides."""
    as_json: bool = False
    apart: str = ""
    """Field of the job that is another one each time: if a run that differs in nothing else was stopped, that is gone
    on with. Empty: none."""


class Game:
    """The declaration of a game. Subclasses set the class variables; one instance is made of each."""

    name: ClassVar[str]
    """As it is asked for: ``yamafuda solve NAME``; also the name of its entry point."""
    title: ClassVar[str]
    """A line that says what it is."""
    jobs: ClassVar[Mapping[str, str]]
    """Name of a job (``job=NAME``) -> its engine, ``module:Class``."""
    verbs: ClassVar[Mapping[str, str]] = {}
    """Verb -> ``module:function``, which takes a ``Door`` and yields answers (``engines.contract.answer``); see also
    ``REPORT`` and ``SECTIONS``."""
    commands: ClassVar[Mapping[str, str]] = {}
    """Commands of its own: name -> ``module:function``, as of verbs."""
    services: ClassVar[Mapping[str, str]] = {}
    """Commands that work for as long as others want something of them, on the command line alone: name ->
    ``module:function``, whose parameters are typer's. It prints what it has to say, or returns a ``Launch``."""
    forms: ClassVar[Mapping[str, str]] = {}
    """What it reads as text (``deal``, ``solution``, ``position``, ...) -> how that is written, in a sentence or two;
    engines/TEXT.md has the grammars."""
    positions_of: ClassVar[str] = ""
    """``module:class`` of its ``Positions``; empty for a game without, or a solitaire whose positions are its deals."""
    explorer_of: ClassVar[str] = ""
    """``module:class`` of its ``Explorer``; empty for a game without."""
    configs: ClassVar[str | None] = None
    """Package with a folder ``job`` of configuration files, for games that are not in this tree."""

    def positions(self) -> Positions[Any] | None:
        """How positions are read, drawn and played on; None for a game that does not tell."""
        found: Positions[Any] | None = load(self.positions_of)() if self.positions_of else None
        return found

    def explorer(self) -> Explorer | None:
        """What tells exactly what every play of a position is worth; None for a game that cannot."""
        found: Explorer | None = load(self.explorer_of)() if self.explorer_of else None
        return found

    def can(self, verb: str) -> bool:
        """Whether ``verb`` can be asked of the game."""
        return verb in self.verbs

    def function(self, verb: str) -> Callable[..., Any]:
        """The function for a verb that the game ``can``, or for a command of its own."""
        found: Callable[..., Any] = load({**self.commands, **self.verbs}[verb])
        return found

    def parameters(self, verb: str) -> list[Parameter]:
        """What can be told to the function for a verb, for forms and keyword arguments."""
        from engines.contract.asking import parameters_of

        return parameters_of(self.function(verb))


def load(spec: str) -> Any:
    """What ``module:attribute`` names."""
    module, _, attribute = spec.partition(":")
    return getattr(importlib.import_module(module), attribute)


def example(text: str) -> Callable[[Function], Function]:
    """Give a verb's or command's function its example, and what else ``--help`` ends with."""

    def mark(function: Function) -> Function:
        function.__dict__["example"] = text
        return function

    return mark


def example_of(function: Callable[..., Any]) -> str | None:
    """What ``example`` gave a function."""
    return function.__dict__.get("example")
