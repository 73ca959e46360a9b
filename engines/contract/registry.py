"""The installed games: those that packages declare as entry points of the group ``yamafuda.games``.

Our games are found in the same way as those of other packages: only a package's metadata names a game. A game's
declaration is imported when the game, or a list of all games, is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from engines.contract.engine import Engine
from engines.contract.game import Game, load
from engines.contract.job import Job, job_from_values
from engines.contract.nearest import did_you_mean
from storage.errors import UserError

GROUP = "yamafuda.games"

Found = TypeVar("Found")


@cache
def _entries() -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        other = found.setdefault(entry.name, entry)
        if other.value != entry.value:
            raise UserError(
                entry.name,
                f"two installed packages have this game: {other.value} and {entry.value}; remove one",
            )
    return found


@cache
def _game(name: str) -> Game:
    entry = _entries()[name]
    try:
        declared = entry.load()
        found: Game = declared() if isinstance(declared, type) else declared
    except Exception as error:
        package = entry.dist.name if entry.dist is not None else entry.value
        reason = f"{type(error).__name__}: {error}"
        raise UserError(name, f"the game of the package {package} cannot be loaded ({reason})") from error
    if not isinstance(found, Game) or found.name != name:
        raise UserError(name, f"{entry.value} is not the declaration of a game of this name")
    return found


def _named(all_of_them: Mapping[str, Found], name: str, place: str, what: str) -> Found:
    if name not in all_of_them:
        names = sorted(all_of_them)
        raise UserError(
            place, f"no {what} is called {name!r}{did_you_mean(name, names)}; there are: {', '.join(names)}"
        )
    return all_of_them[name]


def game_names() -> list[str]:
    """Names of all games, in order."""
    return list(_entries())


def game(name: str) -> Game:
    """A game by its name; UserError when there is none."""
    _named(_entries(), name, "GAME", "game")
    return _game(name)


def games() -> Iterator[Game]:
    """All games, in the order of their names."""
    return map(_game, game_names())


@cache
def _jobs() -> dict[str, str]:
    found: dict[str, str] = {}
    for each in games():
        for name, spec in each.jobs.items():
            if found.setdefault(name, spec) != spec:
                raise UserError(each.name, f"another game has a job {name!r}, too")
    return found


def job_names() -> list[str]:
    """Names that ``job=`` takes, without configuration files that only change defaults."""
    return sorted(_jobs())


def engine_spec(name: str) -> str:
    """``module:Class`` of the engine of a job's name; UserError when there is none."""
    return _named(_jobs(), name, "job.name", "job")


def load_engine(spec: str) -> type[Engine]:
    """The class that ``spec`` (``module:Class``) names."""
    found: type[Engine] = load(spec)
    return found


def engine_class(name: str) -> type[Engine]:
    """Find an engine by its job's name; UserError when there is none."""
    return load_engine(engine_spec(name))


def job_from_mapping(name: str, values: Mapping[str, Any]) -> Job:
    """Build the dataclass of the job ``name`` from plain values and check it."""
    return job_from_values(engine_class(name).job_type, values)
