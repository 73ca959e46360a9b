"""What a run would do and need, in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from toy_helpers import Yamafuda, compose

from engines.text.words import size
from pipeline.dry_run import dry_run, dry_run_lines
from pipeline.progress import Progress
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner


def lines_of(*words: str) -> list[str]:
    config = compose(*words)
    return list(dry_run_lines(dry_run(config), config))


def test_a_new_run_in_words(workspace: Path) -> None:
    words = ("job=toy_sweep", "job.sleep_s=30", "cluster=local", "cluster.cpus=2")
    head, *lines = lines_of(*words)
    name = head.removesuffix(": new")
    assert name.startswith("toy_sweep-sleep_s30.0-")
    assert lines == [
        "  work    20 items in 4 units",
        "  time    about 10 min of one core, 5 min on 2",
        f"  disk    about {size(dry_run(compose(*words))['disk_bytes'])}",
        "  memory  up to 67.1 MB for each unit",
        f"  folder  {workspace / 'results' / 'toy_sweep' / name}",
    ]
    assert not list(workspace.glob("results/*"))


def test_what_cannot_be_told_is_unknown() -> None:
    lines = lines_of("job=toy_table")
    assert lines[1:4] == ["  work    24 units", "  time    unknown", "  disk    unknown"]


def test_a_run_that_has_begun_and_one_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    config = compose("job=toy_sweep")
    ended, count = Progress.ended, 0

    def stop(self: Progress, *values: object) -> None:
        nonlocal count
        ended(self, *values)  # type: ignore[arg-type]
        count += 1
        if count == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "ended", stop)
    with pytest.raises(KeyboardInterrupt):
        run_job(config, SerialRunner())
    monkeypatch.setattr(Progress, "ended", ended)
    assert lines_of("job=toy_sweep")[0].endswith(": interrupted, 3 of 4 units are done")
    run_job(config, SerialRunner())
    assert lines_of("job=toy_sweep")[0].endswith(": done")


def test_a_run_that_was_begun_with_other_units_has_those() -> None:
    run_job(compose("job=toy_sweep"), SerialRunner())
    config = compose("job=toy_sweep")
    (plan,) = Path("results").rglob("plan.json")
    plan.write_text(json.dumps(json.loads(plan.read_text()) | {"unit_items_count": 2, "units_count": 10}))
    assert dry_run(config)["units_count"] == 10


def test_a_series_is_a_block_a_run(yamafuda: Yamafuda) -> None:
    words = ("run", "-m", "job=toy_sweep", "job.seed=1,2", "--dry-run")
    told = yamafuda(*words)
    assert (told.returncode, told.stderr) == (0, "")
    assert [line.startswith("  ") for line in told.stdout.splitlines()] == 2 * [False, *5 * [True]]
    facts = [json.loads(line) for line in yamafuda(*words, "--json").stdout.splitlines()]
    job = "yamafuda run job=toy_sweep"
    assert [each["command"] for each in facts] == [job, f"{job} job.seed=2"]
    assert [each["whole"] for each in facts] == [
        {key: each[key] for key in ("core_s", "disk_bytes")} for each in facts
    ]
