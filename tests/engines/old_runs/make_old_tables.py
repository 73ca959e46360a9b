"""Makes the tables of this folder, whose rows have the types of that time: python make_old_tables.py.

They are those of commit 84ea7f7, by whose code this has to run, without their shards.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import tempfile
from pathlib import Path

import engines.tricks.report
from engines.contract.game import Roots
from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner

HERE = Path(__file__).parent / "tables"


def make(*words: str) -> None:
    """Run a job; keep what is read of it without its shards."""
    with composing(None) as composer:
        config = composer.compose(list(words))
    status, run = run_job(config, SerialRunner())
    assert status == 0
    target = HERE / run.name
    shutil.copytree(run / "data", target / "data")
    for file in ("plan.json", "manifest.json", "summary.json"):
        shutil.copy(run / file, target)


if __name__ == "__main__":
    socket.gethostname = lambda: "host"
    shutil.rmtree(HERE, ignore_errors=True)
    os.chdir(tempfile.mkdtemp())
    make("job=stackgame_table", "job.cards=2")
    make("job=tricks_table", "job.cards=2")
    with (HERE / "report.jsonl").open("w") as file, contextlib.redirect_stdout(file):
        engines.tricks.report.report(Roots(HERE, HERE), True)
