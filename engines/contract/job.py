"""Jobs, the units that a run is cut into, and run ids: when two runs are the same."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from engines.contract.options import JOB, check_options, option
from engines.contract.span import Span
from storage.layout import RunLayout
from storage.place import Place

FOUND_OUT = "_sha256"
"""Ending of fields that nobody sets: digests of files, which are computed when a job begins."""
SEED_MAX = (1 << 64) - 1
SCHEMA_VERSION = 1
"""Version of the files of runs (common columns, records, plan); part of the run id."""


@dataclass
class Limits:
    """Limits of a unit. They never change a result: an item that hits one is ``undecided``, or the unit fails and
    says so."""

    #: Limits that a command may lower while an attempt goes on: they suit the machine and decide no item.
    indecisive: ClassVar[tuple[str, ...]] = ("memory_bytes", "retries_count")

    memory_bytes: int = option(
        2 << 30, "Memory that a unit reserves on its node and does not exceed, in bytes.", least=1024
    )
    retries_count: int = option(2, "How often a failed unit is tried again before it is recorded as failed.")

    def check(self) -> None:
        """Raise UserError naming the field when a value is out of range."""
        check_options(self, type(self), f"{JOB}limits.")


@dataclass
class Job:
    """Base of all job dataclasses. Subclasses add the fields of ``conf/job/NAME.yaml``."""

    later: ClassVar[Mapping[str, Any]] = {}
    """Fields added after the first runs, with the values that those runs had: with these values a run keeps its id."""
    span: ClassVar[Span | None] = None
    """The fields that only say which items a job has; None where jobs never share items."""

    name: str = ""
    """The job's name, one of its game's ``jobs``; set by ``conf/job/NAME.yaml``."""
    limits: Limits = field(default_factory=Limits)

    def check(self) -> None:
        """Raise UserError naming the field when a value is out of range. Called before any work.

        Ranges of fields made by ``option`` are checked here; subclasses add what else must hold.
        """
        check_options(self, type(self), JOB)


@dataclass(frozen=True)
class Unit(ABC):
    """One piece of work of a run."""

    name: str
    """Unique in the run and safe in file names."""

    @abstractmethod
    def values(self) -> dict[str, Any]:
        """The unit as records of finished units have it."""


@dataclass(frozen=True)
class ItemRange(Unit):
    """Items of a sweep."""

    first: int
    last: int
    """One past the last item."""

    def values(self) -> dict[str, Any]:
        """With the same keys as units of tables."""
        return {"name": self.name, "kind": "sweep", "first": self.first, "last": self.last}


@dataclass(frozen=True)
class ShardUnit(Unit):
    """A shard of a layer, in one phase of a table."""

    kind: str
    """A phase of ``Table.phases`` (keyed tables: start, step, expand, merge, evaluate)."""
    layer: int
    shard: int

    def values(self) -> dict[str, Any]:
        """Records call layer and shard ``first`` and ``last``, in all versions."""
        return {"name": self.name, "kind": self.kind, "first": self.layer, "last": self.shard}


@dataclass(frozen=True)
class LayerPlan:
    """One layer of a table. Layers are numbered by the game (for stack games: cards left)."""

    layer: int
    shards_count: int
    key_bits: int
    """Width of a key in bits; shard s holds the keys in [s, s+1) * 2**key_bits / shards_count."""


def no_progress(count: int) -> None:
    """A report of progress to nobody."""


@dataclass(frozen=True)
class UnitContext:
    """What a unit gets from the pipeline: the places of files, and a function for progress."""

    layout: RunLayout
    """The run's folder."""
    scratch_dir: Path
    tables_dir: Place
    """The root of table runs; for engines that read a finished table."""
    run_id: str
    attempt: int = 1
    progress: Callable[[int], None] = no_progress
    """To be called now and then with the number of items or states done since the last call."""

    @property
    def run_dir(self) -> Place:
        """The run's folder as a path."""
        return self.layout.run_dir


@dataclass(frozen=True)
class Estimate:
    """What a whole run is expected to need, for ``--dry-run`` and for the checks before work starts."""

    items_count: int
    """Items of a sweep or states of a table."""
    disk_bytes: int
    """Largest size of the run's folder while it is being computed."""
    core_s: float
    """Work in seconds of one core."""


def job_words(job: Job) -> str:
    """The arguments of ``yamafuda run`` for this job, as typed into a shell."""
    words = [
        shlex.quote(f"job.{each.name}={typed(getattr(job, each.name))}")
        for each in dataclasses.fields(job)
        if each.name not in ("name", "limits") and getattr(job, each.name) != default_of(each)
    ]
    return " ".join([f"job={job.name}", *words])


def default_of(field: dataclasses.Field[Any]) -> Any:
    """The default of a field."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def typed(value: Any) -> str:
    """A value in the grammar of Hydra's overrides."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{typed(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(typed, value)) + "]"
    text = str(value)
    plain = re.fullmatch(r"[A-Za-z0-9_@./+-]+", text)
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def job_from_values(job_type: type[Job], values: Mapping[str, Any]) -> Job:
    """Build a job's dataclass from plain values (as in plan.json; ``limits`` may be missing) and check it."""
    limits_type = next(f.default_factory for f in dataclasses.fields(job_type) if f.name == "limits")
    data = dict(values)
    data["limits"] = limits_type(**dict(data.get("limits", {})))  # type: ignore[operator]
    job = job_type(**data)
    job.limits.check()
    job.check()
    return job


def job_identity(job: Job) -> dict[str, Any]:
    """The values that a job's results depend on: without ``limits`` and ``output``, and without ``later`` fields that
    have their old values."""
    values = {key: value for key, value in dataclasses.asdict(job).items() if key not in ("limits", "output")}
    return {key: value for key, value in values.items() if key not in job.later or value != job.later[key]}


def run_id(job: Job, engine_version: int) -> str:
    """Name of the run that computes ``job``: 16 hexadecimal digits, the same on every machine and cluster."""
    return id_of(job_identity(job), engine_version, SCHEMA_VERSION)


def id_of(identity: Mapping[str, Any], engine_version: int, schema_version: int) -> str:
    """The run id of a job, from its ``job_identity`` as plans have it."""
    told = {"job": identity, "engine_version": engine_version, "schema_version": schema_version}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
