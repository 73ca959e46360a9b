"""Solutions as text: the paper's, ours, with wrong names and without; what is wrong with others."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import attempt, mistyped
from superpuzz_helpers import as_deal, deal_of, figure, games, random_positions

from engines.solitaire.found import Replay
from engines.solitaire.limits import Bounds
from engines.superpuzz import core, paper, rules
from engines.superpuzz.core import Mode
from engines.superpuzz.deal import Deal
from engines.superpuzz.options import Order
from engines.superpuzz.replay import replay
from engines.superpuzz.rules import Move
from engines.superpuzz.solution import Solution, format_pairs, join_pairs, read_solutions
from storage.errors import UserError


def only(text: str, source: str = "solution") -> Solution:
    """The only solution of a text."""
    (solution,) = read_solutions(text, source)
    assert solution is not None
    return solution


def solved(count: int, order: Order) -> list[tuple[Deal, tuple[Move, ...]]]:
    """Deals of four columns with a solution."""
    found = []
    for position in random_positions(4, count, seed=11):
        deal = as_deal(position)
        moves = core.search(deal, Mode.census, Bounds(states_count=20_000), order).moves
        if moves:
            found.append((deal, moves))
    assert len(found) > count / 2
    return found


def test_figure_2_is_192_moves_with_two_wrong_kings() -> None:
    deal, written = figure("1"), only(paper.example("figure-2.solution"))
    found = replay(deal, written)
    assert (len(found.moves), found.counts["wrong_kings"], found.problem) == (192, [33, 35], None)
    assert rules.is_won(rules.replay(deal.position, found.moves))
    ours = format_pairs(deal, found.moves)
    differ = {
        n: (pair, str(theirs)) for n, (pair, theirs) in enumerate(zip(ours, written, strict=True), 1)
        if pair != str(theirs)
    }  # fmt: skip
    assert differ == {
        33: ("(CK, SA)", "(SK, SA)"),
        35: ("(CK, S3)", "(SK, S3)"),
        69: ("(HA, CK)", "(CK, HA)"),  # one slip in the order of a pair
    }


def test_figure_7_is_46_moves_and_printed_as_in_the_paper() -> None:
    deal, written = figure("7"), only(paper.example("figure-7.solution"))
    found = replay(deal, written)
    assert (len(found.moves), found.counts["wrong_kings"], found.problem) == (46, [], None)
    assert format_pairs(deal, found.moves) == [str(pair) for pair in written]


@given(games())
def test_printed_moves_are_read_back_exactly(game: tuple[Deal, list[Move]]) -> None:
    """Any legal moves, won or not: right names leave no choice."""
    deal, moves = game
    pairs = format_pairs(deal, moves)
    for text in (join_pairs(pairs), join_pairs(pairs, " "), " <- ".join(reversed(pairs)) or "( )"):
        found = replay(deal, only(text))
        assert found.moves == tuple(moves)
        assert found.counts["wrong_kings"] == []
        assert (found.problem is None) == rules.is_won(rules.replay(deal.position, moves))


@pytest.mark.parametrize("order", Order)
def test_solutions_win_whatever_the_kings_are_called(order: Order) -> None:
    chance = random.Random(5)
    for deal, moves in solved(100, order):
        pairs = format_pairs(deal, moves)
        right = replay(deal, only(join_pairs(pairs)))
        assert right == Replay(moves, None, {"wrong_kings": []})
        for names in (["S4"], ["--"], ["C4", "D4", "H4", "S4", "DK", "--"]):
            renamed = re.sub("[CDHS]4", lambda _, names=names: chance.choice(names), join_pairs(pairs))
            found = replay(deal, only(renamed))
            assert found.problem is None
            assert rules.is_won(rules.replay(deal.position, found.moves))
            assert len(found.moves) == len(moves)
            if names == ["--"]:
                assert found.counts["wrong_kings"] == []


def test_what_does_not_win_is_told() -> None:
    deal = deal_of("S2 -- -- / HA -- SA / DA -- D2 / H2 CA C2")
    lost = replay(deal, only("(D2, --)"))
    assert lost == Replay(((8, 7),), "the position after move 1 is not won", {"wrong_kings": []})
    assert replay(deal, only("()")).problem == "the position after move 0 is not won"
    stuck = replay(deal, only("(D2, --) ->\n(H2, --) -> (C2, --)"))
    assert stuck.moves == ((8, 7), (9, 4))
    assert stuck.problem == ("move 3, (C2, --) on line 2: C2 cannot move, there is no hole right of CA")
    assert replay(deal, only("(SA, H3)")).problem == (
        "move 1, (SA, H3) on line 1: SA cannot move, there is no hole in the leftmost column"
    )


def test_an_ace_may_go_to_a_choice_of_holes() -> None:
    """The names decide; without them the way that wins is found."""
    won = deal_of("-- CA C2 / DA D2 -- / HA H2 -- / -- SA S2")
    straight = replay(won, only("(CA, C3) -> (C2, C3) -> (SA, S3) -> (S2, S3)"))
    crossed = replay(won, only("(CA, S3) -> (SA, C3) -> (C2, C3) -> (S2, S3)"))
    assert (straight.moves, straight.problem) == (((1, 0), (2, 1), (10, 9), (11, 10)), None)
    assert (crossed.moves, crossed.problem) == (((1, 9), (10, 0), (2, 10), (11, 1)), None)
    assert straight.counts == crossed.counts == {"wrong_kings": []}
    assert replay(won, only("(CA, --) -> (C2, --) -> (SA, --) -> (S2, --)")).problem is None


def test_remarks_and_answers_of_solve() -> None:
    text = """deal 1: won, 12 states, 2 moves, 0.01 s
(C2, S6) -> (S6, SA)  # a comment
deal 2: lost, 3 states, 0.01 s
No. 1, 46 moves, 61705 states searched.

Undecided (limit: states), 5 states
()
(SA,--)
"""
    found = read_solutions(text)
    assert [None if each is None else [str(pair) for pair in each] for each in found] == [
        ["(C2, S6)", "(S6, SA)"],
        None,
        None,
        [],
        ["(SA, --)"],
    ]


@pytest.mark.parametrize("arrows", [["->", "-->", "→"], ["<-", "<---", "←"]])
def test_arrows(arrows: list[str]) -> None:
    pairs = ["(C2, S6)", "(S6, SA)", "(DA, D6)", "(D2, H6)"]
    typed = "\n".join(f"{pair} {arrow}" for pair, arrow in zip(pairs, [*arrows, ""], strict=True))
    found = [str(pair) for pair in only(typed)]
    assert found == (pairs if ">" in arrows[0] else pairs[::-1])


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "there is no solution in it"),
        ("# nothing", None, "there is no solution in it"),
        ("(C2, S6) ->\n", 2, "expected a move after the arrow"),
        ("-> (C2, S6)", 1, "an arrow without a move before it"),
        ("(C2, S6) -> -> (D2, S6)", 1, "an arrow without a move before it"),
        ("(C2, S6) -> (D2, S6)\n<- (D3, S6)", 2, "the arrows of a solution must all point one way"),
        ("(C2, S6) -> ()", 1, "expected a move after the arrow"),
        ("(C2, S6)\n-> (C3 S6)", 2, "expected a move like (S6, D5) or an arrow, found '(C3'"),
        ("C2, S6", 1, "expected a move like (S6, D5) or an arrow, found 'C2,'"),
        ("(C2, S6, S7)", 1, "expected a move like"),
        ("(C2, X6)", 1, "'X6' is no card"),
        ("(C2, )", 1, "'' is no card"),
        ("\n(" + "x" * 99 + ", S6)", 2, "'" + "x" * 20 + "...' is no card"),
    ],
)
def test_errors_name_the_line(text: str, line: int | None, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read_solutions(text, "my.txt")
    assert caught.value.field == ("my.txt" if line is None else f"my.txt, line {line}")
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("(C2, S5)", "(C2, S5) must be a card and a king (kings are C6 to S6)"),
        ("(C6, SK)", "must be a card and a king"),
        ("(--, S6)", "must be a card and a king"),
        ("(S7, S6)", "S7 is no card of a deal of 6 columns"),
    ],
)
def test_pairs_are_a_card_of_the_deal_and_a_king(pair: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        replay(figure("7"), only(f"\n{pair}", "my.txt"))
    assert caught.value.field == "my.txt, line 2"


def test_too_many_positions_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.superpuzz.replay.POSITIONS_MAX", 1)
    with pytest.raises(UserError, match="name the right kings"):
        replay(deal_of("-- CA C2 / DA D2 -- / HA H2 -- / -- SA S2"), only("(CA, --)"))


@given(st.text(alphabet="(),<->CDHSA26K#\nwon lost.", max_size=80) | st.text(max_size=40))
def test_any_text_is_read_or_is_the_user_s_error(anything: str) -> None:
    attempt(lambda: [replay(figure("7"), each) for each in read_solutions(anything) if each is not None])


@given(games(columns_max=4), st.data())
def test_a_solution_with_changed_words_is_judged_without_a_traceback(
    game: tuple[Deal, list[Move]], data: st.DataObject
) -> None:
    deal, moves = game
    typed = data.draw(mistyped([join_pairs(format_pairs(deal, moves))], ["", *"A2CSK)>"]))
    for solution in attempt(lambda: read_solutions(typed)) or []:
        found = None if solution is None else attempt(lambda each=solution: replay(deal, each))
        if found is not None:
            end = rules.replay(deal.position, found.moves)
            assert (found.problem is None) == (rules.is_won(end) and len(found.moves) == len(solution))
