"""The referee: one test for each rule of the paper (section 2.1), and its search."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from superpuzz_helpers import as_deal, deal_of, figure, games

from engines.solitaire.limits import Bounds
from engines.superpuzz import core, rules
from engines.superpuzz.core import Mode
from engines.superpuzz.rows import format_deal
from engines.superpuzz.rules import Move, Position
from engines.text.cards import card_number, rank_of

CELLS = {name: 3 * row + column for row in range(4) for column, name in enumerate(f"{row}{c}" for c in "abc")}


def position(*rows: str) -> Position:
    """Three columns, so that twos are queens."""
    return deal_of("\n".join(rows)).position


def moves_into(state: Position, hole: str) -> set[str]:
    """The cells from which a card may go to a hole; cells are rows 0 to 3 and columns a to c."""
    names = {cell: name for name, cell in CELLS.items()}
    return {names[source] for source, to in rules.legal_moves(state) if to == CELLS[hole]}


def test_a_hole_in_the_leftmost_column_takes_any_ace_wherever_it_lies() -> None:
    state = position("-- S2 SA", "HA C2 H2", "D2 DA --", "-- CA --")
    assert moves_into(state, "0a") == {"0c", "1a", "2b", "3b"}
    assert moves_into(state, "3a") == {"0c", "1a", "2b", "3b"}


def test_another_hole_takes_the_next_card_of_the_suit_on_its_left() -> None:
    state = position("H2 S2 --", "HA -- C2", "SA -- DA", "CA -- D2")
    assert moves_into(state, "1b") == {"0a"}
    assert moves_into(state, "2b") == {"0b"}
    assert moves_into(state, "3b") == {"1c"}


def test_nothing_goes_right_of_a_queen_or_of_a_hole() -> None:
    state = position("H2 -- --", "HA CA C2", "SA S2 --", "-- DA D2")
    assert moves_into(state, "0b") == moves_into(state, "0c") == moves_into(state, "2c") == set()


def test_a_card_leaves_a_hole_where_it_was() -> None:
    state = position("H2 S2 --", "HA -- C2", "SA -- DA", "CA -- D2")
    after = rules.play(state, (CELLS["0a"], CELLS["1b"]))
    assert after == position("-- S2 --", "HA H2 C2", "SA -- DA", "CA -- D2")


@pytest.mark.parametrize(
    "move", [("0a", "2b"), ("1a", "1b"), ("0a", "0b"), ("1b", "0c"), ("1b", "1b"), ("2c", "0c")]
)
def test_other_moves_are_against_the_rules(move: tuple[str, str]) -> None:
    state = position("H2 S2 --", "HA -- C2", "SA -- DA", "CA -- D2")
    with pytest.raises(ValueError, match="no card may go"):
        rules.play(state, (CELLS[move[0]], CELLS[move[1]]))


def test_all_orders_of_suits_win() -> None:
    for suits in itertools.permutations("CDHS"):
        assert rules.is_won(position(*(f"{suit}A {suit}2 --" for suit in suits)))


@pytest.mark.parametrize(
    "rows",
    [
        ("CA -- C2", "DA D2 --", "HA H2 --", "SA S2 --"),
        ("-- CA C2", "DA D2 --", "HA H2 --", "SA S2 --"),
        ("CA D2 --", "DA C2 --", "HA H2 --", "SA S2 --"),
        ("C2 CA --", "DA D2 --", "HA H2 --", "SA S2 --"),
        ("CA C2 DA", "-- D2 --", "HA H2 --", "SA S2 --"),
    ],
)
def test_other_positions_are_not_won(rows: tuple[str, ...]) -> None:
    assert not rules.is_won(position(*rows))


def test_the_highest_rank_is_the_king_in_fewer_columns() -> None:
    six = figure("7").position
    assert len(six.holes) == 4
    assert max(rank_of(number) for number in six.cells) == 5
    two = deal_of("CA C2 / DA D2 / HA -- / SA --").position
    assert rules.is_won(two)


def test_positions_are_the_same_if_the_same_cards_lie_in_the_same_cells() -> None:
    a, b = (deal_of(f"S2 {x} {y} / HA -- SA / DA -- D2 / H2 CA C2") for x, y in (("S3", "C3"), ("D3", "S3")))
    assert a != b
    assert a.position == b.position


@given(games())
def test_cards_are_never_lost(game: tuple[object, list[Move]]) -> None:
    deal, moves = game
    assert rules.problem(rules.replay(deal.position, moves)) is None  # type: ignore[attr-defined]


def test_positions_that_are_none_are_told() -> None:
    good = figure("7").position
    assert rules.problem(good) is None
    assert "columns" in str(rules.problem(Position(1, (0, 0, 0, 0))))
    for cells in (good.cells[:-1], (17, *good.cells[1:]), (0, *good.cells[1:]), (6, *good.cells[1:])):
        assert cells == good.cells or "every card once" in str(rules.problem(Position(6, cells)))


def test_a_replay_names_the_move_that_is_wrong() -> None:
    with pytest.raises(ValueError, match="move 2: "):
        rules.replay(figure("7").position, [(5, 4), (5, 4)])


def test_a_card_put_where_it_could_stay_can_lose() -> None:
    """The example of an ace that can still move: no move is safe because it looks final."""
    start = position("S2 -- --", "HA -- SA", "DA -- D2", "H2 CA C2")
    assert any(rules.is_won(state) for state, _ in rules.reachable(start))
    after = rules.play(start, (CELLS["2c"], CELLS["2b"]))
    assert not any(rules.is_won(state) for state, _ in rules.reachable(after))


def test_the_search_finds_every_state_once_with_its_distance() -> None:
    start = figure("7").position
    first = dict(itertools.islice(rules.reachable(start), 2_000))
    assert len(first) == 2_000
    assert first[start] == 0
    for state, depth in list(first.items())[:200]:
        for move in rules.legal_moves(state):
            after = rules.play(state, move)
            assert after not in first or first[after] <= depth + 1


def test_two_columns_are_always_won() -> None:
    """All 1,680 positions; the paper says so (section 2.1)."""
    cards = [card_number(suit, 1) for suit in range(4)] + [0] * 4
    count = 0
    for cells in sorted(set(itertools.permutations(cards))):
        state = Position(2, cells)
        count += 1
        found = core.search(as_deal(state), Mode.census, Bounds())
        assert found.outcome == "won", format_deal(as_deal(state))
    assert count == 1680
