"""Writes docs/klondike.svg, the picture of README.md, from the figures that are recorded: ``make docs``."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from engines.contract.chart import PERCENT, Axis, Dots, DotSeries, Value
from engines.klondike.paper import published
from engines.klondike.rules import REPORT, RedealRule, Rules
from engines.statistics.intervals import wilson
from pipeline.report.drawing import WIDE, draw

HERE = Path(__file__).parent
PICTURE = HERE / "klondike.svg"
RECORD = HERE.parent / "tests" / "golden" / "figures.json"
TITLE = "Klondike: share of deals that can be won with all cards known, by rules, with published shares"
STYLE = """<style>
svg{--ink:#1b1b1b;--faint:#767676;--paper:#fff;--theirs:#b34700;--s1:#00507f;font-family:sans-serif;background:#fff}
@media (prefers-color-scheme:dark){
svg{--ink:#ececec;--faint:#9a9a9a;--paper:#16181b;--theirs:#f2a65a;--s1:#6cb8ec;background:#16181b}}
</style>"""

_STANDARD = replace(REPORT, redeal_rule=RedealRule.standard)
ROWS: list[tuple[str, str, Rules]] = [
    *(
        (f"3 cards, carry, {count} redeals", f"| 3 | carry | no | {count} |", replace(REPORT, redeals=count))
        for count in range(6)
    ),
    ("3 cards, carry, unlimited", "| 3 | carry | no | unlimited |", REPORT),
    ("3 cards, standard, unlimited", "| 3 | standard | no | unlimited |", _STANDARD),
    ("the same, cards may go back", "| 3 | standard | yes |", replace(_STANDARD, foundation_back=True)),
    ("1 card, unlimited", "| 1 | either | no | unlimited |", replace(_STANDARD, draw=1)),
    (
        "the same, cards may go back",
        "| 1 | either | yes |",
        replace(_STANDARD, draw=1, foundation_back=True),
    ),
]
"""Name, beginning of the line of the table in docs/games/klondike.md, rules."""


def _ours(line: str, figures: list[dict[str, object]]) -> Value:
    (figure,) = (each for each in figures if str(each["line"]).startswith(line))
    won, count = figure["won"], figure["count"]
    assert isinstance(won, int)
    assert isinstance(count, int)
    return Value(won / count, *wilson(won, count))


def _theirs(rules: Rules) -> Value | None:
    found = published(rules)
    return found and Value(
        found.won_share, found.won_share - found.half_width, found.won_share + found.half_width
    )


def _chart() -> Dots:
    figures = json.loads(RECORD.read_text())
    return Dots(
        Axis("deals that can be won", PERCENT),
        tuple(name for name, _, _ in ROWS),
        (
            DotSeries("here, 20,000 deals or more", tuple(_ours(line, figures) for _, line, _ in ROWS)),
            DotSeries("published", tuple(_theirs(rules) for _, _, rules in ROWS), published=True),
        ),
    )


def described() -> str:
    """What the picture shows, in words."""
    chart = _chart()
    return "; ".join(
        f"{name}: {series.name} {100 * value.value:.2f}%"
        for place, name in enumerate(chart.names)
        for series in chart.series
        if (value := series.values[place]) is not None
    )


def picture() -> str:
    """The file's text."""
    head, rest = draw(_chart(), TITLE, "readme", WIDE).split(">", 1)
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"{head} {names}><desc>{described()}</desc>{STYLE}{rest}\n"


if __name__ == "__main__":
    PICTURE.write_text(picture())
    print(PICTURE, file=sys.stderr)
