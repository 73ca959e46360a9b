"""The figures of pages have a recorded source, follow from their counts to the digit, and come out again."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from documents import PAGES

from engines.statistics.intervals import wilson

sys.path.insert(0, str(Path(__file__).parent / "golden"))

from figures import RECORD, REMAKES, figures, remake, text_of_pages

RECORDED = json.loads(RECORD.read_text())
COUNTED = [each for each in RECORDED if each["won"] is not None]
QUICK_S = 3


def test_every_figure_is_recorded() -> None:
    """After a change: python tests/golden/figures.py, which wants to know where a new figure is from."""
    assert [asdict(figure) for figure in figures(text_of_pages())] == RECORDED


def test_a_figure_without_a_source_is_noticed() -> None:
    with pytest.raises(ValueError, match="without a source: '7 of 10,"):
        list(figures("Golf: 7 of 10, 70.0% (39.7 to 89.2)"))


def agrees(printed: str, value: float) -> bool:
    """Whether a printed number is ``value`` rounded; a tie may go either way."""
    digits = len(printed.partition(".")[2])
    return abs(float(printed) - value) <= 0.5 * 10**-digits + 1e-9


@pytest.mark.parametrize(
    "figure", [each for each in RECORDED if each["won"] is not None], ids=lambda each: each["text"]
)
def test_shares_and_intervals_follow_from_the_counts(figure: dict[str, object]) -> None:
    won, count, shown = figure["won"], figure["count"], figure["shown"]
    assert isinstance(won, int)
    assert isinstance(count, int)
    assert isinstance(shown, list)
    told = [won / count, *wilson(won, count)]
    for printed, value in zip(shown, told if figure["kind"] == "share" else told[1:], strict=True):
        assert agrees(printed, 100 * value)


def test_differences_lie_in_their_intervals() -> None:
    for each in RECORDED:
        if each["kind"] == "difference":
            low, *centre, high = sorted(map(float, each["shown"]))
            assert [f"{value:+g}" for value in centre] == [
                f"{float(value):+g}" for value in each["shown"][:-2]
            ]
            assert low <= high


def test_parts_of_calculation_s_player_differ_by_their_counts() -> None:
    table = re.findall(
        r"^\| (?:`|1000|50).* \| ([0-9]{3}) \| ([+-][0-9.]+) \(", text_of_pages(), re.MULTILINE
    )
    (base,) = re.findall(r"^\| \(as above: .* \| ([0-9]+) \|", text_of_pages(), re.MULTILINE)
    assert len(table) == 12
    for won, difference in table:
        assert float(difference) == pytest.approx((int(won) - int(base)) / 10)


def test_counts_of_remakes_are_printed() -> None:
    text = text_of_pages().replace(",", "")
    for each in REMAKES:
        for value in each.expected.values():
            assert re.search(rf"(?<![0-9.]){value}(?![0-9])", text)


def test_what_the_readme_says_of_games_stands_in_their_pages() -> None:
    rows = re.findall(r"^\| \[.*?\]\((docs/games/\w+\.md)\) (.*)", PAGES["README.md"], re.MULTILINE)
    assert {page for page, _ in rows} == {name for name in PAGES if name.startswith("docs/games/")}
    for page, words in rows:
        for number in re.findall(r"[0-9][0-9,.]*[0-9]", words):
            assert number in PAGES[page], f"{page} has no {number}"


def test_quick_figures_come_out_again() -> None:
    """The others: make check-figures."""
    assert list(remake([each for each in REMAKES if each.seconds <= QUICK_S])) == []
