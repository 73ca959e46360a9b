"""Makes the runs of this folder, in which an item is a row: python make_old_runs.py.

They are those of commit 47f2617, by whose code this has to run. Reports and tables must go on to read them: what was
printed of them is in ``report.jsonl``. One of the tournaments loses parts again, as if it had been interrupted.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

import engines.calculation.report
import engines.daifugo.report
import engines.tricks.report
from engines.daifugo import tournament
from pipeline import upkeep
from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner

HERE = Path(__file__).parent
PLAYERS = ("players=[rule,rule,rule,rule,mc@5]", "variants=[rand_d@5]", "rank_period=3")


def make(name: str, job: str, *words: str) -> Path:
    """Run a job; keep what reports read of it in the folder ``name``."""
    with composing(None) as composer:
        config = composer.compose([f"job={job}", *(f"job.{word}" for word in words)])
    status, run = run_job(config, SerialRunner())
    assert status == 0
    target = HERE / name / run.name
    shutil.rmtree(HERE / name, ignore_errors=True)
    shutil.copytree(run / "data", target / "data")
    for file in ("plan.json", "manifest.json", "summary.json"):
        shutil.copy(run / file, target)
    return target


def record(report: Callable[[Path, bool], bool], name: str) -> None:
    """Write down what is printed of the run ``name``."""
    with (HERE / name / "report.jsonl").open("w") as file, contextlib.redirect_stdout(file):
        report(HERE / name, True)


if __name__ == "__main__":
    socket.gethostname = lambda: "host"
    os.chdir(tempfile.mkdtemp())
    learnt = make("learnt", "daifugo_learn", "players=[rule]", "games=20", "rank_period=10")
    make("tournament", "daifugo_tournament", "games=6", *PLAYERS)
    tournament.UNIT_GAMES = 3
    begun = make("begun", "daifugo_tournament", "games=12", "seed=2", *PLAYERS)
    for part in sorted((begun / "data").iterdir())[3:]:
        part.unlink()
    for file in ("manifest.json", "summary.json"):
        (begun / file).unlink()
    shutil.rmtree(make("table", "tricks_table", "cards=2").parent)  # what the next one asks
    make("statements", "tricks_theorems", "cards=2")
    make("open", "calculation_open", "deals=12", "ranks=5", "stacks=1", "moves=true")
    shutil.rmtree(make("table", "stackgame_table", "stacks=1", "cards=4").parent)
    make("played", "calculation_sweep", "games=12", "ranks=5", "stacks=1", "keep=20", "moves=true")
    record(engines.calculation.report.report, "played")
    record(engines.daifugo.report.report, "tournament")
    record(engines.daifugo.report.report, "begun")
    record(engines.tricks.report.report_sweeps, "statements")
    (table,) = upkeep.export_run(str(learnt), Path("tables"))
    shutil.copy(table, HERE / "learnt")
