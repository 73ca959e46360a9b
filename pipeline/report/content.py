"""What a report has in it: runs with their facts, and sections; made of games, engines and files, not yet drawn."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engines.contract.failures import reason_of
from engines.contract.game import SECTIONS, Game, Roots
from engines.contract.registry import engine_class, games, job_from_mapping, job_names
from engines.contract.section import Section
from pipeline.query.runs import DAMAGE
from pipeline.report.facts import RunFacts, run_facts
from storage.layout import run_folders
from storage.place import Place


@dataclass(frozen=True)
class Chapter:
    """The sections of a game, or of one run."""

    name: str
    """Tells it from the others of a page."""
    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Content:
    """A report."""

    title: str
    runs: tuple[RunFacts, ...]
    chapters: tuple[Chapter, ...]
    remarks: tuple[str, ...]
    """What is damaged and left out."""


def of_runs(folders: Sequence[Place], roots: Roots) -> Content:
    """The report of runs, together by game, and each by what its engine tells of it."""
    facts, remarks = _facts(folders)
    chapters: list[Chapter] = []
    for game in games():
        own = [each for each in facts if each.status.kind in game.jobs]
        chapters += _of_game(game, own, roots, remarks)
    known = {name for game in games() for name in game.jobs}
    for each in facts:
        if each.status.kind not in known:
            remarks.append(f"{each.status.name}: no installed game has the job {each.status.kind}")
    title = facts[0].status.name if len(facts) == 1 else f"{len(facts)} runs"
    return Content(title, tuple(facts), tuple(chapters), tuple(remarks))


def of_game(game: Game, roots: Roots) -> Content:
    """The report of all runs of a game."""
    remarks: list[str] = []
    sections = _sections(game, roots, remarks)
    chapters = (Chapter(game.name, game.title, tuple(sections)),) if sections else ()
    folders = [
        folder
        for folder in run_folders({roots.results: 0, roots.tables: 0})
        if folder.parent.name in game.jobs
    ]
    facts, damaged = _facts(folders)
    return Content(
        game.title, tuple(facts), chapters, (*damaged, *(each for each in remarks if each not in damaged))
    )


def _of_game(game: Game, own: Sequence[RunFacts], roots: Roots, remarks: list[str]) -> Iterator[Chapter]:
    if not own:
        return
    chosen = replace(roots, chosen=tuple(each.folder for each in own))
    together = _sections(game, chosen, remarks)
    if together:
        yield Chapter(game.name, game.title, tuple(together))
    for each in own:
        alone = replace(roots, chosen=(each.folder,))
        told = together if len(own) == 1 else _sections(game, alone, []) if together else []
        sections = list(_of_run(each, bool(told), remarks))
        if sections:
            yield Chapter(each.status.run_id[:12], each.status.name, tuple(sections))


def _sections(game: Game, roots: Roots, remarks: list[str]) -> list[Section]:
    """What a game tells of runs; nothing of a game that tells nothing."""
    if not game.can(SECTIONS):
        return []
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        found = _sound(lambda: game.function(SECTIONS)(roots), game.name, remarks)
    remarks += [line.removeprefix("yamafuda: ") for line in said.getvalue().splitlines()]
    return found


def _of_run(run: RunFacts, is_told: bool, remarks: list[str]) -> Iterable[Section]:
    """What a run's engine tells of it; ``is_told``: its game has."""
    from pipeline.plan import read_plan
    from storage.layout import RunLayout

    def sections() -> Iterable[Section]:
        job = job_from_mapping(run.status.kind, read_plan(RunLayout(run.folder))["job"])
        return engine_class(run.status.kind)(job).sections(run.folder, is_told)

    return _sound(sections, run.status.name, remarks) if run.status.kind in job_names() else []


def _sound(make: object, name: str, remarks: list[str]) -> list[Section]:
    """The sections that something makes; none, and a remark, when what it reads is damaged."""
    try:
        return list(make())  # type: ignore[operator]
    except DAMAGE as error:
        remarks.append(f"{name}: {reason_of(error)}; left out")
        return []


def _facts(folders: Iterable[Place]) -> tuple[list[RunFacts], list[str]]:
    """Of the runs that can be read; what is wrong with the others."""
    found, remarks = [], []
    for folder in folders:
        try:
            found.append(run_facts(folder))
        except DAMAGE as error:
            remarks.append(f"{folder.name}: {reason_of(error)}; left out")
    return sorted(found, key=lambda each: (each.status.begun_s or 0, each.status.name)), remarks
