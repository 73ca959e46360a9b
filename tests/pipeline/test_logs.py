"""What the driver and the workers of a run say: kept, with run, unit and try, and shown by ``yamafuda logs``."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from toy_helpers import Yamafuda, compose

from pipeline.logs import run_log
from pipeline.logs.lines import TEXT_CHARACTERS, LogLine, lines_of
from pipeline.logs.run_log import RunLog, read_log
from pipeline.logs.unit_log import KEPT_CHARACTERS, keeping_log
from pipeline.run import DONE, run_job
from pipeline.runners.base import Runner
from storage.layout import RunLayout
from storage.place import place_at

pytestmark = pytest.mark.ray

Faults = Callable[..., str]


def texts(layout: RunLayout, unit: str | None = None) -> list[str]:
    return [line.text for line in read_log(layout, unit)]


def test_what_a_try_said_that_failed(runner: Runner, faults: Faults) -> None:
    status, run = run_job(compose("job=toy_sweep", faults(raise_7=2)), runner)
    assert status == DONE
    found = list(read_log(RunLayout(run), "000001"))
    assert {line.run for line in found} == {run.name}
    assert [line.tried for line in found] == [1, 1, 1, 2, 2, 2]
    for begun, trace, told in (found[:3], found[3:]):
        assert (begun.text, begun.level) == ("begins", "INFO")
        assert "Traceback" in trace.text
        assert trace.text.rstrip().endswith("on purpose")
        assert told.text == "failed (ValueError: 7 is broken on purpose) and is tried again"
    # Other units went well and had nothing to say; the driver had.
    rest = [line for line in read_log(RunLayout(run)) if line.unit != "000001"]
    assert {line.unit for line in rest} == {""}
    assert rest[0].text.startswith("a driver begins attempt 1: job=toy_sweep")
    assert rest[-1].text == "the driver ends with status 0"


def test_a_unit_that_warns(runner: Runner, faults: Faults) -> None:
    status, run = run_job(compose("job=toy_sweep", faults(warn_7=1)), runner)
    assert status == DONE
    found = list(read_log(RunLayout(run), "000001"))
    # What is printed in the driver's own process is the driver's.
    printed = ["printed of 7"] if runner.cores > 1 else []
    assert [line.text for line in found[:-1]] == ["begins", "7 is odd", *printed]
    assert found[-1].text.startswith("done in ")
    assert [line.level for line in found if line.is_warning] == ["WARNING"]


def test_a_worker_that_dies_is_told_by_the_driver(ray_runner: Runner, faults: Faults) -> None:
    _, run = run_job(compose("job=toy_sweep", faults(crash_7=1)), ray_runner)
    (told,) = read_log(RunLayout(run), "000001")
    assert (told.tried, told.level) == (1, "WARNING")
    assert "SIGSEGV" in told.text


def test_drivers_and_attempts_follow_one_another(runner: Runner, faults: Faults) -> None:
    words = ["job=toy_sweep", faults(raise_7=3)]
    _, run = run_job(compose(*words), runner)
    assert texts(RunLayout(run), "000001")[-1] == "failed for good (ValueError: 7 is broken on purpose)"
    run_job(compose(*words), runner)
    faults(warn_7=1)
    run_job(compose(*words, "job.limits.steps_count=99"), runner)
    begun = [text for text in texts(RunLayout(run)) if text.startswith("a driver begins")]
    assert [text.split()[4] for text in begun] == ["1:", "1:", "2:"]
    assert len(list((run / "logs").iterdir())) == 3


def test_the_command(yamafuda: Yamafuda, faults: Faults) -> None:
    run = Path(yamafuda("run", "job=toy_sweep", faults(raise_7=1)).stdout.splitlines()[-1])
    shown = yamafuda("logs", run.name)
    assert (shown.returncode, shown.stderr) == (0, "")
    of_unit = [line for line in shown.stdout.splitlines() if f" run={run.name} unit=000001 try=1 " in line]
    # Each line of a traceback tells what it is of, so that tools that know only lines can look for a unit.
    assert len([line for line in of_unit if " ERROR " in line]) > 3
    assert yamafuda("logs", run.name, "000001").stdout.splitlines() == of_unit
    lines = [json.loads(line) for line in yamafuda("logs", run.name, "000001", "--json").stdout.splitlines()]
    assert {(line["run"], line["unit"], line["tried"]) for line in lines} == {(run.name, "000001", 1)}
    silent = yamafuda("logs", run.name, "000002")
    assert (silent.returncode, silent.stdout, silent.stderr.count("\n")) == (0, "", 1)
    assert "nothing is kept of unit 000002" in silent.stderr
    unknown = yamafuda("logs", "nonsense")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)


def test_what_is_kept_of_a_try_is_bounded() -> None:
    with keeping_log("run", "000001", 1, is_apart=False) as log:
        for number in range(100):
            logging.getLogger("engines").warning("%d %s", number, "x" * 2 * TEXT_CHARACTERS)
        # Arguments that do not go with the message.
        log.handle(logging.makeLogRecord({"msg": "last %d %d", "args": (1,)}))
    kept = log.lines(failed=False)
    assert sum(len(line.text) for line in kept) <= KEPT_CHARACTERS
    assert kept[-1].text == "last %d %d (1,)"
    # Nothing is heard after the block.
    logging.getLogger("engines").warning("later")
    assert log.lines(failed=True) == kept


def test_what_is_kept_of_a_run_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_log, "FILE_BYTES", 1000)
    monkeypatch.setattr(run_log, "FILES_COUNT", 4)
    layout = RunLayout(tmp_path)
    with RunLog(layout, "") as log:
        for number in range(100):
            log.say(f"line {number}")
    files = list(layout.logs.iterdir())
    assert len(files) == 4
    assert all(path.stat().st_size <= 1000 for path in files)
    found = texts(layout)
    assert found == [f"line {number}" for number in range(100 - len(found), 100)]
    with RunLog(layout, "") as log:
        log.say("more")
    assert texts(layout)[-2:] == ["line 99", "more"]


def test_it_can_be_read_while_a_driver_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_log, "WRITE_S", 0.05)
    layout = RunLayout(tmp_path)
    with RunLog(layout, "") as log:
        for count in (1, 2):
            log.say("now")
            deadline_s = time.monotonic() + 10
            while len(texts(layout)) < count:
                assert time.monotonic() < deadline_s
                time.sleep(0.01)


def test_a_log_in_a_bucket(bucket: str) -> None:
    layout = RunLayout(place_at(f"{bucket}/results/run"))
    for text in ("one", "two"):
        with RunLog(layout, "begins") as log:
            log.say(text)
    assert texts(layout) == ["begins", "one", "begins", "two"]
    assert sorted(path.name for path in layout.logs.iterdir()) == ["000001.jsonl", "000002.jsonl"]


def test_damaged_lines_are_passed_over() -> None:
    line = LogLine("run", "said", unit="000001", tried=2, time_s=0.5, host="there", pid=7)
    data = b'\xff\n{"text": 5}\n{"run": "", "text": 5}\n[]\n' + line.as_json().encode() + b"\n{"
    assert list(lines_of(data)) == [line]
    assert line.as_text() == ("1970-01-01T00:00:00.500Z INFO run=run unit=000001 try=2 host=there pid=7 said")
    assert replace(line, unit="", text="").as_text().endswith(" run=run host=there pid=7 ")
