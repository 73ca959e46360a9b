"""Kills a driver (-9) before and after each step that touches the disk, and goes on with the run each time.

python crash_points.py JOB STRIDE [URL/]: prints one JSON line for each point.

Run as a program of its own, for it forks.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import pathlib
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from toy_helpers import compose  # noqa: E402

from pipeline import lease, pace, progress  # noqa: E402
from pipeline.config import Config, Paths  # noqa: E402
from pipeline.contracts import compaction  # noqa: E402
from pipeline.journal import read_history  # noqa: E402
from pipeline.logs import run_log  # noqa: E402
from pipeline.run import run_job  # noqa: E402
from pipeline.runners.serial import SerialRunner  # noqa: E402
from storage.layout import RunLayout, run_folders  # noqa: E402
from storage.manifest import verify_manifest  # noqa: E402
from storage.place import ObjectPath, Place, listed, place_at  # noqa: E402
from storage.record import sha256_file  # noqa: E402
from storage.stores.objects import ObjectStore  # noqa: E402

WORDS = {
    "toy_table": ["job=toy_table", "job.layers=2", "job.shards=1"],
    "toy_sweep": ["job=toy_sweep", "job.items=2", "job.unit_items=1"],
    "toy_hands": ["job=toy_hands", "job.items=4", "job.unit_items=2"],
    "toy_blocks": ["job=toy_sweep", "job.items=7", "job.unit_items=1"],
}
# Imported once, not in each fork.
for module in ("storage.dataset", "storage.rowdigest", "toy"):
    importlib.import_module(module)
# A run takes the same steps on a machine that is slow.
progress.LOOK_S = progress.WRITE_S = run_log.WRITE_S = pace.CREDIT_S = lease.RENEW_S = 3600.0
STEPS: list[tuple[Any, str]] = [
    (os, "fsync"),
    (os, "link"),
    (pathlib.Path, "replace"),
    (pathlib.Path, "unlink"),
    (ObjectStore, "put_tagged"),
    (ObjectStore, "replace_tagged"),
    (ObjectStore, "remove"),
]


class Counter:
    """Counts the steps of a process, and kills it at one."""

    def __init__(self, fatal: int | None, after: bool) -> None:
        self.count, self.fatal, self.after = 0, fatal, after

    def watch(self, owner: Any, name: str) -> None:
        step: Callable[..., Any] = getattr(owner, name)

        def counted(*args: Any, **options: Any) -> Any:
            self.count += 1
            fatal = self.count == self.fatal
            if fatal and not self.after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = step(*args, **options)
            if fatal:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        setattr(owner, name, counted)


def in_child(config: Config, fatal: int | None = None, after: bool = False) -> tuple[int, int]:
    """Run a job in a fork; (wait status, steps counted when it came to its end)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        counter = Counter(fatal, after)
        for owner, name in STEPS:
            counter.watch(owner, name)
        status, _ = run_job(config, SerialRunner())
        os.write(writer, str(counter.count).encode())
        os._exit(status)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    count = os.read(reader, 20)
    os.close(reader)
    return status, int(count or b"0")


def the_run(root: str) -> Place:
    """The folder of the only run below a root."""
    (run,) = run_folders([place_at(root)])
    return run.resolve()


def content(run: Place) -> dict[str, str]:
    """Digests of the files that must be the same: shards, and the rows of sweeps."""
    layout = RunLayout(run)
    files = [*listed(layout.shards), *listed(layout.data, "part-0*")]
    return {path.name: sha256_file(path) for path in files}


def looked_at(root: str) -> dict[str, Any]:
    """What is to be told of the run below ``root``.

    By a process of its own: none that forks may have used an object store.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, json.dumps(_look(the_run(root))).encode())
        os._exit(0)
    os.close(writer)
    found: dict[str, Any] = json.loads(b"".join(iter(lambda: os.read(reader, 1 << 16), b"")))
    os.close(reader)
    os.waitpid(child, 0)
    return found


def _look(run: Place) -> dict[str, Any]:
    layout = RunLayout(run)
    return {
        "content": content(run),
        "digest": str(json.loads(layout.summary.read_text()).get("content_digest")),
        "parts": len(listed(layout.data)),
        "problems": list(verify_manifest(run)),
        "computed_twice": read_history(run).computed_twice_count,
        "leftovers": [path.name for path in run.rglob("*") if path.suffix == ".tmp"]
        + [path.name for path in (layout.lock, layout.work) if isinstance(run, ObjectPath) and path.exists()],
        "summary": layout.summary.is_file(),
    }


def main(job: str, stride: int, above: str = "") -> None:
    """``above``: what comes before the roots, the URL of a bucket or nothing."""
    base = compose(*WORDS[job])
    if job == "toy_blocks":
        # Two blocks of four units, and then one of all.
        compaction.LEAST_UNITS_COUNT = 4
        compaction.MERGED_LEVELS = 1

    def below(root: str) -> Config:
        return dataclasses.replace(base, paths=Paths(above + root, above + root, f"{root}/scratch"))

    status, steps_count = in_child(below("undisturbed"))
    assert (status, steps_count > 20) == (0, True), (status, steps_count)
    expected = looked_at(above + "undisturbed")
    for point in range(2, 2 * steps_count + 2, stride):
        root = f"run-{point}"
        killed, _ = in_child(below(root), point // 2, after=bool(point % 2))
        status, _ = in_child(below(root))
        found = looked_at(above + root)
        report = {
            "point": point,
            "killed": os.WIFSIGNALED(killed),
            "status": status,
            "same": found.pop("content") == expected["content"],
            "rows": found.pop("digest") == expected["digest"],
            **found,
        }
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), "".join(sys.argv[3:]))
