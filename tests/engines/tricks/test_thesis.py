"""What the thesis prints: all matrices of its appendix and of figures 1 and 4, all examples of sections 2 and 5."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engines.tricks import rules
from engines.tricks.solution import Matrix, Rules, solve
from engines.tricks.text import WrittenDeal, read_deals

PRINTED = Path(__file__).parents[2] / "golden" / "tricks_thesis.txt"


@dataclass
class Printed:
    """A deal as printed: hands in the order of the matrices."""

    k: int
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    matrices: dict[str, Matrix] = field(default_factory=dict)
    extremes: dict[str, int] = field(default_factory=dict)
    """``G maxmin`` and so on."""


def printed() -> list[Printed]:
    """All deals of the file."""
    found: list[Printed] = []
    k, names = 4, list[str]()
    lines = [line for line in PRINTED.read_text().splitlines() if not line.startswith("#")]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("k "):
            k = int(line[2:])
        elif line == "A is":
            found.append(Printed(k, left=[int(card) for card in after.split()]))
        elif line == "B is":
            found[-1].right = [int(card) for card in after.split()]
        elif "matrix" in line:
            names = [name for name in "GWT" if f"({name})" in line or f"matrix {name}" in line]
            found[-1].matrices = found[-1].matrices | {name: [] for name in names}
        elif line.startswith(("maxmin", "minmax", "swap G")):
            for part in line.replace(",", " ").replace("swap G", "G").replace("swap W", "W").split("  "):
                for extreme, name, value in _extremes(part):
                    found[-1].extremes[f"{name} {extreme}"] = value
        elif names and line.replace(" ", "").isdigit() and len(line.split()) == len(names):
            for name, digits in zip(names, line.split(), strict=True):
                found[-1].matrices[name].append([int(digit) for digit in digits])
    return found


def _extremes(part: str) -> list[tuple[str, str, int]]:
    """Of "maxmin in G :4 maxmin in W:3" and "G maxmin = 4 W maxmin = 3"."""
    words = part.replace(":", " ").replace("=", " ").replace(" in ", " ").split()
    triples = [words[i : i + 3] for i in range(0, len(words), 3)]
    return [
        (a, b, int(value)) if a in ("maxmin", "minmax") else (b, a, int(value)) for a, b, value in triples
    ]


def test_the_file_is_read_whole() -> None:
    deals = printed()
    assert len(deals) == 13
    assert sum(len(matrix) for deal in deals for matrix in deal.matrices.values()) == 11 * 8 + 9 + 4
    assert sum(len(deal.extremes) for deal in deals) == 11 * 4


@pytest.mark.parametrize("number", range(13))
def test_matrices_digit_for_digit(number: int) -> None:
    deal = printed()[number]
    order = [sorted(hand, reverse=True) for hand in (deal.left, deal.right)]
    written = WrittenDeal(tuple(order[0]), tuple(order[1]), deal.k)
    table = solve(written, Rules()).table
    for name, matrix in deal.matrices.items():
        ours = {"G": table.G, "W": table.W}.get(name)
        if ours is None:
            pairs = zip(table.G, table.W, strict=True)
            ours = [[g - w for g, w in zip(*rows, strict=True)] for rows in pairs]
        for a, row in zip(deal.left, matrix, strict=True):
            for b, entry in zip(deal.right, row, strict=True):
                assert entry == ours[order[0].index(a)][order[1].index(b)]
    for name, value in deal.extremes.items():
        matrix = {"G": table.G, "W": table.W}[name[0]]
        assert value == rules.of_matrix(matrix, left_leads=name.endswith("maxmin"))


def values(text: str) -> tuple[int, int]:
    """Left's points when Left leads and when Right does."""
    table = solve(read_deals(text)[0], Rules()).table
    return table.value_left_leads, table.value_right_leads


@pytest.mark.parametrize(
    ("before", "right_leads_before", "after", "right_leads_after"),
    [
        ("A=7,6,4,3 B=8,5,2,1 k=4", 1, "A=8,6,4,3 B=7,5,2,1 k=4", 3),
        ("A=8,7,5,2 B=6,4,3,1 k=4", 3, "A=8,7,5,1 B=6,4,3,2 k=4", 4),
        ("A=8,6,4,2 B=7,5,3,1 k=4", 3, "A=8,6,5,2 B=7,4,3,1 k=4", 2),
    ],
)
def test_examples_of_theorems_6_to_8(
    before: str, right_leads_before: int, after: str, right_leads_after: int
) -> None:
    assert values(before)[1] == right_leads_before
    assert values(after)[1] == right_leads_after


def test_the_example_of_cards_that_do_not_follow_one_another() -> None:
    assert values("A=3,1 B=4,2 k=4")[0] == 0
    assert values("A=4,3 B=2,1 k=4") == (4, 4)
    assert values("A=3,2 B=4,1 k=4") == (2, 2)
    assert values("A=4,2 B=3,1 k=4")[0] == 2


def test_figure_4_is_where_lemma_2_ends() -> None:
    W = solve(read_deals("A=7,6,4,1 B=8,5,3,2 k=4")[0], Rules()).table.W
    assert (W[2][2], W[3][2]) == (1, 2)


def test_other_values_that_were_checked() -> None:
    assert values("A=8,7,6,5 B=4,3,2,1 k=4") == (4, 4)
    assert values("A=8,7,6,4 B=5,3,2,1 k=4") == (3, 4)
    assert read_deals("AABBBABA k=1")[0].left == (8, 7, 3, 1)
