"""The worked example of the paper from its printed position, and the text form of positions."""

from __future__ import annotations

from importlib import resources
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.stackgame import position, prob, rules, text
from engines.stackgame.position import Position
from storage.errors import UserError

PRINTED = (resources.files("engines.stackgame") / "examples" / "section-3.2.position").read_text()

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


@pytest.fixture
def printed() -> Position:
    return position.parse(PRINTED)


def written(printed: Position, *boards: int) -> str:
    found = position.state(printed, boards)
    assert found is not None
    return text.format(found)


def with_stacks(*rows: str) -> Position:
    """The printed foundations with other stacks."""
    head = PRINTED.partition("\nstacks\n")[0]
    return position.parse("\n".join([head, "stacks", *(f"{i}: {row}" for i, row in enumerate(rows))]))


def test_graphs_of_the_printed_position(printed: Position) -> None:
    assert written(printed, 0) == "[7{}] -> [1{1}]"
    assert written(printed, 1) == "[1{}] -> [3{0}]"
    assert written(printed, 2) == "[2{}] -> [7{0}]"
    assert written(printed, 3) == "[3{}] -> [1{1}]"
    assert written(printed, 0, 3) == "[7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7"
    assert written(printed, 0, 1, 2, 3) == (
        "[2{}] -> [7{0}]; [7{}] -> [1{1}]; [1{}] -> [3{0}]; [3{}] -> [1{1}]; 2.0 < 0.2; 3.2 < 1.7"
    )


def test_singles_by_the_referee(printed: Position) -> None:
    for board, expected in SINGLES.items():
        found = position.state(printed, [board])
        assert found is not None
        assert float(rules.probability(found)) == pytest.approx(expected, rel=1.5e-7)


def test_the_worked_example(printed: Position) -> None:
    found = position.value(printed, prob.compute)
    assert found.singles == pytest.approx(SINGLES, rel=1.5e-7)
    assert found.pairs == pytest.approx(PAIRS, rel=2e-7)
    # The paper seems to have multiplied rounded numbers: its last digits are off.
    assert found.probability == pytest.approx(WHOLE, rel=5e-7)
    losses = [pair / (found.singles[a] * found.singles[b]) for (a, b), pair in found.pairs.items()]
    assert found.probability == pytest.approx(prod(found.singles.values()) * prod(losses), rel=1e-12)


def test_a_card_on_a_stack_closes_it_to_what_waits_for_it() -> None:
    found = position.state(with_stacks("6-0", "", ""), [0])
    assert found is not None
    assert text.format(found) == "[2{}] -> [7{0}]"  # 4 5 -> 7 ... K; the 3 comes next and is left out


def test_order_reaches_across_a_foundation_that_is_left_out() -> None:
    # 7-3 before J-3 before 9-2 below it, before Q-2 in the row, before 6-0 below it, before 7-0
    both = with_stacks("9-2 J-3", "6-0 Q-2", "")
    assert written(both, 0, 3) == "[2{}] -> [7{0,1}]; [1{}] -> [7{0}]; 1.0 < 0.2"


def test_the_next_card_counts_when_it_lies_on_a_stack() -> None:
    found = position.state(with_stacks("3-0", "", ""), [0])
    assert found is not None
    assert text.format(found) == "[10{0}]"


def test_a_later_card_above_an_earlier_one_is_lost() -> None:
    lost = with_stacks("4-0 9-0", "", "")
    assert position.state(lost, [1]) is None
    found = position.value(lost, lambda state: pytest.fail("there is nothing to compute"))
    assert found.probability == 0
    assert set(found.singles.values()) == {0.0}


def test_a_finished_game_is_won() -> None:
    done = position.parse("foundations\n0:\n1:\n2:\n3:\nstacks\n0:\n")
    assert position.value(done, lambda state: float(rules.probability(state))).probability == 1


def test_spelling_is_free(printed: Position) -> None:
    free = PRINTED.replace("T", "10").replace("J", "j").replace("A-", "1-").replace("0: 3 4", "0:3   4")
    assert position.parse(free) == printed


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("foundations", "piles", "position, line 3: expected 'foundations', found 'piles'"),
        ("2: 3 6 9", "4: 3 6 9", "position, line 6: expected '2:', found '4:'"),
        ("stacks\n", "stacks\nstacks\n", "position, line 10: 'stacks' is there twice"),
        ("7 9 J K", "7 9 K J", "position, line 5: is not how foundation 1 ends; the whole of it is 2 4 6 8"),
        ("3 4 5", "X 4 5", "position, line 4: 'X' is no rank (A 2 3 4 5 6 7 8 9 T J Q K)"),
        ("8-2", "8", "position, line 10: expected RANK-FOUNDATION (as in 8-2), found '8'"),
        ("8-2", "8-4", "position, line 10: expected RANK-FOUNDATION (as in 8-2), found '8-4'"),
        ("J-1", "A-3", "position, line 12: A-3 lies on the stacks twice"),
        ("J-1", "2-0", "position, line 12: 2-0 has left already: foundation 0 does not wait for it"),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    assert old in PRINTED
    with pytest.raises(UserError) as caught:
        position.parse(PRINTED.replace(old, new, 1))
    assert str(caught.value).startswith(message)


@given(st.text() | st.lists(st.sampled_from([*PRINTED.split(), "\n", "#", "10", "8-9", "4:"])).map(" ".join))
def test_any_text_is_read_or_refused(anything: str) -> None:
    try:
        position.parse(anything)
    except UserError as refused:
        line = str(refused)
    else:
        line = ""
    assert len(line.splitlines()) <= 1


def test_missing_parts_are_refused() -> None:
    for part in ["", "foundations\n0:\n1:\n2:\n3:\n", PRINTED.partition("3: 3 7")[0]]:
        with pytest.raises(UserError, match=r"needs 'foundations' with rows 0: to 3: and 'stacks'"):
            position.parse(part)
