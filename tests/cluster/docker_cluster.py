"""``make check-docker``: the image is built and the compose file started; runs there end as those of one process.

Without a registry of images, tests/cluster/base_images.sh makes those that the image is built from.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from containers import Engine

RUNS = (
    ["job=stackgame_table", "job.cards=8"],
    ["job=klondike_sweep", "job.deals=200"],
)
WORKERS = 2
PATIENCE_S = 600.0
YAMAFUDA = Path(sys.executable).with_name("yamafuda")


def digest(summary: str) -> str:
    """Of a run's content, whatever computed it."""
    read: dict[str, Any] = json.loads(summary)
    return str(read.get("content_digest") or read["files_digest"])


def serial(words: list[str], folder: Path) -> str:
    """The digest of a run in one process here."""
    command = [str(YAMAFUDA), "run", *words, "cluster=serial", f"paths.results={folder}"]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return digest(Path(run, "summary.json").read_text())


def wait_until_all_are_healthy(engine: Engine) -> None:
    """Head and workers, by the check of the image; and Ray counts the workers' processors."""
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        nodes = [*engine.containers("head"), *engine.containers("worker")]
        is_healthy = len(nodes) == 1 + WORKERS and all(engine.is_healthy(each) for each in nodes)
        if is_healthy and f"/{WORKERS}.0 CPU" in engine.on("head", "ray", "status"):
            return
        time.sleep(1)
    raise SystemExit(f"after {PATIENCE_S:.0f} s not all nodes are healthy")


def check(engine: Engine, folder: Path) -> None:
    """Build, start, run, compare."""
    begun_s = time.monotonic()

    def tell(what: str) -> None:
        print(f"{time.monotonic() - begun_s:6.0f} s  {what}", flush=True)

    engine.compose("build")
    tell("image built")
    engine.compose("up", "--detach", "--scale", f"worker={WORKERS}")
    wait_until_all_are_healthy(engine)
    tell(f"a head and {WORKERS} workers are healthy; {engine.on('head', 'yamafuda', '--version').strip()}")
    assert engine.on("worker", "id", "--user").strip() != "0"
    for words in RUNS:
        place = ["cluster=address", "cluster.address=auto"]
        run = engine.on("head", "yamafuda", "run", *words, *place).strip()
        found = digest(engine.on("head", "cat", f"{run}/summary.json"))
        if found != serial(words, folder):
            raise SystemExit(f"{' '.join(words)}: another digest than that of one process")
        tell(f"{' '.join(words)}: {found[:16]}, as in one process")


def main() -> None:
    """Check, and take down what was started."""
    settings = {
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "YAMAFUDA_IMAGE": "localhost/yamafuda:check",
        "DASHBOARD_PORT": "18265",
    }
    with tempfile.TemporaryDirectory() as name:
        engine = Engine("yamafuda-check", Path(name), settings)
        try:
            check(engine, Path(name))
        finally:
            engine.down()
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main()
