"""The content of a report: runs with their facts, and sections; gathered from games, engines and files, not yet
drawn."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from engines.contract.game import SECTIONS, Game, Roots
from engines.contract.registry import engine_class, games
from engines.contract.section import Section
from pipeline.query.runs import reason_of
from pipeline.report.facts import RunFacts, run_facts
from storage.layout import run_folders
from storage.place import Place

T = TypeVar("T")


@dataclass(frozen=True)
class Chapter:
    """The sections of a game, or of one run."""

    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Content:
    """A report."""

    title: str
    runs: tuple[RunFacts, ...]
    chapters: tuple[Chapter, ...]
    remarks: tuple[str, ...]
    """Remarks on damaged files that are left out."""


def of_runs(folders: Sequence[Place], roots: Roots) -> Content:
    """The report of runs: first together by game, then what the engine of each has to say."""
    remarks: list[str] = []
    facts = _facts(folders, remarks)
    chapters: list[Chapter] = []
    known = set[str]()
    for game in games():
        known |= game.jobs.keys()
        chapters += _of_game(game, [each for each in facts if each.status.kind in game.jobs], roots, remarks)
    for each in facts:
        if each.status.kind not in known:
            remarks.append(f"{each.status.name}: no installed game has the job {each.status.kind}")
    title = facts[0].status.name if len(facts) == 1 else f"{len(facts)} runs"
    return Content(title, tuple(facts), tuple(chapters), _each_once(remarks))


def of_game(game: Game, roots: Roots) -> Content:
    """The report of all runs of a game."""
    remarks: list[str] = []
    places = list(dict.fromkeys([roots.results, roots.tables]))
    facts = _facts([each for each in run_folders(places) if each.parent.name in game.jobs], remarks)
    sections = _sections(game, roots, roots.results, remarks)
    chapters = (Chapter(game.title, tuple(sections)),) if sections else ()
    return Content(f"{game.heading}: what runs have found", tuple(facts), chapters, _each_once(remarks))


def _of_game(game: Game, own: Sequence[RunFacts], roots: Roots, remarks: list[str]) -> Iterator[Chapter]:
    """Chosen runs of a game together, then each by itself."""
    if not own:
        return
    chosen = replace(roots, chosen=tuple(each.folder for each in own))
    together = _sections(game, chosen, own[0].folder, remarks)
    if together:
        yield Chapter(game.title, tuple(together))
    told = {name for section in together for name in section.runs}
    for each in own:
        sections = _of_run(each, each.status.name in told, remarks)
        if sections:
            yield Chapter(each.status.name, tuple(sections))


def _sections(game: Game, roots: Roots, place: Place, remarks: list[str]) -> list[Section]:
    """A game's sections on runs; empty when it has none."""
    if not game.can(SECTIONS):
        return []
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        found = _sound(lambda: list(game.function(SECTIONS)(roots)), place, remarks)
    remarks += [line.removeprefix("yamafuda: ") for line in said.getvalue().splitlines()]
    return found or []


def _of_run(run: RunFacts, is_told: bool, remarks: list[str]) -> list[Section]:
    """The engine's sections on one run; ``is_told``: the game has shown this run already."""

    def sections() -> list[Section]:
        engine = engine_class(run.status.kind)
        return list(engine(engine.job_type(name=run.status.kind)).sections(run.folder, is_told))

    return _sound(sections, run.folder, remarks) or []


def _facts(folders: Iterable[Place], remarks: list[str]) -> list[RunFacts]:
    """The runs that can be read, in the order in which they were begun."""
    told = [_sound(partial(run_facts, folder), folder, remarks) for folder in folders]
    found = [each for each in told if each is not None]
    return sorted(found, key=lambda each: (each.status.begun_s or 0, each.status.name))


def _sound(make: Callable[[], T], place: Place, remarks: list[str]) -> T | None:
    """What a function returns that reads files; None, and a remark, when the files are damaged."""
    try:
        return make()
    except Exception as error:
        remarks.append(f"{reason_of(place, error)}; left out")
        return None


def _each_once(remarks: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(remarks))
