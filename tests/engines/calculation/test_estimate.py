"""The worked example of the paper from its printed position, and what assignments make of positions."""

from __future__ import annotations

from importlib import resources
from math import prod

import pytest

from engines.calculation import estimate
from engines.calculation.estimate import Assignment, Edges
from engines.calculation.position import read_position
from engines.calculation.rules import Position
from engines.stackgame import rules, text
from engines.stackgame.computed import compute

PRINTED = (resources.files("engines.calculation") / "examples" / "section-3.2.position").read_text()

# As printed in section 3.2 (p13 and the last factor of the product with their errata).
SINGLES = {0: 0.3910466, 1: 0.8333333, 2: 0.06856813, 3: 0.9583333}
PAIRS = {
    (0, 1): 0.2739771,
    (0, 2): 0.01547976,
    (0, 3): 0.3513412,
    (1, 2): 0.05273561,
    (1, 3): 0.7986111,
    (2, 3): 0.05320396,
}
WHOLE = 0.007281463


Assigned = tuple[Position, Assignment]


def assigned(written: str) -> Assigned:
    told = read_position(written)
    assignment = told.assignment()
    assert assignment is not None
    return told.position, assignment


@pytest.fixture
def printed() -> Assigned:
    return assigned(PRINTED)


def written(printed: Assigned, *boards: int, edges: Edges = Edges.all) -> str:
    found = estimate.state(*printed, boards, edges)
    assert found is not None
    return text.format(found)


def with_stacks(*rows: str) -> Assigned:
    """The printed foundations with other stacks."""
    head = PRINTED.partition("\nstacks\n")[0]
    return assigned("\n".join([head, "stacks", *(f"{i}: {row}" for i, row in enumerate(rows))]))


def test_graphs_of_the_printed_position(printed: Assigned) -> None:
    assert written(printed, 0) == "[7{}] -> [1{1}]"
    assert written(printed, 1) == "[1{}] -> [3{0}]"
    assert written(printed, 2) == "[2{}] -> [7{0}]"
    assert written(printed, 3) == "[3{}] -> [1{1}]"
    assert written(printed, 0, 3) == "[7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7"
    assert written(printed, 0, 1, 2, 3) == (
        "[2{}] -> [7{0}]; [7{}] -> [1{1}]; [1{}] -> [3{0}]; [3{}] -> [1{1}]; 2.0 < 0.2; 3.2 < 1.7"
    )


def test_singles_by_the_referee(printed: Assigned) -> None:
    for board, expected in SINGLES.items():
        found = estimate.state(*printed, [board])
        assert found is not None
        assert float(rules.probability(found)) == pytest.approx(expected, rel=1.5e-7)


def test_the_worked_example(printed: Assigned) -> None:
    found = estimate.value(*printed, compute)
    assert found.singles == pytest.approx(SINGLES, rel=1.5e-7)
    assert found.pairs == pytest.approx(PAIRS, rel=2e-7)
    # The paper seems to have multiplied rounded numbers: its last digits are off.
    assert found.probability == pytest.approx(WHOLE, rel=5e-7)
    losses = [pair / (found.singles[a] * found.singles[b]) for (a, b), pair in found.pairs.items()]
    assert found.probability == pytest.approx(prod(found.singles.values()) * prod(losses), rel=1e-12)


def test_a_card_on_a_stack_closes_it_to_what_waits_for_it() -> None:
    found = estimate.state(*with_stacks("6-0", "", ""), [0])
    assert found is not None
    assert text.format(found) == "[2{}] -> [7{0}]"  # 4 5 -> 7 ... K; the 3 comes next and is left out


def test_order_reaches_across_a_foundation_that_is_left_out() -> None:
    # 7-3 before J-3 before 9-2 below it, before Q-2 in the row, before 6-0 below it, before 7-0
    both = with_stacks("9-2 J-3", "6-0 Q-2", "")
    assert written(both, 0, 3) == "[2{}] -> [7{0,1}]; [1{}] -> [7{0}]; 1.0 < 0.2"


def test_the_next_card_counts_when_it_lies_on_a_stack() -> None:
    found = estimate.state(*with_stacks("3-0", "", ""), [0])
    assert found is not None
    assert text.format(found) == "[10{0}]"


def test_a_later_card_above_an_earlier_one_is_lost() -> None:
    lost = with_stacks("4-0 9-0", "", "")
    assert estimate.state(*lost, [1]) is None
    found = estimate.value(*lost, lambda state: pytest.fail("there is nothing to compute"))
    assert found.probability == 0
    assert set(found.singles.values()) == {0.0}


def test_a_finished_game_is_won() -> None:
    done = assigned("foundations\n0:\n1:\n2:\n3:\nstacks\n0:\n")
    assert estimate.value(*done, lambda state: float(rules.probability(state))).probability == 1


def test_own_edges_leave_out_what_goes_by_other_foundations() -> None:
    both = with_stacks("9-2 J-3", "6-0 Q-2", "")
    assert written(both, 0, 3, edges=Edges.own) == "[2{}] -> [7{1}]; [1{}] -> [7{0}]"


def test_the_worked_example_is_the_same_by_own_edges(printed: Assigned) -> None:
    assert estimate.value(*printed, compute, Edges.own) == estimate.value(*printed, compute)


def test_a_position_that_is_not_open_is_worth_nothing() -> None:
    # 9-0 before T-1 before A-1 before 6-2 before 9-2 before 4-0 before 9-0: no two foundations have this cycle
    lost = with_stacks("T-1 9-0", "6-2 A-1", "4-0 9-2")
    assert not estimate.is_open(*lost)
    assert estimate.value(*lost, lambda state: 0.5, Edges.own).probability == 0
