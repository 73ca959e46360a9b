"""Colours, marks, dashes and hatches of figures. Series never differ by colour alone."""

from __future__ import annotations

from typing import Any

INK, FAINT, PAPER, THEIRS, LIGHT = "#000101", "#000102", "#000103", "#000104", "#000105"
SERIES = tuple(f"#0002{number:02x}" for number in range(1, 7))
NAMES = {INK: "ink", FAINT: "faint", PAPER: "paper", THEIRS: "theirs", LIGHT: "line"} | {
    colour: f"s{number}" for number, colour in enumerate(SERIES, start=1)
}
"""Colours that stand for names until the drawing is done."""
MARKS = ("o", "s", "^", "D", "v", "P")
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)), (0, (4, 1)), (0, (1, 1)))
HATCHES = ("", "////", "", "xxxx")


def mark(number: int, published: bool) -> dict[str, Any]:
    """Our results have full marks; published ones have open marks, larger and drawn below, so that both show where
    they agree."""
    colour = THEIRS if published else SERIES[number % len(SERIES)]
    return {
        "color": colour,
        "marker": MARKS[number % len(MARKS)],
        "markersize": 8 if published else 5,
        "zorder": 2.5 if published else 3,
        "markerfacecolor": PAPER if published else colour,
        "markeredgecolor": colour,
    }


def by_name(element: str) -> str:
    """A finished drawing with its colours by name, to which the page's style gives a value."""
    for colour, name in NAMES.items():
        element = element.replace(colour, f"var(--{name})")
    return element
