"""What a run shows of itself while it works."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.progress import Progress as RichProgress

from pipeline import progress
from pipeline.progress import BarProgress, LineProgress, duration


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
    monkeypatch.setattr(progress.time, "monotonic", clock)
    return clock


def test_what_was_done_before_is_no_part_of_the_rate(clock: Clock) -> None:
    stream = io.StringIO()
    shown = LineProgress("job", stream)
    shown.begin(1000)
    shown.phase("sweep")
    shown.found(600)
    clock.now_s += 100
    shown.advance(200)
    assert stream.getvalue() == "job: sweep: 800 of 1000, 2/s, 100 s left\n"


def test_there_is_a_line_a_minute(clock: Clock) -> None:
    stream = io.StringIO()
    shown = LineProgress("job", stream)
    shown.begin(1000)
    for _ in range(20):
        clock.now_s += 10
        shown.inside(3)
    assert stream.getvalue().splitlines() == [
        f"job: : 0 of 1000 (+{done} inside the unit), 0/s, unknown time left" for done in (18, 36, 54)
    ]


def test_a_bar_begins_where_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = BarProgress("job")
    with RichProgress(console=Console(file=io.StringIO())) as bar:
        monkeypatch.setattr(shown, "_bar", bar)
        shown.begin(1000)
        shown.found(600)
        assert (bar.tasks[0].completed, bar.tasks[0].speed) == (600, None)
        shown.advance(100)
        assert bar.tasks[0].completed == 700


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.5, "0.5 s"), (90, "90 s"), (150, "2.5 min"), (7200, "2 h"), (180_000, "2.1 d")]
)
def test_durations_in_the_largest_unit_that_fits(seconds: float, text: str) -> None:
    assert duration(seconds) == text
