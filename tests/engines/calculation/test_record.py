"""Games as text: round trips, what the paper prints, and games that are against the rules."""

from __future__ import annotations

from importlib import resources

import pytest
from calculation_games import random_game
from hypothesis import given
from hypothesis import strategies as st
from refusals import attempt, complaint, each_changed

from engines.calculation import rules
from engines.calculation.position import read_position
from engines.calculation.record import format_game, format_moves, read_games, read_solutions, read_turns
from engines.calculation.replay import check_game, moves_between
from engines.calculation.rules import DRAWN, Move
from storage.errors import UserError

PRINTED = (resources.files("engines.calculation") / "examples" / "appendix-a1.turns").read_text()

games = st.tuples(st.integers(4, 13), st.integers(1, 5), st.integers(0, 10_000))


@given(games)
def test_games_are_read_back(game: tuple[int, int, int]) -> None:
    ranks, stacks, _ = game
    deck, moves = random_game(*game)
    whole = rules.replay(deck, moves, ranks, stacks)
    (of_moves,) = read_games(format_moves(deck, moves))
    assert of_moves.moves == tuple(moves)
    assert check_game(deck, of_moves, ranks, stacks) == whole
    (of_turns,) = read_games(format_game(deck, moves, ranks, stacks))
    found = check_game(deck, of_turns, ranks, stacks)
    assert (found.outcome, found.position, found.problem) == (whole.outcome, whole.position, None)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 100)), min_size=1, max_size=4))
def test_games_of_both_kinds_in_one_text(kinds: list[tuple[bool, int]]) -> None:
    texts = []
    for of_turns, seed in kinds:
        deck, moves = random_game(4, 2, seed)
        texts.append(format_game(deck, moves, 4, 2) if of_turns else format_moves(deck, moves))
    assert [bool(game.turns) for game in read_games("\n\n".join(texts))] == [kind for kind, _ in kinds]
    assert len(read_games("\n".join(f"deck {i}: won\n{text}" for i, text in enumerate(texts)))) == len(kinds)


def test_a_head_without_a_game() -> None:
    text = f"deal 1: lost, 5 dead ends\ndeal 2: won\nAF0\nDeck 3: undecided\n\ndeal 4\n{TURNS}deal 5: lost\n"
    found = read_solutions(text)
    assert [None if game is None else (len(game.moves), len(game.turns)) for game in found] == [
        None,
        (1, 0),
        None,
        (0, 2),
        None,
    ]
    assert read_games(text) == [found[1], found[3]]
    second = TURNS.index("1 : 2")
    with pytest.raises(UserError, match="line 10: expected turn 0 of a game, found turn 1"):
        read_games(TURNS[:second] + "deal 2\n" + TURNS[second:])


def test_the_turns_that_the_paper_prints() -> None:
    turns = {turn.number: turn for turn in read_turns(PRINTED)}
    assert list(turns) == [7, 8, 18, 19, 26, 27, 47, 48, 49, 50, 51]
    found = {}
    for number in (8, 19, 27, 48, 49, 50, 51):
        before, after = (turns[each].told(13).position for each in (number - 1, number))
        moves = moves_between(rules.draw(before, turns[number].rank), after)
        assert moves is not None
        found[number] = format_moves([turns[number].rank], moves)
    assert found[8] == "AS0"  # an ace that could be played
    assert found[19] == "7S1"
    assert found[50] == "4S2"
    assert after.is_won()


def test_the_example_is_the_printed_turn() -> None:
    (turn,) = (turn for turn in read_turns(PRINTED) if turn.number == 18)
    text = (resources.files("engines.calculation") / "examples" / "appendix-turn-18.position").read_text()
    assert read_position(text) == turn.told(13)


def test_the_paper_and_we_print_alike() -> None:
    deck, moves = random_game(13, 3, 1)
    ours = format_game(deck, moves, 13, 3).splitlines()
    theirs = PRINTED.splitlines()
    begin = theirs.index("7 : Q")
    assert ours[0].split(" : ")[0] == "0"
    assert theirs[begin + 1] == "0: A 2 3 4 5 6 7 8 9 T J Q K"
    assert theirs[begin + 2] == "1:   4 6 8 T Q A 3 5 7 9 J K"
    assert "1:   4 6 8 T Q A 3 5 7 9 J K" in ours


DECK = [1, 2, 3, 4] * 4
TURNS = """0 : A
0: 2 3 4
1: 2 4 A 3
2: 3 A 4 2
3: 4 3 2 A
0:
1:
=====
1 : 2
0: 3 4
1: 2 4 A 3
2: 3 A 4 2
3: 4 3 2 A
0:
1:
=====
"""
BAD_TURNS = [
    ("0: 3 4\n", "0: 4\n", "turn 1: no moves of a 2 and of stack tops lead to it"),
    ("1:\n=====\n1 :", "1: 3\n=====\n1 :", "turn 0: no moves of a A and of stack tops lead to it"),
    ("1 : 2", "1 : 3", "turn 1: 3 is drawn, but the deck has 2"),
    ("1 : 2", "1 : K", "turn 1: K is drawn, but the deck has 2"),
]
BAD_BOARDS = [
    ("0: 3 4\n", "0: 3\n", "games, line 10: is not how foundation 0 ends; the whole of it is A 2 3 4"),
    ("1:\n=====\n1", "2:\n=====\n1", "games, line 7: expected row '1:', found '2:'"),
    ("1:\n=====\n1", "=====\n1", "games, line 1: the turn has 1 stacks; there are 2"),
    ("3: 4 3 2 A\n0:\n1:\n=====\n1", "=====\n1", "games, line 1: the turn needs rows 0: to 3:"),
]


def test_a_few_turns() -> None:
    found = check_game(DECK, read_games(TURNS)[0], 4, 2)
    assert (found.outcome, found.draws_count, found.left_count, found.problem) == ("undecided", 2, 14, None)


@each_changed((TURNS, BAD_TURNS))
def test_a_turn_that_is_wrong(wrong: str, message: str) -> None:
    assert check_game(DECK, read_games(wrong)[0], 4, 2).problem == message


def test_a_card_that_the_deck_has_not_there() -> None:
    other = [2, 1, 3, 4, *DECK[4:]]
    found = check_game(other, read_games(TURNS)[0], 4, 2)
    assert found.problem == "turn 0: A is drawn, but the deck has 2"
    found = check_game([1, 3, 2, 4, *DECK[4:]], read_games("AF0 2F0")[0], 4, 2)
    assert (found.problem, found.draws_count) == ("turn 1: 2 is drawn, but the deck has 3", 1)


def test_an_illegal_move_is_named() -> None:
    assert (
        check_game(DECK, read_games("AF0 2S5")[0], 4, 2).problem
        == "move 2: there is no stack 5; stacks are 0 to 1"
    )


def test_spelling_of_moves_is_free() -> None:
    (game,) = read_games("af0 2s1 # so\n")
    assert game.moves == (Move(DRAWN, 0), Move(DRAWN, 5))
    (game,) = read_games("10S0 0F1 TS1 1S0 S0F2")
    assert game.drawn == (10, 10, 10, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AF0 XS1", "games, line 1: 'X' is no rank (A 2 3 4 5 6 7 8 9 T J Q K)"),
        ("AF0 2F4", "games, line 1: move 2: there is no foundation 4; they are 0 to 3"),
        (
            "AF0\n2F",
            "games, line 2: move 1: expected a move like 7S0 or S0F2, or a turn like 0 : Q, found '2F'",
        ),
        (TURNS.replace("0 : A", "3 : A"), "games, line 1: expected turn 0 of a game, found turn 3"),
        (TURNS.replace("1 : 2", "2 : 2"), "games, line 9: expected turn 1 of a game, found turn 2"),
        (
            TURNS.rpartition("=")[0].rstrip("=\n"),
            "games, line 9: the turn does not end; a line ===== ends it",
        ),
        (f"AF0\n{TURNS}".replace("0 : A", "1 : A"), "games, line 2: expected turn 0 of a game, found turn 1"),
    ],
)
def test_errors_in_games_name_the_line(text: str, message: str) -> None:
    assert complaint(lambda: read_games(text)) == message


@each_changed((TURNS, BAD_BOARDS))
def test_errors_in_boards_name_the_line(wrong: str, message: str) -> None:
    assert complaint(lambda: check_game(DECK, read_games(wrong)[0], 4, 2)).startswith(message)


@given(
    st.text()
    | st.lists(
        st.sampled_from([*TURNS.split(), *["AF0", "S0F1", "2S1"], "\n", "\n=====\n", "\n0 : A\n"])
    ).map(" ".join)
    | st.tuples(st.integers(0, len(TURNS)), st.sampled_from([*"A5-:\n# K=", ""])).map(
        lambda at: TURNS[: at[0]] + at[1] + TURNS[at[0] + 1 :]
    )
)
def test_any_text_is_games_or_refused(anything: str) -> None:
    attempt(lambda: [check_game(DECK, game, 4, 2) for game in read_games(anything)])
