"""A million units on 1,000 workers that are simulated: what the driver takes, of time, memory, files and requests.

    python tests/slow/simulated_cluster.py [--units N] [--workers N] [--stop SHARE] [--processor-time] [FOLDER]

Driver, ledger, records, journal, compaction and store are the real ones; the units are fake, of ten simulated seconds
each, and their parts are written without waiting for the disk. The clock is the driver's own time and, whenever it
waits for a unit, the time when that ends: what a worker takes is not counted. With ``--stop 0.6`` the driver is
stopped when so much is done; ``status``, ``query`` and going on are measured on what it leaves. On a machine that is
busy with other things ``--processor-time`` counts what the driver computed, and not what it waited.
"""

from __future__ import annotations

import argparse
import gc
import heapq
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

PIPELINE_TESTS = Path(__file__).resolve().parents[1] / "pipeline"
sys.path.insert(0, str(PIPELINE_TESTS))

from toy_helpers import compose  # noqa: E402

from engines.contract.job import ItemRange, job_from_values  # noqa: E402
from engines.contract.registry import load_engine  # noqa: E402
from pipeline import pace, worker  # noqa: E402
from pipeline.config import Config  # noqa: E402
from pipeline.memory import peak_resident_bytes, reset_peak  # noqa: E402
from pipeline.records import make_record  # noqa: E402
from pipeline.run import run_job  # noqa: E402
from pipeline.runners.base import Hooks, Runner  # noqa: E402
from pipeline.tasks import Brief, Outcome, Task  # noqa: E402
from storage.chunks import ROW_GROUP_COUNT  # noqa: E402
from storage.dataset import Provenance, part_options  # noqa: E402
from storage.place import Place  # noqa: E402
from storage.stores import folder as folder_store  # noqa: E402

UNIT_S = 10.0
UNIT_ITEMS = 4
REPORT_UNITS = 20_000


@dataclass
class Clock:
    """Goes on while the driver works, stands while a worker is imitated, and jumps to when a unit ends."""

    now_s: float = 0.0
    driver_s: float = 0.0
    """What the driver has worked."""
    worker_s: float = 0.0
    """What imitating workers took."""
    count: Callable[[], float] = time.perf_counter
    """A steady clock of this machine, or what this thread has computed."""
    _since_s: float = 0.0

    def __post_init__(self) -> None:
        self._since_s = self.count()

    def monotonic(self) -> float:
        """The simulated time."""
        self._go_on()
        return self.now_s

    def jump(self, to_s: float) -> None:
        """Nothing happens before then."""
        self._go_on()
        self.now_s = max(self.now_s, to_s)

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Another one works."""
        self._go_on()
        try:
            yield
        finally:
            now_s = self.count()
            self.worker_s += now_s - self._since_s
            self._since_s = now_s

    def _go_on(self) -> None:
        now_s = self.count()
        self.now_s += now_s - self._since_s
        self.driver_s += now_s - self._since_s
        self._since_s = now_s


class FakeParts:
    """Writes rows that no engine has computed, without waiting for the disk."""

    def __init__(self, brief: Brief) -> None:
        engine_type = load_engine(brief.engine)
        engine = engine_type(job_from_values(engine_type.job_type, brief.job))
        columns: pa.Schema = engine.all_columns()  # type: ignore[attr-defined]
        provenance = Provenance(brief.run_id, engine.version, brief.job)
        self._schema = columns.with_metadata(provenance.metadata())
        self._run_id = brief.run_id
        brief.layout.data.mkdir(parents=True, exist_ok=True)

    def write(self, path: Place, first: int, last: int) -> None:
        """A part with the items from ``first`` to before ``last``."""
        count = last - first
        values = {
            "run_id": pa.repeat(self._run_id, count),
            "attempt": pa.repeat(pa.scalar(1, pa.int32()), count),
            "seed": pa.repeat(pa.scalar(1, pa.uint64()), count),
            "index": pa.array(range(first, last), pa.uint64()),
            "outcome": pa.repeat("won", count),
            "elapsed_s": pa.repeat(2.5, count),
            "host": pa.repeat("a-host-of-the-cluster", count),
            "steps_count": pa.array([index % 13 for index in range(first, last)], pa.int64()),
        }
        rows = pa.Table.from_arrays([values[name] for name in self._schema.names], schema=self._schema)
        assert isinstance(path, Path)
        pq.write_table(rows, path, row_group_size=ROW_GROUP_COUNT, **part_options(self._schema))


class SimulatedCluster(Runner):
    """So many workers; each unit takes ``UNIT_S`` give or take a fifth, and is done when it is asked for."""

    def __init__(self, workers_count: int, stop_after: int | None, clock: Clock) -> None:
        self.cores, self.window = workers_count, 3 * workers_count
        self._clock, self._stop_after = clock, stop_after
        self._free_s = [0.0] * workers_count
        self._in_flight: list[tuple[float, int, Brief, Task, int]] = []
        self._number = itertools.count()
        self._chance = random.Random(1)
        self._parts: FakeParts | None = None
        self.done_count = self.merged_count = 0
        self.first_s: float | None = None
        """When the first unit was handed out."""
        self.merged_s = 0.0

    def _submit(self, brief: Brief, task: Task, attempt: int, hooks: Hooks) -> None:
        self.first_s = self._clock.monotonic() if self.first_s is None else self.first_s
        begin_s = max(heapq.heappop(self._free_s), self._clock.monotonic())
        end_s = begin_s + UNIT_S * self._chance.uniform(0.8, 1.2)
        heapq.heappush(self._free_s, end_s)
        heapq.heappush(self._in_flight, (end_s, next(self._number), brief, task, attempt))

    def _completed(self) -> list[tuple[Task, Outcome]]:
        end_s, _, brief, task, attempt = heapq.heappop(self._in_flight)
        if self.done_count == self._stop_after:
            raise KeyboardInterrupt
        self._clock.jump(end_s)
        with self._clock.standing():
            if task.computes:
                outcome = Outcome(record=self._imitate(brief, task))
                self.done_count += 1
            else:
                begin_s = time.perf_counter()
                outcome = worker.execute(brief, task, attempt)
                self.merged_s += time.perf_counter() - begin_s
                self.merged_count += 1
            if self.done_count % REPORT_UNITS == 0 and task.computes:
                self._report()
        return [(task, outcome)]

    def _imitate(self, brief: Brief, task: Task) -> dict[str, Any]:
        """Write the part of a unit, and nothing else."""
        assert isinstance(task.unit, ItemRange)
        self._parts = self._parts or FakeParts(brief)
        path = brief.layout.part(task.unit.name, 1)
        self._parts.write(path, task.unit.first, task.unit.last)
        count = len(task.indices)
        figures = {"rows_count": count, "outcomes": {"won": count}}
        taken = {"elapsed_s": UNIT_S, "peak_bytes": 200 << 20, "try": 1, "host": "a-host", "pid": 1}
        return make_record(task.unit, brief.context(), path, figures) | taken

    def _report(self) -> None:
        clock = self._clock
        line = {
            "units": self.done_count,
            "driver_ms_a_unit": round(1000 * clock.driver_s / self.done_count, 4),
            "share": round(clock.driver_s / clock.now_s, 4),
            "resident_mb": round(resident_bytes() / 1e6, 1),
            "files": sum(1 for _ in os.scandir(self._in_flight[0][2].layout.data)) if self._in_flight else 0,
            "worker_s": round(clock.worker_s, 1),
        }
        print(json.dumps(line), flush=True)

    def give_up(self) -> None:
        """Nothing runs."""
        self._in_flight.clear()


def resident_bytes() -> int:
    """Memory of this process now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def drive(
    config: Config, workers_count: int, stop_after: int | None, count: Callable[[], float]
) -> dict[str, Any]:
    """One driver; what it took."""
    clock = Clock(count=count)
    pace.time = clock  # type: ignore[assignment]
    runner = SimulatedCluster(workers_count, stop_after, clock)
    gc.collect()
    reset_peak()
    begin_s, begin_cpu_s = time.perf_counter(), time.process_time()
    try:
        status, run = run_job(config, runner)
    except KeyboardInterrupt:
        status, run = 130, None
    clock.monotonic()
    return {
        "status": status,
        "units": runner.done_count,
        "first_unit_s": round(runner.first_s or 0.0, 2),
        "simulated_s": round(clock.now_s, 1),
        "ideal_s": round(runner.done_count * UNIT_S / workers_count, 1),
        "driver_s": round(clock.driver_s, 2),
        "driver_ms_a_unit": round(1000 * clock.driver_s / max(runner.done_count, 1), 4),
        "driver_share": round(clock.driver_s / clock.now_s, 4),
        "peak_mb": round(peak_resident_bytes() / 1e6, 1),
        "blocks_merged": runner.merged_count,
        "merging_ms_a_unit": round(1000 * runner.merged_s / max(runner.done_count, 1), 3),
        "wall_s": round(time.perf_counter() - begin_s, 1),
        "cpu_s": round(time.process_time() - begin_cpu_s, 1),
        **(_left(Path(str(run))) if run is not None else {}),
    }


def _left(run: Path) -> dict[str, Any]:
    """What a run's folder holds."""
    files = [path for path in run.rglob("*") if path.is_file()]
    sizes = {
        name: sum(path.stat().st_size for path in files if path.relative_to(run).parts[0] == name)
        for name in ("data", "units", "journal.jsonl", "manifest.json")
    }
    return {"files": len(files), "bytes": sizes}


def command(*words: str, folder: Path) -> float:
    """Seconds that a command takes."""
    begin_s = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(PIPELINE_TESTS / "toy_cli.py"), *words],
        env=os.environ | {"YAMAFUDA_RESULTS": str(folder), "YAMAFUDA_TABLES": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    print(
        f"{' '.join(words)}: {time.perf_counter() - begin_s:.1f} s: {done.stdout.splitlines()[-1]}",
        flush=True,
    )
    return time.perf_counter() - begin_s


def main() -> None:
    """Drive a run to its end, or to a stop and then to its end."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--units", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument(
        "--stop", type=float, help="share of the units after which the driver is stopped once"
    )
    parser.add_argument("--processor-time", action="store_true")
    parser.add_argument(
        "folder", nargs="?", type=Path, help="where the run is kept; a temporary folder if not given"
    )
    asked = parser.parse_args()
    count = time.thread_time if asked.processor_time else time.perf_counter
    folder_store.sync_file = folder_store.sync_folder = lambda path: None  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.folder or Path(temporary)).resolve()
        config = configured(folder, asked.units)
        if asked.stop is not None:
            print(json.dumps(drive(config, asked.workers, int(asked.units * asked.stop), count)), flush=True)
            look(folder)
        print(json.dumps(drive(config, asked.workers, None, count)), flush=True)
        look(folder)


def configured(folder: Path, units_count: int) -> Config:
    """A sweep of so many units below ``folder``."""
    return compose(
        "job=toy_sweep",
        f"job.items={units_count * UNIT_ITEMS}",
        f"job.unit_items={UNIT_ITEMS}",
        f"paths.results={folder}",
        f"paths.scratch={folder / 'scratch'}",
    )


def look(folder: Path) -> None:
    """Ask for the status, and for all rows."""
    command("status", "--all", folder=folder)
    command("query", "--partial", "SELECT count(*), sum(steps_count) FROM toy_sweep", folder=folder)


if __name__ == "__main__":
    main()
