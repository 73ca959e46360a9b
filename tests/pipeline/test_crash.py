"""A driver killed (-9) at steps that touch the disk, or ask an object store: the same command brings the same files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("job", "stride"), [("toy_table", 1), ("toy_sweep", 1), ("toy_hands", 3), ("toy_blocks", 9)]
)
def test_killed_at_every_step(job: str, stride: int) -> None:
    killed_at_steps(job, stride)


@pytest.mark.parametrize(("job", "stride"), [("toy_table", 7), ("toy_sweep", 5)])
def test_killed_at_requests_to_an_object_store(job: str, stride: int, bucket: str) -> None:
    killed_at_steps(job, stride, f"{bucket}/")


def killed_at_steps(job: str, stride: int, *above: str) -> None:
    command = [sys.executable, str(HERE / "crash_points.py"), job, str(stride), *above]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) >= 40 // stride
    for report in reports:
        assert report["killed"], report
        assert report["status"] == 0, report
        assert report["summary"], report
        assert report["problems"] == [], report
        assert report["leftovers"] == [], report
        assert report["rows"], report
        # One unit is in flight under the serial runner.
        assert report["computed_twice"] <= 1, report
        if job == "toy_table":
            assert report["same"], report
        if job == "toy_blocks":
            assert report["parts"] == 1, report
    if not above:
        assert any(report["computed_twice"] == 1 for report in reports)
