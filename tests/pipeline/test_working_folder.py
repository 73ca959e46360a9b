"""A working folder with packages of the names of ours: the driver and its workers import our own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from clusters import Head
from patience import PATIENCE_S
from toy_helpers import Yamafuda, summary

pytestmark = pytest.mark.ray

NAMES = ("pipeline", "engines", "storage", "conf", "yamafuda")


@pytest.fixture(autouse=True)
def others(workspace: Path) -> None:
    """Packages, one of them with modules below it, that end whoever imports them."""
    for name in NAMES:
        (workspace / name).mkdir()
        (workspace / name / "__init__.py").write_text(
            "raise SystemExit('imported from the working folder')\n"
        )
    (workspace / "conf" / "job").mkdir()
    (workspace / "conf" / "job" / "toy_sweep.yaml").write_text("items: 1\n")
    (workspace / "ray.py").write_text("raise SystemExit('imported from the working folder')\n")


def check(yamafuda: Yamafuda, *where: str) -> None:
    done = yamafuda("run", "job=toy_sweep", *where)
    assert done.returncode == 0, done.stderr
    run = Path(done.stdout.splitlines()[-1])
    assert summary(run)["outcomes"] == {"lost": 9, "undecided": 4, "won": 7}
    assert summary(run)["units_failed_count"] == 0


def test_in_process_and_on_this_machine(yamafuda: Yamafuda) -> None:
    check(yamafuda, "cluster=serial", "paths.results=serial")
    check(yamafuda, "cluster=local", "paths.results=local")


def test_on_a_cluster(cluster: Head, yamafuda: Yamafuda) -> None:
    check(yamafuda, *cluster.words)


def test_the_installed_command_and_python_m(workspace: Path) -> None:
    installed = Path(sys.executable).parent / "yamafuda"
    # Python itself puts the working folder first for -m: without a pipeline of its own it has ours.
    (workspace / "pipeline" / "__init__.py").unlink()
    (workspace / "pipeline").rmdir()
    for program in ([str(installed)], [sys.executable, "-m", "pipeline"]):
        words = [*program, "run", "job=tricks_table", "job.cards=2", f"paths.results={len(program)}"]
        done = subprocess.run([*words, "cluster=local"], capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0, done.stderr
        assert summary(Path(done.stdout.splitlines()[-1]))["units_failed_count"] == 0
