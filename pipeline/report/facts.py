"""Facts of a run that a report shows before its results: what was computed, how, by which version, when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from engines.contract.job import job_words, typed
from engines.contract.registry import job_from_mapping
from engines.text.words import count_of, duration, rate, size
from pipeline.plan import read_plan
from pipeline.status import DONE, RUNNING, Status, read_fields, read_status
from storage.errors import UserError
from storage.layout import RunLayout
from storage.manifest import read_summary
from storage.place import Place, place_at

VERSIONS = {"engine": "engine", "yamafuda": "yamafuda", "python": "Python", "numpy": "numpy", "ray": "Ray"}


@dataclass(frozen=True)
class RunFacts:
    """A run as its files describe it."""

    folder: Place
    status: Status
    facts: tuple[tuple[str, str], ...]
    """Facts by name."""


def run_facts(folder: Place) -> RunFacts:
    """Everything that is known of a run; UserError or OSError for a damaged one."""
    status = read_status(folder)
    plan = read_plan(RunLayout(folder))
    summary = read_summary(folder) if RunLayout(folder).summary.exists() else {}
    return RunFacts(folder, status, tuple(_facts(status, plan, summary)))


def _facts(status: Status, plan: Mapping[str, Any], summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "run", status.name
    yield "id", status.run_id
    yield "job", " ".join([status.job, *_fields(status)])
    if command := _command(status.kind, plan["job"]):
        yield "command", command
    if status.label:
        yield "label", status.label
    yield "state", _state(status)
    if status.begun_s is not None:
        yield "begun", _time(status.begun_s)
    if status.finished_s is not None:
        yield "finished", _time(status.finished_s)
    if _is_number(summary.get("elapsed_s")):
        cores = f" on {count_of(summary['cores'], 'core')}" if isinstance(summary.get("cores"), int) else ""
        yield "took", duration(summary["elapsed_s"]) + cores
    for name in ("items", "states"):
        count = summary.get(f"{name}_count")
        if isinstance(count, int):
            per_s = summary.get(f"{name}_per_s")
            yield name, f"{count:,}" + (f", {rate(per_s)}" if _is_number(per_s) and per_s else "")
    yield "size", size(status.size_bytes)
    told = summary.get("versions")
    versions = told if isinstance(told, Mapping) else {"engine": plan["engine_version"]}
    yield (
        "computed by",
        ", ".join(f"{title} {versions[name]}" for name, title in VERSIONS.items() if versions.get(name)),
    )


def _state(status: Status) -> str:
    words = [status.state]
    if status.state != DONE:
        words.append(f"{min(status.done_share, 0.999):.1%} done")
        words.append(f"{status.units_done_count:,} of {count_of(status.units_count, 'unit')}")
    if status.units_failed_count:
        words.append(f"{count_of(status.units_failed_count, 'unit')} failed")
    if status.attempt > 1:
        words.append(f"attempt {status.attempt}")
    if status.interrupted_count and status.state != RUNNING:
        words.append(f"interrupted {count_of(status.interrupted_count, 'time')}")
    return ", ".join(words)


def _time(since_1970_s: float) -> str:
    return datetime.fromtimestamp(since_1970_s, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _fields(status: Status) -> Iterator[str]:
    """The job's fields that differ from their defaults, without groups of fields."""
    for name, value in read_fields(place_at(status.run)).items():
        if not isinstance(value, Mapping):
            yield f"{name}={typed(value)}"


def _command(kind: str, values: Mapping[str, Any]) -> str:
    """The command that computes the same; empty for a job that this version does not know, or that no command can
    give."""
    if any(isinstance(value, Mapping) for name, value in values.items() if name != "limits"):
        return ""
    try:
        return f"yamafuda run {job_words(job_from_mapping(kind, values))}"
    except (UserError, TypeError, ValueError, KeyError, OSError):
        return ""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
