"""Two toy engines for the tests of the pipeline: numbers instead of games, and faults on request.

``faults`` names a folder. A file NAME-KEY in it, holding a number, makes the unit with item (or of name) KEY
misbehave that many times: ``raise`` fails, ``panic`` does what a panic of the native core does, ``die`` kills its
process, ``crash`` is a segmentation fault, ``full`` meets a full disk, ``hold`` sleeps for an hour, ``warn`` warns.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from engines import _native
from engines.contract.job import Job, LayerPlan, Limits, ShardUnit, UnitContext
from engines.contract.span import Span
from engines.contract.sweep import Sweep
from engines.contract.table import Table
from engines.contract.vocabulary import shared
from storage.columns import column
from storage.errors import UserError
from storage.publish import publish, staged


@dataclass
class ToyLimits(Limits):
    memory_bytes: int = 64 << 20
    steps_count: int = 10


@dataclass
class ToySweepJob(Job):
    span: ClassVar[Span | None] = Span("items", beside=("unit_items", "sleep_s", "faults"))

    items: int = 20
    unit_items: int = 5
    seed: int = 1
    sleep_s: float = 0.0
    faults: str = ""
    limits: ToyLimits = field(default_factory=ToyLimits)

    def check(self) -> None:
        if self.items < 1:
            raise UserError("job.items", f"must be at least 1; got {self.items}")


def misbehave(folder: str, key: object) -> None:
    if not folder:
        return
    for path in Path(folder).glob(f"*-{key}"):
        left = int(path.read_text())
        if left <= 0:
            continue
        # At once, since a run that ends kills who writes here.
        rest = path.with_name(f"{path.name}.rest")
        rest.write_text(str(left - 1))
        rest.replace(path)
        match path.name.partition("-")[0]:
            case "raise":
                raise ValueError(f"{key} is broken\non purpose")
            case "panic":
                _native._panic_for_tests()
            case "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "full":
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            case "hold":
                time.sleep(3600)
            case "eat":
                eaten = []
                while len(eaten) < 200:
                    eaten.append(b"x" * (64 << 20))
                    time.sleep(0.02)
            case "warn":
                logging.getLogger("toys").warning("%s is %s", key, "odd")
                print(f"printed of {key}")


def steps(seed: int, index: int) -> int:
    """How many steps an item takes; some take more than the default limit."""
    return (index * 7 + seed * 3) % 13


class ToySweep(Sweep):
    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = ToySweepJob

    def columns(self) -> pa.Schema:
        return pa.schema(
            [column("steps_count", "int64", "steps", "Steps that the item took.", nullable=True)]
        )

    def items_count(self) -> int:
        return int(self.job.items)

    def item_s(self) -> float:
        return self.job.sleep_s

    def unit_items_count(self) -> int:
        return int(self.job.unit_items)

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        outcomes, counts = [], []
        for index in indices:
            misbehave(self.job.faults, index)
            time.sleep(self.job.sleep_s)
            needed = steps(self.job.seed, index)
            limit = self.job.limits.steps_count
            outcomes.append("undecided" if needed > limit else "won" if needed % 2 else "lost")
            counts.append(min(needed, limit))
            ctx.progress(1)
        return pa.record_batch(
            {
                "outcome": pa.array(outcomes, pa.string()),
                "elapsed_s": pa.array([0.0] * len(indices), pa.float64()),
                "steps_count": pa.array(counts, pa.int64()),
            }
        )

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        return {"toys": "swept"}


class ToyHands(ToySweep):
    """Items of one to three rows, each row with a step more than the one before; ``gap`` leaves an item without any."""

    gap: ClassVar[int | None] = None

    def estimate(self) -> None:  # type: ignore[override]
        """Not foretold, so that a disk can be full in the midst of a run."""

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        items = [index for index in indices for _ in range(hands_count(index)) if index != self.gap]
        begun: dict[int, pa.RecordBatch] = {
            index: super(ToyHands, self).run([index], ctx) for index in indices
        }
        rows = pa.concat_batches([begun[index] for index in items])
        places = [items[:place].count(index) for place, index in enumerate(items)]
        limit = self.job.limits.steps_count
        needed = [steps(self.job.seed, index) + place for index, place in zip(items, places, strict=True)]
        outcomes = ["undecided" if count > limit else "won" for count in needed]
        return pa.record_batch(
            {
                "index": pa.array(items, pa.uint64()),
                "outcome": pa.array(outcomes, pa.string()),
                "elapsed_s": rows["elapsed_s"],
                "steps_count": pa.array([min(count, limit) for count in needed], pa.int64()),
            }
        )


def hands_count(index: int) -> int:
    """Rows of an item of ``ToyHands``."""
    return 1 + index % 3


@dataclass
class ToyTableJob(Job):
    layers: int = 4
    shards: int = 2
    faults: str = ""
    limits: ToyLimits = field(default_factory=ToyLimits)


TOTALS = [
    column("total", "int64", "", "Sum of what is below."),
    column("quantiles", pa.list_(pa.float64()), "", "Nothing and the sum."),
]


class ToyTable(Table):
    """Layer L has the numbers below L * shards; a value is the sum of the layer below plus the key."""

    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = ToyTableJob

    def columns(self) -> pa.Schema:
        return pa.schema(
            [
                column("layers", "int64", "layers", "Layers of the table."),
                column("shards", "int64", "shards", "Shards of a layer."),
                *TOTALS,
                *shared("states_count"),
            ]
        )

    def phase_figures(self) -> Mapping[str, Sequence[pa.Field]]:
        return {"expand": TOTALS, "merge": TOTALS, "evaluate": []}

    def layers(self) -> list[LayerPlan]:
        return [LayerPlan(layer, self.job.shards, 16) for layer in range(self.job.layers, 0, -1)]

    def value_type(self) -> str:
        return "float64"

    def units(self, kind: str, layer: LayerPlan) -> list[ShardUnit]:
        return [
            ShardUnit(f"{kind}-{layer.layer:02d}-{shard:03d}", kind, layer.layer, shard)
            for shard in range(layer.shards_count)
        ]

    def phases(self) -> list[tuple[str, LayerPlan]]:
        down = [(kind, layer) for layer in self.layers() for kind in ("expand", "merge")]
        return down + [("evaluate", layer) for layer in reversed(self.layers())]

    def unit_path(self, unit: ShardUnit, ctx: UnitContext) -> Path:
        layout = ctx.layout
        place = {"expand": layout.exchange, "merge": layout.keys, "evaluate": layout.shard}[unit.kind]
        return place(unit.layer, unit.shard)

    def run(self, unit: ShardUnit, ctx: UnitContext) -> dict[str, Any]:
        layer = next(plan for plan in self.layers() if plan.layer == unit.layer)
        misbehave(self.job.faults, unit.name)
        inputs: list[Path] = []
        if unit.kind == "merge":
            inputs = [self.unit_path(source, ctx) for source in self.units("expand", layer)]
        elif unit.kind == "evaluate":
            inputs = [self.unit_path(ShardUnit("", "merge", unit.layer, unit.shard), ctx)]
            if unit.layer > 1:
                below = next(plan for plan in self.layers() if plan.layer == unit.layer - 1)
                inputs += [self.unit_path(source, ctx) for source in self.units("evaluate", below)]
        total = sum(int(path.read_text()) for path in inputs) + unit.shard
        path = self.unit_path(unit, ctx)
        with staged(path, ctx.layout.staging) as temporary:
            temporary.write_text(f"{total}\n")
            publish(temporary, path)
        return self.figures(unit, ctx)

    def figures(self, unit: ShardUnit, ctx: UnitContext) -> dict[str, Any]:
        total = int(self.unit_path(unit, ctx).read_text())
        counts = {"states_count": 1} if unit.kind == "evaluate" else {}
        return {"total": total, "quantiles": [0.0, float(total)], **counts}

    def obsolete(self, kind: str, layer: LayerPlan, ctx: UnitContext) -> list[Path]:
        gone = {"merge": "expand", "evaluate": "merge"}.get(kind)
        return [self.unit_path(unit, ctx) for unit in self.units(gone, layer)] if gone else []

    def superseded(self, kind: str, layer: LayerPlan, ctx: UnitContext) -> bool:
        later = {"expand": ("merge", "evaluate"), "merge": ("evaluate",), "evaluate": ()}[kind]
        return any(
            all(self.unit_path(unit, ctx).exists() for unit in self.units(next_kind, layer))
            for next_kind in later
        )

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        top = self.layers()[0]
        totals = [int(self.unit_path(unit, ctx).read_text()) for unit in self.units("evaluate", top)]
        return {"states_count": self.job.layers * self.job.shards, "total": sum(totals)}

    def verify(self, ctx: UnitContext, sample_count: int) -> list[str]:
        return [f"sampled {sample_count}"] if sample_count == 13 else []

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        (out_dir / "toy.parquet").write_bytes(b"PAR1")
        return [out_dir / "toy.parquet"]
