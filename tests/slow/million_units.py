"""A run of a million units of which the last are missing: what ``status``, ``query`` and going on with it take.

    python tests/slow/million_units.py [UNITS [MISSING]]

The run is made as a driver that was killed leaves it: blocks of 1,024 units, the last finished units each with a part
of its own, their records, and the journal. What is missing is then done by ``simulated_cluster.py``.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from simulated_cluster import FakeParts, configured, drive, look

from engines.contract.job import ItemRange
from pipeline.contracts.units import Units
from pipeline.journal import Journal
from pipeline.plan import settle_plan
from pipeline.records import Records, make_record
from pipeline.run import PlannedRun, plan_run
from storage.stores import folder as folder_store

BLOCK_LEVEL = 5
SINGLE_UNITS = 4000
WORKERS = 1000


def make(planned: PlannedRun, missing_count: int) -> None:
    """Write the run's files."""
    layout, brief, units = planned.layout, planned.brief, Units(planned.plan)
    settle_plan(layout, planned.plan)
    layout.units.mkdir()
    parts = FakeParts(brief)
    done_count = units.count - missing_count
    with closing(Records(layout)) as records, closing(Journal(layout.run_dir)) as journal:
        journal.begin(1, brief.job["limits"])
        first = 0
        while first < done_count:
            last = units.block(first, BLOCK_LEVEL)[1]
            if last >= done_count - SINGLE_UNITS:
                last = first
            items = units.items(first, last)
            path = layout.part(units.name(first, last), 1)
            parts.write(path, *items)
            count = items[1] - items[0]
            figures = {"rows_count": count, "outcomes": {"won": count}}
            unit = ItemRange(units.name(first, last), *items)
            records.add(make_record(unit, brief.context(), path, figures) | {"elapsed_s": 10.0, "try": 1})
            for number in range(first, last + 1):
                journal.started(units.name(number, number))
            first = last + 1


def main() -> None:
    """Make a run, look at it, and go on with it."""
    units_count, missing_count = [*map(int, sys.argv[1:]), 1_000_000, 2000][:2]
    folder_store.sync_file = folder_store.sync_folder = lambda path: None  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        config = configured(folder, units_count)
        begin_s = time.perf_counter()
        make(plan_run(config), missing_count)
        print(f"made in {time.perf_counter() - begin_s:.1f} s", flush=True)
        look(folder)
        print(json.dumps(drive(config, WORKERS, None, time.perf_counter)), flush=True)
        look(folder)


if __name__ == "__main__":
    main()
