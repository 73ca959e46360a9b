"""What make check-speed says of a bench that prints these rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent / "bench"))

import check_speed


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The benches that were run; each prints what the page has of it, the lower end of each range."""
    benches: list[str] = []

    def measured(bench: str) -> list[dict[str, Any]]:
        benches.append(bench)
        return [
            {**figure.row, figure.key: figure.low}
            for figure in check_speed.figures()
            if figure.bench == bench
        ]

    monkeypatch.setattr(check_speed, "measured", measured)
    monkeypatch.setattr(sys, "argv", ["check_speed.py"])
    return benches


def test_slow_parts_are_run_only_when_they_are_named(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    benches = {figure.bench for figure in check_speed.figures()}
    slow = {bench for bench in benches if " --" in bench}
    assert check_speed.main() == 0
    assert set(asked) == benches - slow != set()
    asked.clear()
    monkeypatch.setattr(sys, "argv", ["check_speed.py", "runs-ray", "tricks"])
    assert check_speed.main() == 0
    assert asked == ["bench_runs.py --ray", "bench_tricks.py"]


def test_a_range_and_its_scale_are_read() -> None:
    found = {(figure.row.get("run"), figure.key): figure for figure in check_speed.figures()}
    full = found["make tables-full", "elapsed_s"]
    assert (full.low, full.high) == (600, 600)
    assert found["make tables-full", "peak_bytes"].low == 2.6e9
    run = found["make run", "elapsed_s"]
    assert run.low < run.high


def test_a_figure_that_is_off_is_named(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = next(each for each in check_speed.figures() if each.part == "tricks")
    rows = [{**figure.row, figure.key: 2 * figure.high}]
    monkeypatch.setattr(check_speed, "measured", lambda bench: rows)
    monkeypatch.setattr(sys, "argv", ["check_speed.py", "tricks"])
    assert check_speed.main() == 1
    told = capsys.readouterr().out
    assert f"DOES NOT HOLD: {figure.what}" in told
    assert "NOT MEASURED: " in told


def test_a_part_that_is_not_there(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["check_speed.py", "nonsense"])
    assert check_speed.main() == 2
    assert capsys.readouterr().err.startswith("no part of the bench: nonsense; there are calculation, ")
    assert asked == []
