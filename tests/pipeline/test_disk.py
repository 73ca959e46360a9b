"""A real full disk: a small tmpfs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from toy_helpers import Yamafuda

from engines.contract.job import Estimate
from pipeline.checks import check_disk
from storage.errors import DiskFullError
from storage.layout import RunLayout, run_folders

pytestmark = pytest.mark.ray

SIZE_BYTES = 1 << 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE_BYTES}", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
    )
    if mounted.returncode:
        if os.environ.get("CI") == "true":
            pytest.fail(f"a tmpfs cannot be mounted: {mounted.stderr}")
        pytest.skip("mounting a tmpfs needs root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize(
    ("job", "cluster"), [("toy_hands", "serial"), ("toy_table", "serial"), ("toy_table", "local")]
)
def test_a_full_disk_is_said_and_the_run_goes_on_later(
    small_disk: Path, yamafuda: Yamafuda, job: str, cluster: str
) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(SIZE_BYTES - (120 << 10)))
    size = {"toy_hands": "job.items=200", "toy_table": "job.layers=12"}[job]
    words = ["run", f"job={job}", size, f"paths.results={small_disk / 'r'}"]
    full = yamafuda(*words, f"cluster={cluster}")
    assert full.returncode == 2, full.stderr
    (line,) = (line for line in full.stderr.splitlines() if not line.startswith(f"{job}: "))
    assert "no room left" in line
    (run,) = run_folders([small_disk / "r"])
    done = {path.name for path in [*run.glob("data/*"), *run.glob("work/*/*")]}
    assert done
    ballast.unlink()
    again = yamafuda(*words)
    assert again.returncode == 0, again.stderr
    assert again.stdout.splitlines()[-1] == str(run)


def test_what_is_written_needs_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "part").write_bytes(bytes(600))
    monkeypatch.setattr("pipeline.checks.free_bytes", lambda folder: 500)
    for disk_bytes in (1100, 1101):
        engine: Any = SimpleNamespace(estimate=lambda need=disk_bytes: Estimate(1, need, 1.0))
        with pytest.raises(DiskFullError, match="501 bytes more") if disk_bytes > 1100 else nullcontext():
            check_disk(engine, RunLayout(run))


def test_no_driver_starts_on_a_full_disk(small_disk: Path, yamafuda: Yamafuda) -> None:
    (small_disk / "ballast").write_bytes(bytes(SIZE_BYTES - (24 << 10)))
    full = yamafuda("run", "job=toy_sweep", f"paths.results={small_disk / 'r'}")
    assert full.returncode == 2
    assert "make room" in full.stderr
