"""Solutions as text: written and read back, replayed with the reason for what is illegal, any text at all."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from klondike_helpers import LATE_COLUMNS, games, k00198, position_of
from refusals import attempt, complaint

from engines.klondike import paper, rules, solution
from engines.klondike.rules import REPORT, Move, Position, Rules
from engines.klondike.solution import format_moves, join_written, read_solutions, replay

WRITTEN = paper.example("k00198.solution")
GAME = position_of("foundations: C9 D9 H9 S9", "stock: SQ", "waste: S0", *LATE_COLUMNS)


def problem_of(text: str, position: Position = GAME, options: Rules = REPORT) -> str | None:
    """What is wrong with the only solution of a text."""
    (written,) = read_solutions(text)
    assert written is not None
    return replay(position, written, options).problem


def error_of(text: str) -> str:
    """What reading a text complains of."""
    return complaint(lambda: read_solutions(text, "my.txt"))


@given(games())
@settings(max_examples=60, deadline=None)
def test_moves_come_back_from_their_text(game: tuple[Position, Rules, list[Move]]) -> None:
    position, options, moves = game
    written = format_moves(position, moves, options)
    for text in (join_written(written), join_written(written, " "), " <- ".join(written[::-1]) or "()"):
        (read,) = read_solutions(text.lower())
        assert read is not None
        assert list(map(str, read)) == written
        found = replay(position, read, options)
        assert found.moves == tuple(moves)
        assert found.counts["redeals_count"] == sum(move.kind == rules.Kind.REDEAL for move in moves)
        won = rules.is_won(rules.replay(position, moves, options))
        assert found.problem == (None if won else f"the position after move {len(moves)} is not won")


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("S00S01", "H0 cannot go onto D0 of column 1"),
        ("S01S05", "D0 cannot go onto C0 of column 5"),
        ("S00S04", "H0 cannot go to the empty column 4, only a king can"),
        ("S04S02", "column 4 has 0 face-up cards, so that 0 cannot move"),
        ("S02S02", "a column cannot go onto itself"),
        ("S06S00", "there is no column 6, the last one is 5"),
        ("S00S06", "there is no column 6, the last one is 5"),
        ("S00T04", "there is no foundation 4, the last one is 3"),
        ("S00T00", "the move is S00T02 here"),
        ("S02T00", "CJ cannot go to the foundation, C0 is next"),
        ("W01T03", "the move is W00T03 here"),
        ("W00S00", "S0 cannot go onto H0 of column 0"),
        ("C00W01", "1 cards in the stock and 1 in the waste: nothing is dealt"),
        ("R02C02", "the move is R01C02 here"),
        ("R01C03", "the move is R01C02 here"),
        ("T00S00", "no card may go back from a foundation"),
        ("T04S00", "there is no foundation 4, the last one is 3"),
        ("S00W00", "nothing goes from S to W"),
        ("R01S00", "nothing goes from R to S"),
        ("T00T00", "nothing goes from T to T"),
    ],
)
def test_a_move_that_is_illegal_is_named_with_the_reason(step: str, reason: str) -> None:
    assert problem_of(step) == f"move 1, {step} on line 1: {reason}"
    assert problem_of(f"S00T02 ->\n{step}") is not None


def test_a_deal_must_leave_what_is_written() -> None:
    deal = k00198()
    for step, right in (("C14W02", "C15W02"), ("C15W03", "C15W02")):
        assert problem_of(step, deal) == f"move 1, {step} on line 1: the move is {right} here"
    backwards = " -> ".join(re.findall(r"\w+", WRITTEN.partition("\n")[2]))
    assert problem_of(backwards, deal) == ("move 1, S06S00 on line 1: CK cannot go onto C9 of column 0")
    short = WRITTEN.replace("S06S00<-", "")
    assert problem_of(short, deal) == "the position after move 84 is not won"
    assert problem_of(WRITTEN, deal, replace(REPORT, redeals=4)) == (
        "move 75, R05C04 on line 3: no redeal is left, there were 4"
    )


def test_several_solutions_of_a_text() -> None:
    text = (
        "deal 1: won, 5 states, 2 moves\nS00T00 -> S01T01\n\ndeal 2: lost, 7 states\ndeal 3: undecided (limit)\n"
        "deal 4: won\n()\n# a remark\nS02S03<-S01S02<-\n S00S01\n"
    )
    found = read_solutions(text)
    assert [None if each is None else list(map(str, each)) for each in found] == [
        ["S00T00", "S01T01"],
        None,
        None,
        [],
        ["S00S01", "S01S02", "S02S03"],
    ]


def test_many_redeals_have_longer_numbers() -> None:
    step = solution.Step("R", 0x123, "C", 7, 1)
    assert str(step) == "R123C07"
    assert read_solutions("R123C07") == [(step,)]
    assert read_solutions("R0CC0A") == [(solution.Step("R", 12, "C", 10, 1),)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "my.txt: there is no solution in it"),
        ("# S00T00", "my.txt: there is no solution in it"),
        ("S00T00 ->", "my.txt, line 1: expected a move after the arrow"),
        ("-> S00T00", "my.txt, line 1: an arrow without a move before it"),
        ("S00T00 ->\n-> S00T00", "my.txt, line 2: an arrow without a move before it"),
        ("S00T00 -> S00T00 <- S00T00", "my.txt, line 1: the arrows of a solution must all point one way"),
        (
            "S00T00 -> S0T00",
            "my.txt, line 1: expected a move like S04T00 or C15W02 or an arrow, found 'S0T00'",
        ),
        ("S00T00, S01T00", "my.txt, line 1: expected a move like"),
        ("S00T0G", "my.txt, line 1: expected a move like"),
        ("(S6, D5)", "my.txt, line 1: expected a move like"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    assert error_of(text).startswith(message)


@given(st.text(alphabet="SWTCR0123AF<->()# \n", max_size=100) | st.text(max_size=60))
def test_any_text_is_read_or_is_the_user_s_error(anything: str) -> None:
    found = attempt(lambda: read_solutions(anything))
    for written in found or []:
        if written is not None:
            names = list(map(str, written))
            (again,) = read_solutions(join_written(names))
            assert again is not None
            assert list(map(str, again)) == names
            replay(k00198(), written, replace(REPORT, foundation_back=True))


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_solution_with_a_few_changes_is_replayed_or_is_the_user_s_error(data: st.DataObject) -> None:
    """The report's with characters or whole moves changed, and as ``solve`` prints it."""
    text = WRITTEN
    if data.draw(st.booleans()):
        moves = re.findall(r"\b[SWTCR][0-9A-F]{2,}\w+", text)[::-1]
        text = f"deal 1: won, 5 states, {len(moves)} moves, 5 redeals, 0.01 s\n{join_written(moves)}\ndeal 2: lost\n"
    parts = re.split(data.draw(st.sampled_from([r"(\w{6,})", r"(.)", r"(<?-+>?)", r"([^\n]*\n)"])), text)
    wanted = range(1, len(parts), 2)
    for _ in range(data.draw(st.integers(1, 3))):
        at, other = data.draw(st.sampled_from(wanted)), data.draw(st.sampled_from(wanted))
        new = st.sampled_from(
            ["", " ", "\n", "S07T00", "TFFS00", "R01C", "->", "<-", "()", "#", "é", "\0", "٣", "lost"]
        )
        parts[at] = data.draw(new | st.just(parts[other]))
    found = attempt(lambda: read_solutions("".join(parts)))
    for written in found or []:
        if written is not None:
            ended = replay(k00198(), written, REPORT)
            assert ended.problem is not None or rules.is_won(rules.replay(k00198(), ended.moves, REPORT))
