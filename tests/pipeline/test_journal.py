"""What a journal tells of its drivers."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.journal import JOURNAL_NAME, Journal, read_history
from pipeline.names import Numbers
from pipeline.run import DONE, FAILED, INTERRUPTED, USER_ERROR


@pytest.mark.parametrize(
    ("ends", "interrupted_count", "last_status"),
    [
        ([DONE], 0, DONE),
        ([FAILED], 0, FAILED),
        ([USER_ERROR], 0, USER_ERROR),
        ([INTERRUPTED], 1, INTERRUPTED),
        ([None], 1, None),
        ([FAILED, INTERRUPTED, None, USER_ERROR, None, DONE], 3, DONE),
    ],
)
def test_drivers_that_were_stopped_or_killed_are_interrupted(
    tmp_path: Path, ends: list[int | None], interrupted_count: int, last_status: int | None
) -> None:
    """None: it was killed."""
    for status in ends:
        journal = Journal(tmp_path)
        journal.begin(1, {})
        if status is not None:
            journal.end(status)
    history = read_history(tmp_path)
    assert (history.interrupted_count, history.last_status) == (interrupted_count, last_status)
    assert history.drivers_count == len(ends)


def test_units_begun_more_than_once_are_told_over_all_drivers(tmp_path: Path) -> None:
    tries: Counter[str] = Counter()
    chance = Random(1)
    names = [f"{number:06d}{end}" for number in range(30) for end in ("", "-a2")] + ["layers", "merge-07-003"]
    for _ in range(5):
        journal = Journal(tmp_path)
        journal.begin(1, {})
        for name in chance.choices(names, k=20):
            journal.started(name)
            tries[name] += 1
    history = read_history(tmp_path)
    assert history.computed_twice_count == sum(count > 1 for count in tries.values())
    for name in names:
        assert (name in history.begun, name in history.again) == (tries[name] > 0, tries[name] > 1)


def test_journals_of_earlier_versions_are_gone_on_with(tmp_path: Path) -> None:
    """They had a line for each try, and were appended to."""
    events = [
        {"event": "begin", "time": 5.0, "attempt": 1, "limits": {"x": 1}, "job": "a", "label": "b"},
        *({"event": "started", "time": 6.0, "unit": unit} for unit in ("000001", "000002", "000001")),
        {"event": "failed", "time": 6.0, "unit": "000001", "reason": "why"},
    ]
    path = tmp_path / JOURNAL_NAME
    path.write_text("".join(f"{json.dumps(event)}\n" for event in events) + '{"event": "sta')
    journal = Journal(tmp_path)
    journal.begin(1, {})
    journal.started("000002")
    journal.end(0)
    history = read_history(tmp_path)
    assert (history.computed_twice_count, history.interrupted_count, history.drivers_count) == (2, 1, 2)
    assert (history.attempts, history.begun_s, history.label) == ([{"x": 1}], 5.0, "b")
    kinds = [json.loads(line)["event"] for line in path.read_text().splitlines() if line != '{"event": "sta']
    assert kinds == [event["event"] for event in events] + ["begin", "started", "end"]


def test_a_journal_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.journal.GROWN_BYTES", 10_000)
    journal = Journal(tmp_path)
    journal.begin(1, {})
    # As a window of some hundred hands them out; one in a thousand is tried again.
    for number in range(100_000):
        journal.started(f"{number ^ 7:06d}")
        if number % 1000 == 0:
            journal.failed(f"{number ^ 7:06d}", "why")
            journal.started(f"{number ^ 7:06d}")
    journal.end(0)
    assert (tmp_path / JOURNAL_NAME).stat().st_size < 40_000
    assert read_history(tmp_path).computed_twice_count == 100


@given(st.lists(st.integers(0, 40)))
def test_numbers_are_a_set(values: list[int]) -> None:
    numbers = Numbers()
    for value in values:
        numbers.add(value)
    assert len(numbers) == len(set(values))
    assert [value for value in range(42) if value in numbers] == sorted(set(values))
    if values:
        again = Numbers.from_text(numbers.text())
        assert (again.text(), len(again)) == (numbers.text(), len(numbers))


@pytest.mark.parametrize("text", ["", "x", "3-1", "5,4", "1-2-3"])
def test_a_damaged_set_of_numbers_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"descend|ascend|invalid|unpack"):
        Numbers.from_text(text)
