"""Runs that were stopped, for services: the same command goes on with one, though each meeting is told apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.contract.job import typed
from pipeline.config import composing
from pipeline.lock import is_held
from pipeline.plan import read_plan
from pipeline.run import plan_run
from storage.errors import UserError
from storage.layout import RunLayout
from storage.place import listed


def going_on(words: list[str], apart: str) -> tuple[list[str], str]:
    """``words`` with the job's field ``apart`` of the last run that was stopped and differs in nothing else.

    With the name of that run; as they are, and an empty name, where there is none. UserError for wrong words.
    """
    with composing(None) as composer:
        run = plan_run(composer.compose(words))
    found = {
        str(plan["job"][apart]): name for name, plan in _stopped(run.layout) if _same(plan, run.plan, apart)
    }
    if not found:
        return words, ""
    value = max(found)
    others = [word for word in words if not word.startswith(f"job.{apart}=")]
    return [*others, f"job.{apart}={typed(value)}"], found[value]


def _stopped(beside: RunLayout) -> Iterator[tuple[str, dict[str, Any]]]:
    """Names and plans of the runs of a kind that are neither done nor at work."""
    kind = beside.run_dir.parent
    for folder in listed(kind) if kind.is_dir() else []:
        layout = RunLayout(folder)
        if not layout.plan.is_file() or layout.manifest.is_file() or is_held(layout.lock):
            continue
        try:
            yield folder.name, read_plan(layout)
        except UserError:
            continue  # damaged: whoever asks for that run is told


def _same(plan: dict[str, Any], other: dict[str, Any], apart: str) -> bool:
    def told(values: dict[str, Any]) -> dict[str, Any]:
        job = {key: value for key, value in values["job"].items() if key != apart}
        return {"engine_version": values["engine_version"], "job": job}

    return apart in plan["job"] and told(plan) == told(other)
