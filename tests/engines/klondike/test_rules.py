"""The referee: a test for each rule and each option, the report's game, and its search."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from klondike_helpers import ALL_RULES, LATE_COLUMNS, games, k00198, position_of, small_positions

from engines.klondike import paper, rules, solution
from engines.klondike.rules import REPORT, Kind, Move, Position, RedealRule, Rules
from engines.text.cards import name_of

STANDARD = replace(REPORT, redeal_rule=RedealRule.standard)

COLUMNS = position_of("foundations: C9 D9 H9 S9", "waste: SQ S0", *LATE_COLUMNS)


def moves_of(position: Position, kind: Kind, options: Rules = REPORT) -> set[tuple[int, int, int]]:
    """Source, target and number of cards of all legal moves of a kind."""
    return {move[1:] for move in rules.legal_moves(position, options) if move.kind == kind}


def refusal(position: Position, move: Move, options: Rules = REPORT) -> str:
    """Why a move is refused."""
    assert move not in rules.legal_moves(position, options)
    with pytest.raises(ValueError, match=r".") as caught:
        rules.play(position, move, options)
    return str(caught.value)


def stocked(stock_count: int, waste_count: int, redeals_count: int = 0) -> Position:
    """The report's deal, as if stock and waste had no more than so many cards: those that come first."""
    deal = k00198()
    waste = deal.stock[:waste_count]
    stock = deal.stock[waste_count : waste_count + stock_count]
    return replace(deal, stock=stock, waste=waste, redeals_count=redeals_count)


def names(cards: tuple[int, ...]) -> str:
    """Cards as text."""
    return " ".join(map(name_of, cards))


def test_a_deal_is_columns_first_then_the_stock() -> None:
    deal = rules.first_position(range(1, 32))
    assert deal.columns[:3] == ((1,), (2, 3), (4, 5, 6))
    assert deal.columns[6] == tuple(range(22, 29))
    assert deal.face_down == (0, 1, 2, 3, 4, 5, 6)
    assert deal.stock == (29, 30, 31)
    assert deal.foundations == (0, 0, 13, 13)
    assert deal.waste == ()


def test_runs_go_onto_the_other_colour_one_rank_higher_and_kings_to_empty_columns() -> None:
    assert moves_of(COLUMNS, Kind.COLUMN_COLUMN) == {(0, 2, 1), (1, 2, 1), (1, 3, 2), (2, 3, 1), (2, 4, 3)}
    for move, reason in (
        (Move(Kind.COLUMN_COLUMN, 0, 1, 1), "H0 cannot go onto D0 of column 1"),
        (Move(Kind.COLUMN_COLUMN, 5, 3, 2), "HJ cannot go onto HQ of column 3"),
        (Move(Kind.COLUMN_COLUMN, 0, 4, 1), "H0 cannot go to the empty column 4, only a king can"),
        (Move(Kind.COLUMN_COLUMN, 0, 2, 2), "column 0 has 1 face-up cards, so that 2 cannot move"),
        (Move(Kind.COLUMN_COLUMN, 4, 2, 1), "column 4 has 0 face-up cards, so that 1 cannot move"),
        (Move(Kind.COLUMN_COLUMN, 2, 2, 1), "a column cannot go onto itself"),
    ):
        assert refusal(COLUMNS, move) == reason


def test_a_card_that_becomes_the_top_is_turned_up() -> None:
    after = rules.play(COLUMNS, Move(Kind.COLUMN_COLUMN, 1, 3, 2), REPORT)
    assert names(after.columns[1]) == "DK CQ"
    assert names(after.columns[3]) == "HK HQ SJ D0"
    assert after.face_down == (1, 1, 0, 1, 0, 1)
    after = rules.play(after, Move(Kind.COLUMN_COLUMN, 0, 2, 1), REPORT)
    assert after.face_down == (0, 1, 0, 1, 0, 1)
    assert (0, 4, 1) in moves_of(after, Kind.COLUMN_COLUMN)
    after = rules.play(COLUMNS, Move(Kind.COLUMN_COLUMN, 2, 4, 3), REPORT)
    assert (after.columns[2], after.face_down[2]) == ((), 0)


def test_foundations_go_up_by_suit() -> None:
    assert moves_of(COLUMNS, Kind.COLUMN_FOUNDATION) == {(0, 0, 0), (1, 0, 0), (5, 0, 0)}
    assert refusal(COLUMNS, Move(Kind.COLUMN_FOUNDATION, 2)) == "CJ cannot go to the foundation, C0 is next"
    assert refusal(COLUMNS, Move(Kind.COLUMN_FOUNDATION, 4)) == "column 4 is empty"
    after = rules.play(COLUMNS, Move(Kind.COLUMN_FOUNDATION, 5), REPORT)
    assert after.foundations == (10, 9, 9, 9)
    assert (2, 0, 0) in moves_of(after, Kind.COLUMN_FOUNDATION)


def test_the_top_of_the_waste_is_in_play() -> None:
    assert moves_of(COLUMNS, Kind.WASTE_FOUNDATION) == {(0, 0, 0)}
    assert moves_of(COLUMNS, Kind.WASTE_COLUMN) == set()
    assert refusal(COLUMNS, Move(Kind.WASTE_COLUMN, 0, 2)) == "S0 cannot go onto CJ of column 2"
    open_jack = rules.play(COLUMNS, Move(Kind.COLUMN_FOUNDATION, 5), REPORT)
    assert moves_of(open_jack, Kind.WASTE_COLUMN) == {(0, 5, 0)}
    laid = rules.play(open_jack, Move(Kind.WASTE_COLUMN, 0, 5), REPORT)
    assert (names(laid.columns[5]), names(laid.waste)) == ("DJ HJ S0", "SQ")
    up = rules.play(COLUMNS, Move(Kind.WASTE_FOUNDATION), REPORT)
    assert (up.foundations, names(up.waste)) == ((9, 9, 9, 10), "SQ")
    bare = replace(up, waste=())
    assert refusal(bare, Move(Kind.WASTE_FOUNDATION)) == "the waste is empty"
    assert refusal(bare, Move(Kind.WASTE_COLUMN, 0, 2)) == "the waste is empty"


def test_cards_go_back_from_a_foundation_if_the_rules_allow_it() -> None:
    back = replace(REPORT, foundation_back=True)
    assert moves_of(COLUMNS, Kind.FOUNDATION_COLUMN) == set()
    assert refusal(COLUMNS, Move(Kind.FOUNDATION_COLUMN, 0, 0)) == "no card may go back from a foundation"
    expected = {(0, 0, 0), (0, 1, 0), (3, 0, 0), (3, 1, 0), (1, 5, 0), (2, 5, 0)}
    assert moves_of(COLUMNS, Kind.FOUNDATION_COLUMN, back) == expected
    after = rules.play(COLUMNS, Move(Kind.FOUNDATION_COLUMN, 3, 1), back)
    assert (names(after.columns[1]), after.foundations) == ("DK CQ SJ D0 S9", (9, 9, 9, 8))
    assert rules.play(after, Move(Kind.COLUMN_FOUNDATION, 1), back) == COLUMNS
    empty = replace(COLUMNS, foundations=(0, 9, 9, 9))
    assert refusal(empty, Move(Kind.FOUNDATION_COLUMN, 0, 4), back) == "the foundation is empty"


@pytest.mark.parametrize("draw", [1, 3])
def test_a_deal_turns_up_one_or_three_cards(draw: int) -> None:
    before = stocked(9, 2)
    after = rules.play(before, Move(Kind.DEAL), replace(REPORT, draw=draw))
    assert after.waste == before.waste + before.stock[:draw]
    assert after.stock == before.stock[draw:]
    assert moves_of(before, Kind.REDEAL, replace(REPORT, draw=draw)) == set()
    assert refusal(before, Move(Kind.REDEAL), replace(REPORT, draw=draw)) == (
        "9 cards are left in the stock, they are dealt before a redeal"
    )


def test_carry_leaves_the_last_cards_on_top_of_the_new_stock() -> None:
    before = stocked(2, 5)
    assert refusal(before, Move(Kind.DEAL)) == "2 cards in the stock and 5 in the waste: nothing is dealt"
    after = rules.play(before, Move(Kind.REDEAL), REPORT)
    assert after.stock == before.stock + before.waste
    assert (after.waste, after.redeals_count) == ((), 1)
    assert len(rules.play(stocked(3, 5), Move(Kind.DEAL), REPORT).waste) == 8


def test_standard_deals_the_last_cards() -> None:
    before = stocked(2, 5)
    assert "2 cards are left in the stock" in refusal(before, Move(Kind.REDEAL), STANDARD)
    dealt = rules.play(before, Move(Kind.DEAL), STANDARD)
    assert (dealt.stock, dealt.waste) == ((), before.waste + before.stock)
    after = rules.play(dealt, Move(Kind.REDEAL), STANDARD)
    assert (after.stock, after.waste, after.redeals_count) == (dealt.waste, (), 1)


@pytest.mark.parametrize("left", [1, 2])
def test_the_last_cards_are_dealt_with_an_empty_waste_or_not(left: int) -> None:
    before = stocked(left, 0)
    after = rules.play(before, Move(Kind.DEAL), REPORT)
    assert (after.stock, after.waste) == ((), before.stock)
    assert after.redeals_count == 0
    never = replace(REPORT, deal_last=False)
    assert refusal(before, Move(Kind.DEAL), never).endswith("nothing is dealt")
    assert refusal(before, Move(Kind.REDEAL), never) == "the waste is empty, there is nothing to redeal"
    # It is an option of carry alone.
    assert rules.play(before, Move(Kind.DEAL), replace(STANDARD, deal_last=False)) == after


def test_with_one_card_at_a_time_both_redeal_rules_are_the_same() -> None:
    for stock, waste in itertools.product(range(4), range(4)):
        before = stocked(stock, waste)
        found = {
            tuple(rules.legal_moves(before, Rules(1, None, rule, deal_last, False)))
            for rule in RedealRule
            for deal_last in (False, True)
        }
        assert len(found) == 1


def test_redeals_run_out() -> None:
    for options in (replace(REPORT, redeals=2), replace(STANDARD, redeals=2)):
        after = rules.play(stocked(0, 7, 1), Move(Kind.REDEAL), options)
        assert after.redeals_count == 2
        assert refusal(stocked(0, 7, 2), Move(Kind.REDEAL), options) == "no redeal is left, there were 2"
    assert rules.play(stocked(0, 7, 100), Move(Kind.REDEAL), REPORT).redeals_count == 101
    assert "no redeal is left" in refusal(stocked(0, 7), Move(Kind.REDEAL), replace(REPORT, redeals=0))
    nothing = stocked(0, 0)
    assert not {Kind.DEAL, Kind.REDEAL} & {move.kind for move in rules.legal_moves(nothing, REPORT)}


def test_won_is_complete_or_surely_so() -> None:
    end = position_of(paper.example("k00198-won.deal"))
    assert rules.is_won(end)
    assert not rules.is_won(k00198())
    (last,) = end.stock
    assert rules.is_won(replace(end, stock=(), waste=(last,)))
    assert not rules.is_won(replace(end, waste=(last,)))
    assert not rules.is_won(replace(end, face_down=(1, 0, 0, 0, 0, 0, 0)))
    assert rules.is_won(replace(end, columns=((),) * 7, foundations=(13,) * 4, stock=()))


def test_the_report_s_game_from_first_to_last() -> None:
    """Figure 2 leads from figure 1 a) to figure 1 b), with five redeals."""
    deal, end = k00198(), position_of(paper.example("k00198-won.deal"))
    (written,) = solution.read_solutions(paper.example("k00198.solution"))
    assert written is not None
    found = solution.replay(deal, written, REPORT)
    assert (len(found.moves), found.counts["redeals_count"], found.problem) == (85, 5, None)
    assert rules.replay(deal, found.moves, REPORT) == end
    assert solution.format_moves(deal, found.moves, REPORT) == list(map(str, written))
    # It needs the redeals, cards that stay on top, and three cards at a time; not that the last ones are dealt.
    for options, right in (
        (replace(REPORT, redeals=5), True),
        (replace(REPORT, redeals=4), False),
        (replace(REPORT, draw=1), False),
        (STANDARD, False),
        (replace(REPORT, deal_last=False), True),
        (replace(REPORT, foundation_back=True), True),
    ):
        assert (solution.replay(deal, written, options).problem is None) == right
    backwards = tuple(reversed(found.moves))
    with pytest.raises(ValueError, match=r"^move 1: "):
        rules.replay(deal, backwards, REPORT)


def test_what_is_no_position() -> None:
    def problem(**changes: object) -> str:
        found = rules.problem(replace(COLUMNS, **changes))  # type: ignore[arg-type]
        assert found is not None
        return found

    assert rules.problem(COLUMNS) is None
    assert problem(columns=()) == "0 columns; there are 1 to 7"
    assert problem(ranks=14) == "14 ranks; there are 1 to 13"
    assert problem(foundations=(14, 9, 9, 9)) == "each of the 4 foundations must hold 0 to 13 cards"
    assert "every card once" in problem(waste=())
    assert "every card once" in problem(foundations=(8, 9, 9, 9))
    assert "must be given" in problem(face_down=(0,))
    assert problem(face_down=(1, 2, 4, 1, 0, 1)) == "column 2 has 3 cards, so that 4 cannot lie face down"
    assert problem(face_down=(2, 2, 0, 1, 0, 1)) == "column 0: its top card, H0, must lie face up"
    assert problem(face_down=(0, 2, 0, 1, 0, 1)) == (
        "column 0: H0 cannot lie face up on CK, which lies face up"
    )


def test_the_search_finds_the_fewest_moves_to_the_last_card() -> None:
    start = position_of("stock: DA C2 D3", "0: | C3", "1: CA | D2")
    # By ones: three draws, six cards go up.
    assert rules.shortest(start, replace(REPORT, draw=1, redeals=0)) == 9
    # By threes: a draw, D2 onto C3, D3 to the column that CA has left, six cards go up.
    assert rules.shortest(start, replace(REPORT, redeals=0)) == 9
    # A draw, and two cards go up.
    assert rules.shortest(position_of("stock: C2", "0: | CA"), REPORT) == 3


def test_redeals_are_no_moves() -> None:
    start = position_of("stock: C2 CA", "0: | C3", "foundations: D3")
    # Two draws, CA goes up, then C2 and C3.
    assert rules.shortest(start, Rules(draw=1)) == 5
    # C3 waits in the stock, and has to be dealt once more.
    start = position_of("stock: C3 CA", "0: | C4", "1: C2 | D4", "foundations: D3")
    assert rules.shortest(start, Rules(draw=1)) == rules.shortest(start, Rules(draw=1, redeals=0))


def test_the_search_counts_redeals_where_they_are_limited() -> None:
    # Nothing can be played: the positions are those of stock and waste.
    start = position_of("stock: C2 C5", "0: | C3", "1: CA | C4")
    for options, count in (
        (replace(REPORT, draw=1), 3),
        (replace(REPORT, draw=1, redeals=0), 3),
        (replace(REPORT, draw=1, redeals=2), 9),
        (REPORT, 2),
        (replace(REPORT, redeals=3), 8),
        (replace(REPORT, deal_last=False), 1),
        (replace(STANDARD, redeals=1), 4),
    ):
        assert len(list(rules.reachable(start, options))) == count
        assert rules.shortest(start, options) is None


@settings(max_examples=60, deadline=None)
@given(games())
def test_legal_moves_are_those_that_are_not_refused(game: tuple[Position, Rules, list[Move]]) -> None:
    position, options, moves = game
    position = rules.replay(position, moves, options)
    legal = rules.legal_moves(position, options)
    assert len(set(legal)) == len(legal)
    every = [
        Move(kind, source, target, count)
        for kind in Kind
        for source in range(7 if kind <= 1 else 4 if kind == Kind.FOUNDATION_COLUMN else 1)
        for target in range(7 if kind in (0, 2, 4) else 1)
        for count in (range(14) if kind == 0 else (0,))
    ]
    assert {move for move in every if rules.illegal(position, move, options) is None} == set(legal)
    for move in legal:
        assert rules.problem(rules.play(position, move, options)) is None


@settings(max_examples=100, deadline=None)
@given(small_positions())
def test_small_positions_stay_positions(game: tuple[Position, Rules]) -> None:
    position, options = game
    assert rules.problem(position) is None
    for _, (after, _) in zip(range(30), rules.reachable(position, options), strict=False):
        assert rules.problem(after) is None


def test_all_rules_are_tried() -> None:
    assert len(set(ALL_RULES)) == 64
