"""Figures that the paper prints about the stack game, with its wrong ones, and the right values.

Source: Tanaka, "A calculation player program without using heuristic rules", tables 1 and 2 and section 3.2. There are
``m`` boards of ``n`` cards each, and ``S`` stacks.
"""

from __future__ import annotations

from dataclasses import dataclass

TABLES: dict[int, dict[int, tuple[int, ...]]] = {
    3: {
        1: (1, 3, 7, 14, 25, 41, 63, 92, 129, 175, 231, 298),
        2: (2, 12, 65, 339, 1665, 7757, 34996, 155155, 681545, 2977599, 12964435, 56313735),
        3: (3, 38, 622, 11664, 214034),
        4: (4, 114, 6730, 543588),
    },
    4: {
        1: (1, 3, 7, 15, 30, 56, 98, 162, 255, 385, 561, 793),
        2: (2, 12, 71, 459, 2937, 17851, 102750, 566036, 3028205, 15680903, 79991496, 402134982),
        3: (3, 39, 807, 22628, 636368),
        4: (4, 125, 11146, 1637973),
    },
}
"""States that can be reached, by S (table 1: 3, table 2: 4), m, and n from 1 on, as printed."""

CORRECTED: dict[tuple[int, int, int], int] = {(4, 2, 8): 566037, (4, 2, 9): 3016568}
"""Cells (S, m, n) where the paper is wrong. Two programs with different canonical forms agree on the first;
every other cell of the tables comes out as printed."""

CARDS_MAX = 12


def expected_count(stacks: int, boards: int, cards: int) -> int:
    """The right number of states of a cell of the tables."""
    return CORRECTED.get((stacks, boards, cards), TABLES[stacks][boards][cards - 1])


@dataclass(frozen=True)
class Probability:
    """A success probability: as the paper prints it, and to twelve digits."""

    printed: float
    checked: float


@dataclass(frozen=True)
class Worked:
    """A state of the worked example."""

    state: str
    """As text."""
    probability: Probability


WORKED: dict[tuple[int, ...], Worked] = {
    (0,): Worked("[7{}] -> [1{1}]", Probability(0.3910466, 0.391046626984)),
    (1,): Worked("[1{}] -> [3{0}]", Probability(0.8333333, 0.833333333333)),
    (2,): Worked("[2{}] -> [7{0}]", Probability(0.06856813, 0.068568121693)),
    (3,): Worked("[3{}] -> [1{1}]", Probability(0.9583333, 0.958333333333)),
    (0, 1): Worked("[7{}] -> [1{1}]; [1{}] -> [3{0}]", Probability(0.2739771, 0.273977147467)),
    (0, 2): Worked("[2{}] -> [7{0}]; [7{}] -> [1{1}]", Probability(0.01547976, 0.015479760564)),
    (0, 3): Worked("[7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7", Probability(0.3513412, 0.351341231428)),
    (1, 2): Worked("[2{}] -> [7{0}]; [1{}] -> [3{0}]; 1.0 < 0.2", Probability(0.05273561, 0.052735615079)),
    (1, 3): Worked("[1{}] -> [3{0}]; [3{}] -> [1{1}]", Probability(0.7986111, 0.798611111111)),
    (2, 3): Worked("[2{}] -> [7{0}]; [3{}] -> [1{1}]", Probability(0.05320396, 0.053203964085)),
}
"""The worked example of section 3.2 (3 stacks): the states of one board and of two boards of its position, which is
``section-3.2.position`` among Calculation's examples.

Misprints: the graphs of boards 0 and 3, printed ``[7{0}]`` and ``[3{1}]``, must read ``[7{}]`` and ``[3{}]``;
the position writes board 1 as ``[T,Q-1]`` where, as on the other boards, the next card is left out (only that
gives the printed p1 and p13); the last factor of the printed product must be p23 / (p2 p3)."""

WHOLE = Probability(0.007281463, 0.007281464939)
"""The printed estimate for that position: the product of the p_i and, for all pairs, of p_ij / (p_i p_j). Its last
digits are those of rounded factors."""

STARTS: dict[tuple[int, int, int], float] = {
    (3, 2, 4): 0.918402777778,
    (3, 2, 8): 0.121741458600,
    (4, 2, 8): 0.651957910605,
}
"""Checked probabilities of the start by (S, m, n); the paper prints none."""
