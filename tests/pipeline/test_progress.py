"""What a run shows of itself while it works."""

from __future__ import annotations

import io
import json
import re
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console
from toy_helpers import compose

from engines.contract.table import Table
from engines.text.words import duration, rate, size
from pipeline import inside, meter, progress
from pipeline.contracts import contract_named
from pipeline.display import BarDisplay, LineDisplay
from pipeline.meter import Meter, Standing
from pipeline.progress import Progress
from pipeline.records import Records
from pipeline.run import DONE, plan_run, run_job
from pipeline.runners.base import Runner
from pipeline.runners.serial import SerialRunner
from storage.layout import RunLayout

pytestmark = pytest.mark.ray


class Clock:
    """Time that the test moves."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """In the place of the machine's."""
    clock = Clock()
    monkeypatch.setattr(meter.time, "monotonic", clock)
    return clock


def standing(**values: object) -> Standing:
    """A sweep that has done 820 of 1000 items, 20 of them inside units."""
    told = {"phase": "sweep", "unit": "items", "done_count": 800, "inside_count": 20, "total_count": 1000}
    told |= {"states_count": 0, "elapsed_s": 11.0, "rate_per_s": 2.0, "left_s": 90.0}
    return Standing(**(told | values))  # type: ignore[arg-type]


# -- rate and time left ------------------------------------------------------------------------------------------


def test_what_was_done_before_is_no_part_of_the_rate(clock: Clock) -> None:
    counted = Meter("items", 1000, 1000.0)
    counted.found(600, 600.0)
    counted.begin("a")
    clock.now_s += 100
    counted.end("a", 200, 200.0)
    now = counted.standing()
    assert (now.done_count, now.rate_per_s, now.left_s) == (800, 2.0, 100.0)


def test_what_is_inside_units_counts(clock: Clock) -> None:
    counted = Meter("items", 1000, 1000.0)
    for name in ("a", "b"):
        counted.begin(name)
    clock.now_s += 10
    counted.went_on("a", 15)
    counted.went_on("a", 5)
    counted.inside("b", 30)
    counted.inside("c", 99)  # a unit that has ended
    now = counted.standing()
    assert (now.done_count, now.inside_count, now.rate_per_s, now.left_s) == (0, 50, 5.0, 190.0)
    counted.end("b", 100, 100.0)
    assert (counted.standing().done_count, counted.standing().inside_count) == (100, 20)


def test_a_unit_that_is_tried_again_begins_at_nothing(clock: Clock) -> None:
    counted = Meter("items", 1000, 1000.0)
    counted.begin("a")
    counted.went_on("a", 40)
    counted.end("a", 0, 0.0)
    counted.begin("a")
    clock.now_s += 10
    assert counted.standing().inside_count == 0
    assert counted.standing().rate_per_s is None


def test_time_that_is_waited_before_the_first_unit_is_no_part_of_the_rate(clock: Clock) -> None:
    counted = Meter("items", 100, 100.0)
    clock.now_s += 60
    counted.begin("a")
    clock.now_s += 10
    counted.end("a", 50, 50.0)
    assert counted.standing().rate_per_s == 5.0


def test_the_units_of_a_table_count_by_their_work(clock: Clock) -> None:
    counted = Meter("units", 4, 1000.0)
    counted.begin("small")
    clock.now_s += 10
    counted.end("small", 1, 100.0)
    counted.begin("large")
    counted.went_on("large", 5_000_000)
    now = counted.standing()
    assert (now.done_count, now.inside_count, now.states_count) == (1, 0, 5_000_000)
    assert now.left_s == 90.0


def test_a_rate_of_a_second_says_nothing(clock: Clock) -> None:
    counted = Meter("items", 100, 100.0)
    counted.begin("a")
    clock.now_s += 1
    counted.end("a", 50, 50.0)
    assert (counted.standing().rate_per_s, counted.standing().left_s) == (None, None)


# -- what is shown -----------------------------------------------------------------------------------------------


def test_there_is_a_line_after_ten_seconds_and_then_one_a_minute() -> None:
    stream, lines_s = io.StringIO(), []
    shown = LineDisplay("job", stream)
    for half_s in range(400):
        before = stream.tell()
        shown.show(standing(elapsed_s=half_s / 2))
        if stream.tell() > before:
            lines_s.append(half_s / 2)
    assert lines_s == [10.0, 70.0, 130.0, 190.0]
    assert set(stream.getvalue().splitlines()) == {"job: 820 of 1,000 items (82 %), 2/s, 90 s left"}


@pytest.mark.parametrize(
    ("values", "line"),
    [
        (
            {"rate_per_s": None, "left_s": None, "done_count": 0, "inside_count": 0},
            "0 of 1,000 items (0 %), time left unknown",
        ),
        (
            {"phase": "evaluate 3", "unit": "units", "inside_count": 0, "states_count": 12_345},
            "evaluate 3, 800 of 1,000 units (80 %), 12,345 states inside, 2/s, 90 s left",
        ),
        ({"rate_per_s": 0.02, "left_s": 9000}, "820 of 1,000 items (82 %), 1.2/min, 2.5 h left"),
    ],
)
def test_lines(values: dict[str, object], line: str) -> None:
    stream = io.StringIO()
    LineDisplay("job", stream).show(standing(**values))
    assert stream.getvalue() == f"job: {line}\n"


def test_a_bar_counts_what_is_inside_units(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    monkeypatch.setattr("rich.console.Console", lambda stderr: console)
    with BarDisplay("job") as shown:
        shown.show(standing())
        shown.note("a unit failed")
        assert shown._bar is not None
        shown._bar.refresh()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())
    assert "job: a unit failed" in text
    assert re.search(r"job ━+.* 820 of 1,000 items 2/s, 90 s left", text)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.5, "0.5 s"), (90, "90 s"), (150, "2.5 min"), (7200, "2 h"), (180_000, "2.1 d")]
)
def test_durations_in_the_largest_unit_that_fits(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (16_384, "16.4 kB"), (2 << 30, "2.15 GB"), (3.2e15, "3,200 TB")],
)
def test_sizes(count: float, text: str) -> None:
    assert size(count) == text


@pytest.mark.parametrize(
    ("per_s", "text"), [(1234.5, "1,234/s"), (2.5, "2.5/s"), (0.5, "30/min"), (0.01, "36/h")]
)
def test_rates(per_s: float, text: str) -> None:
    assert rate(per_s) == text


# -- runs --------------------------------------------------------------------------------------------------------


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Standing]:
    """What a display is shown, as fast as it goes."""
    shown: list[Standing] = []
    for name in ("LOOK_S", "READ_S"):
        monkeypatch.setattr(progress, name, 0.01)
    monkeypatch.setattr(inside, "TELL_S", 0.0)
    monkeypatch.setattr(meter, "RATE_AFTER_S", 0.0)
    monkeypatch.setattr(LineDisplay, "show", lambda self, now: shown.append(now))
    return shown


def test_progress_inside_units_is_told(runner: Runner, seen: list[Standing]) -> None:
    assert run_job(compose("job=toy_sweep", "job.unit_items=10", "job.sleep_s=0.15"), runner)[0] == DONE
    counts = [now.done_count + now.inside_count for now in seen]
    assert {now.unit for now in seen} == {"items"}
    assert {count for count in counts if 0 < count < 20} - {10}
    assert any(now.rate_per_s and now.left_s for now in seen)


def test_a_run_s_progress_is_written_and_goes_with_it(
    runner: Runner, seen: list[Standing], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "WRITE_S", 0.01)
    written: list[dict[str, object]] = []
    write = Progress._write

    def write_and_read(self: Progress) -> None:
        write(self)
        written.append(json.loads(self._layout.progress.read_text()))

    monkeypatch.setattr(Progress, "_write", write_and_read)
    status, run = run_job(compose("job=toy_sweep", "job.sleep_s=0.05"), runner)
    assert status == DONE
    assert not RunLayout(run).progress.exists()
    assert list(written[-1]) == [
        "time", "phase", "unit", "done_count", "inside_count", "total_count", "rate_per_s", "left_s",
    ]  # fmt: skip
    assert written[-1]["total_count"] == 20
    assert abs(time.time() - float(str(written[-1]["time"]))) < 60
    assert [float(str(each["time"])) for each in written] == sorted(
        float(str(each["time"])) for each in written
    )


def test_what_is_done_again_is_told(
    seen: list[Standing], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = compose("job=toy_sweep")
    layout = plan_run(config).layout
    inside_12 = Progress.inside

    def stop(self: Progress, name: str, count: int) -> None:
        inside_12(self, name, count)
        if self._meter.standing().done_count + self._meter.standing().inside_count == 12:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "inside", stop)
    with pytest.raises(KeyboardInterrupt):
        run_job(config, SerialRunner())
    monkeypatch.setattr(Progress, "inside", inside_12)
    left = json.loads(layout.progress.read_text())
    assert (left["done_count"], left["inside_count"], left["total_count"]) == (10, 2, 20)
    capsys.readouterr()
    assert run_job(config, SerialRunner())[0] == DONE
    assert capsys.readouterr().err == ("toy_sweep: 2 items are done again: their units were not finished\n")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"inside_count": null}', '{"inside_count": "7"}'])
def test_progress_that_cannot_be_read_says_nothing(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    config = compose("job=toy_sweep")
    layout = plan_run(config).layout
    layout.run_dir.mkdir(parents=True)
    layout.progress.write_text(text)
    assert run_job(config, SerialRunner())[0] == DONE
    assert capsys.readouterr().err == ""


def test_a_table_that_goes_on_counts_what_it_skips(seen: list[Standing]) -> None:
    config = compose("job=toy_table")
    run = plan_run(config)
    assert run_job(config, SerialRunner())[0] == DONE
    contract, engine = contract_named("table"), run.engine
    assert isinstance(engine, Table)
    phases = list(contract.phases(engine, run.plan, run.brief.context(), Records(run.layout)))
    assert sum(phase.found_count for phase in phases) == contract.progress_count(run.plan)
    assert sum(phase.found_work for phase in phases) == contract.progress_work(engine, run.plan)


def test_what_takes_long_to_begin_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "WAIT_S", 0.1)
    with Progress(RunLayout(tmp_path), LineDisplay("job", sys.stderr)) as shown:
        shown.waiting("starting Ray…")
        shown.began()
        time.sleep(2 * progress.LOOK_S)
        assert capsys.readouterr().err == ""
        shown.waiting("starting Ray…")
        time.sleep(3 * progress.LOOK_S)
        shown.began()
    assert capsys.readouterr().err == "job: starting Ray…\n"


def test_units_in_other_processes_leave_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = RunLayout(tmp_path)
    layout.staging.mkdir()
    monkeypatch.setattr(inside, "TELL_S", 0.0)
    with inside.telling(layout, "000001") as tell:
        assert inside.told(layout, ["000001"]) == {}
        tell(3)
        tell(4)
        assert inside.told(layout, ["000000", "000001"]) == {"000001": 7}
        assert [path.name for path in layout.staging.iterdir()] == ["000001.progress"]
    assert list(layout.staging.iterdir()) == []


def test_a_folder_that_is_gone_is_not_the_teller_s_to_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inside, "TELL_S", 0.0)
    with inside.telling(RunLayout(tmp_path / "gone"), "000001") as tell:
        tell(3)
