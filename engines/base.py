"""The two contracts between games and the pipeline, and the registry that finds an engine by its name.

A **sweep** computes independent items (deals, games, matches). A **table** computes the values of all states
of a game, layer by layer: a layer's states are found from the layer before it (``expand``, then ``merge``),
and its values from the finished layer below it (``evaluate``). Both are made of **units**: pieces of work
that any process on any machine can do from the job and the files of the run alone, that can be done twice
without harm, and that are done when their file is in place.

To add an engine: write one package with a module that defines a ``Sweep`` or a ``Table`` subclass, name it in
``ENGINES`` below, and add one file to ``conf/job``. A game that solves or checks single deals, or advises, has a
module for each, named in ``GAME_COMMANDS``.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from storage.errors import UserError

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import; one-state commands do without it
    import pyarrow as pa

#: job name (``job=NAME`` on the command line) -> "module:Class"
ENGINES: dict[str, str] = {
    "stackgame_table": "engines.stackgame.table:StackgameTable",
    "stackgame_play": "engines.stackgame.play:StackgamePlay",
    "superpuzz_sweep": "engines.superpuzz.sweep:SuperpuzzSweep",
    "klondike_sweep": "engines.klondike.sweep:KlondikeSweep",
    "klondike_deals": "engines.klondike.deals:KlondikeDeals",
    "calculation_sweep": "engines.calculation.sweep:CalculationSweep",
    "calculation_open": "engines.calculation.open_sweep:CalculationOpen",
    "daifugo_learn": "engines.daifugo.learn:DaifugoLearn",
    "daifugo_estimate": "engines.daifugo.estimation:DaifugoEstimate",
    "daifugo_tournament": "engines.daifugo.tournament:DaifugoTournament",
    "tricks_table": "engines.tricks.table:TricksTable",
    "tricks_theorems": "engines.tricks.theorems:TricksTheorems",
}

#: command that an engine adds to ``yamafuda`` -> module with ``register(app: typer.Typer) -> None``. The
#: module is imported for this command and for ``--help`` only; slow imports belong inside its functions.
COMMANDS: dict[str, str] = {
    "prob": "engines.stackgame.commands",
    "report": "engines.report",
    "daifugo-tables": "engines.daifugo.tables_report",
}

#: ``yamafuda solve GAME``, ``check GAME`` and ``advise GAME``: game -> module, as in COMMANDS; ``register`` adds a
#: command with the game's name.
GAME_COMMANDS: dict[str, dict[str, str]] = {
    "solve": {
        "superpuzz": "engines.superpuzz.solve",
        "klondike": "engines.klondike.solve",
        "daifugo": "engines.daifugo.solve",
        "calculation": "engines.calculation.solve",
        "tricks": "engines.tricks.solve",
    },
    "check": {
        "superpuzz": "engines.superpuzz.check",
        "klondike": "engines.klondike.check",
        "daifugo": "engines.daifugo.check",
        "calculation": "engines.calculation.check",
    },
    "advise": {
        "calculation": "engines.calculation.advise",
    },
}

SCHEMA_VERSION = 1
"""Version of what a run's files say (common columns, records, plan); part of the run id."""


@dataclass
class Limits:
    """What a unit may use. Limits never change a result: what hits one is ``undecided``, or fails by name."""

    #: Limits that a command may lower while an attempt goes on: they suit the machine and decide no item.
    indecisive: ClassVar[tuple[str, ...]] = ("memory_bytes", "retries_count")

    memory_bytes: int = 2 << 30
    """Memory that a unit reserves on its node and keeps to, in bytes."""
    retries_count: int = 2
    """How often a failed unit is tried again before it is recorded as failed."""

    def check(self) -> None:
        """Raise UserError naming the field when a value is out of range."""
        for name, least in (("memory_bytes", 1024), ("retries_count", 0)):
            if getattr(self, name) < least:
                raise UserError(f"job.limits.{name}", f"must be at least {least}; got {getattr(self, name)}")


@dataclass
class Job:
    """Base of all job dataclasses. Subclasses add the fields of ``conf/job/NAME.yaml``."""

    name: str = ""
    """The job's name, a key of ENGINES; set by ``conf/job/NAME.yaml``."""
    limits: Limits = field(default_factory=Limits)

    def check(self) -> None:
        """Raise UserError naming the field when a value is out of range. Called before any work."""


@dataclass(frozen=True)
class Unit:
    """One piece of work of a run. ``name`` is unique in the run and safe in file names."""

    name: str
    kind: str
    """``sweep``, or a phase of ``Table.phases`` (keyed tables: start, step, expand, merge, evaluate)."""
    first: int
    """Sweep: first item. Table: the layer."""
    last: int
    """Sweep: one past the last item. Table: the shard."""


@dataclass(frozen=True)
class LayerPlan:
    """One layer of a table. Layers are numbered by the game (for stack games: cards left)."""

    layer: int
    shards_count: int
    key_bits: int
    """Width of a key in bits; shard s holds the keys in [s, s+1) * 2**key_bits / shards_count."""


@dataclass
class UnitContext:
    """What a unit gets from the pipeline: where files are, and how to tell that it goes on."""

    run_dir: Path
    scratch_dir: Path
    run_id: str
    attempt: int
    progress: Callable[[int], None]
    """To be called now and then with the number of items or states done since the last call."""
    tables_dir: Path | None = None
    """Where table runs are, one folder each, named by run id; for engines that read a finished table."""


def job_words(job: Job) -> str:
    """What ``yamafuda run`` is told to make this job."""
    words = [
        f"job.{each.name}={getattr(job, each.name)}"
        for each in dataclasses.fields(job)
        if each.name not in ("name", "limits") and getattr(job, each.name) != each.default
    ]
    return " ".join([f"job={job.name}", *words])


@dataclass(frozen=True)
class Estimate:
    """What a whole run is expected to need, for ``--dry-run`` and for the checks before work starts."""

    items_count: int
    """Items of a sweep or states of a table."""
    disk_bytes: int
    """Largest size of the run's folder while it is being computed."""
    core_s: float
    """Work in seconds of one core."""


class Engine(ABC):
    """What sweeps and tables share."""

    version: ClassVar[int]
    """Raised by hand whenever results can change; part of the run id."""
    job_type: ClassVar[type[Job]]

    def __init__(self, job: Any) -> None:
        self.job = job

    @abstractmethod
    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """Figures of the finished run for summary.json, computed from its files alone.

        Not asked of a sweep of which no unit could be done.
        """

    def needs(self) -> list[Job]:
        """Jobs of the tables that the job reads: those that are not finished are built before it."""
        return []

    def prepare(self, ctx: UnitContext) -> None:  # noqa: B027 (most engines read nothing)
        """Check that what the job reads (a table, a file) is there before any unit starts; else UserError."""

    def estimate(self) -> Estimate | None:
        """What the run needs, from the job alone; None when the engine cannot tell."""
        return None

    def verify(self, ctx: UnitContext, sample_count: int) -> list[str]:
        """Check the finished run beyond sizes and digests: order, counts, a sample of values computed anew.

        One line for each problem, naming the file; no exception for damaged data.
        """
        return []

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        """Write the finished run as Parquet files into ``out_dir`` (exists, empty); the files written."""
        raise UserError(self.job.name, "there is nothing to export: the run's data/ is Parquet already")


class Sweep(Engine):
    """Independent items, one row each."""

    @abstractmethod
    def columns(self) -> pa.Schema:
        """The engine's own columns; the pipeline puts the common ones before them."""

    @abstractmethod
    def items_count(self) -> int:
        """Number of items of the job."""

    @abstractmethod
    def unit_items_count(self) -> int:
        """Items a unit (5 to 60 s of work); follows from the job alone."""

    @abstractmethod
    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Compute the items ``indices`` (ascending); one row each in the same order.

        Columns: ``outcome`` (won, lost, undecided, or null for what is never won or lost), ``elapsed_s`` and the
        engine's own ``columns``.
        """


class Table(Engine):
    """States by layers, keyed and sharded by key range."""

    @abstractmethod
    def layers(self) -> list[LayerPlan]:
        """All layers in the order of enumeration, start first. Follows from the job alone."""

    @abstractmethod
    def value_type(self) -> str:
        """How values are stored: ``float32``, ``float64`` or ``uint8``."""

    def file_parameters(self) -> dict[str, Any]:
        """What else decides the bytes of the files (block size, format version); written into plan.json."""
        return {}

    @abstractmethod
    def units(self, kind: str, layer: LayerPlan) -> list[Unit]:
        """The units of a phase of a layer."""

    def is_small(self, unit: Unit) -> bool:
        """True for a unit that takes less time and memory than is worth sending to another process."""
        return False

    @abstractmethod
    def run(self, unit: Unit, ctx: UnitContext) -> dict[str, Any]:
        """Do a unit and publish its file (atomically, first writer wins); figures for its record.

        Figures are JSON values. ``states_count`` counts the states that got their value here; ``size_bytes``
        and ``sha256`` of the file spare the pipeline reading it again. Those of the last phase of a layer
        become the layer's rows in the run's Parquet dataset: numbers, texts, and lists of numbers.
        """

    def figures(self, unit: Unit, ctx: UnitContext) -> dict[str, Any]:
        """The figures that ``run`` returned, from the unit's file alone: a killed worker leaves no record."""
        return {}

    @abstractmethod
    def unit_path(self, unit: Unit, ctx: UnitContext) -> Path:
        """The file whose presence says that the unit is done."""

    @abstractmethod
    def phases(self) -> list[tuple[str, LayerPlan]]:
        """All phases in order; every unit of a phase may start when the phase before it is done."""

    @abstractmethod
    def obsolete(self, kind: str, layer: LayerPlan, ctx: UnitContext) -> list[Path]:
        """Files that nothing needs any more once this phase is done (exchange files, keys without values)."""

    @abstractmethod
    def superseded(self, kind: str, layer: LayerPlan, ctx: UnitContext) -> bool:
        """True when a later phase's files make this one unnecessary, so that a resumed run skips it."""


def job_names() -> list[str]:
    """Names that ``job=`` takes."""
    return sorted(ENGINES)


def engine_spec(name: str) -> str:
    """``module:Class`` of the engine of a job's name; UserError when there is none."""
    if name not in ENGINES:
        raise UserError("job.name", f"no job is called {name!r}; there are: {', '.join(job_names())}")
    return ENGINES[name]


def load_engine(spec: str) -> type[Engine]:
    """Import the class that ``spec`` (``module:Class``) names."""
    module, _, attribute = spec.partition(":")
    found: type[Engine] = getattr(importlib.import_module(module), attribute)
    return found


def engine_class(name: str) -> type[Engine]:
    """Find an engine by its job's name; UserError when there is none."""
    return load_engine(engine_spec(name))


def job_from_values(job_type: type[Job], values: Mapping[str, Any]) -> Job:
    """Build a job's dataclass from plain values (as in plan.json; ``limits`` may be missing) and check it."""
    limits_type = next(f.default_factory for f in dataclasses.fields(job_type) if f.name == "limits")
    data = dict(values)
    data["limits"] = limits_type(**dict(data.get("limits", {})))  # type: ignore[operator]
    job = job_type(**data)
    job.limits.check()
    job.check()
    return job


def job_from_mapping(name: str, values: Mapping[str, Any]) -> Job:
    """Build the dataclass of the job ``name`` from plain values and check it."""
    return job_from_values(engine_class(name).job_type, values)


def job_identity(job: Job) -> dict[str, Any]:
    """What a job's results depend on: its values without ``limits`` and ``output``."""
    return {key: value for key, value in dataclasses.asdict(job).items() if key not in ("limits", "output")}


def run_id(job: Job, engine_version: int) -> str:
    """Name of the run that computes ``job``: 16 hexadecimal digits, the same on every machine and cluster."""
    identity = {"job": job_identity(job), "engine_version": engine_version, "schema_version": SCHEMA_VERSION}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
