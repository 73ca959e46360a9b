"""Figures that the paper prints about Superpuzz. Source: Shintani, "A Program to Solve Superpuzz", figures 1 to 7,
table 1.

The figures' deals and solutions are in ``examples/``. Figure 2 has two slips that a checker must tolerate: moves 33
and 35 name the king of spades instead of that of clubs (and move 69 has its pair the other way round).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Row:
    """A row of table 1: full searches of random deals of one number of columns."""

    states_mean: int
    states_max: int
    states_min: int
    moves_mean: int
    """Moves to the win that was found first (by a depth-first search)."""
    states_before_win_mean: int
    lost_count: int
    lost_states_mean: int | None
    """Mean states of the deals without a win; None where there was none."""


DEALS_COUNT = 100
"""Deals of each row."""

TABLE_1: dict[int, Row] = {
    2: Row(90, 209, 1, 3, 19, 0, None),
    3: Row(3064, 10044, 1, 31, 118, 7, 7),
    4: Row(47452, 200408, 2, 48, 393, 11, 282),
    5: Row(391324, 3034017, 1, 77, 2753, 13, 2178),
    6: Row(2142024, 18066011, 109, 79, 17916, 12, 35760),
}
"""By number of columns."""

FIGURE_6A_STATES_COUNT = 17_574_132
"""All states of the deal of figure 6 (a), which has no win."""
FIGURE_7_STATES_COUNT, FIGURE_7_WINS_COUNT = 115_502, 16
"""All states and wins of the deal of figure 7. The wins are printed, the states were counted independently."""


def example(name: str) -> str:
    """The text of a file of ``examples/``, such as ``figure-7.deal``."""
    return (resources.files("engines.superpuzz") / "examples" / name).read_text()
