"""Which runs have items in common, and from which run an item's rows are taken."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engines.contract.engine import Engine
from engines.contract.span import Span, family
from pipeline.query.runs import Run
from storage.place import Place


@dataclass(frozen=True)
class Family:
    """Runs that must find the same for an item that they share, in order: an item's rows are taken from the
    first that has it."""

    span: Span | None
    """None if all of them have the same items, and rows of different runs must not be mixed."""
    runs: Sequence[Run]
    overlaps: Mapping[Place, Sequence[Run]]
    """By folder of a run the runs that share items with it; a run that shares none is left out."""


def families(runs: Iterable[Run], engines: Mapping[str, type[Engine]]) -> list[Family]:
    """The families of runs. ``engines``: by kind of job; one that is missing has neither span nor later fields."""
    found: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        engine = engines.get(run.kind)
        span, later = (engine.job_type.span, engine.job_type.later) if engine else (None, {})
        found.setdefault((run.kind, family(run.job, span, later)), []).append(run)
    made = []
    for (kind, _), members in found.items():
        span = engines[kind].job_type.span if kind in engines else None
        made.append(Family(span, sorted(members, key=_rank), _overlaps(members, span)))
    return made


def _rank(run: Run) -> tuple[bool, float, int, float]:
    """Whole runs first, then those with fewer undecided items, then those of newer engines, then newer ones."""
    undecided = math.inf if run.summary is None else run.summary.get("outcomes", {}).get("undecided", 0)
    return not run.is_complete, undecided, -run.version, -run.begun_s


def _overlaps(runs: Sequence[Run], span: Span | None) -> dict[Place, list[Run]]:
    if span is None:
        return {run.folder: [other for other in runs if other is not run] for run in runs}
    found: dict[Place, list[Run]] = {run.folder: [] for run in runs}
    placed = [(span.numbers(run.job, run.plan["items_count"]), run) for run in runs]
    placed.sort(key=lambda each: (each[0].start, each[0].stop))
    for place, (numbers, run) in enumerate(placed):
        for others, other in placed[place + 1 :]:
            if others.start >= numbers.stop:
                break
            found[run.folder].append(other)
            found[other.folder].append(run)
    return found
