"""Decks and positions as text: round trips, free spelling, and errors that name the place."""

from __future__ import annotations

import random
from importlib import resources

import pytest
from calculation_games import random_deck, random_game
from hypothesis import given
from hypothesis import strategies as st
from refusals import attempt, complaint, each_changed

from engines.calculation import rules
from engines.calculation.position import Targets, Told, format_position, format_told, read_position, untold
from engines.calculation.text import format_deck, format_numbers, read_decks
from storage.errors import UserError

PRINTED = (resources.files("engines.calculation") / "examples" / "section-3.2.position").read_text()
SMALL = "A 2 3 4 A 2 3 4 A 2 3 4 A 2 3 4"
BAD_POSITIONS = [
    (
        "foundations",
        "piles",
        "position, line 3: expected row '0:', found 'piles'; a position has a row for each",
    ),
    ("2: 3 6 9", "4: 3 6 9", "position, line 6: expected row '2:', found '4: 3 6 9 Q 2 5 8 J A...'"),
    ("stacks\n", "stacks\nfoundations\n", "position, line 10: 'foundations' comes after 4 rows;"),
    ("7 9 J K", "7 9 K J", "position, line 5: is not how foundation 1 ends; the whole of it is 2 4 6 8"),
    ("3 4 5", "X 4 5", "position, line 4: 'X' is no rank (A 2 3 4 5 6 7 8 9 T J Q K)"),
    ("8-2", "8-4", "position, line 10: expected RANK or RANK-FOUNDATION (as in 8-2), found '8-4'"),
    ("8-2", "8-", "position, line 10: expected RANK or RANK-FOUNDATION (as in 8-2), found '8-'"),
    ("J-1", "A-3", "position, line 12: A-3 lies on the stacks twice"),
    ("J-1", "4-3", "position, line 12: 4-3 has left already: foundation 3 does not wait for it"),
    (
        "J-1",
        "2 2 2",
        "position, line 12: a fifth 2; on foundations, on stacks and drawn there are at most 4",
    ),
    ("2: K-3", "3: K-3", "position, line 12: expected row '2:'"),
    ("# What", "ranks: 14 #", "position, line 2: '14' is no number of ranks from 4 to 13"),
    ("stacks\n", "ranks: 13\n", "position, line 9: ranks: comes before all rows"),
    ("stacks\n", "drawn: 4\n", "position, line 10: nothing comes after drawn:, but here is '0: 8-2"),
]


@given(st.lists(st.tuples(st.integers(4, 13), st.integers(0, 1000)), max_size=3))
def test_decks_are_read_back(sizes: list[tuple[int, int]]) -> None:
    decks = [tuple(random_deck(*size)) for size in sizes]
    assert read_decks("# decks\n\n" + "\n".join(f"{format_deck(deck)} # a deck" for deck in decks)) == decks


def test_spelling_of_decks_is_free() -> None:
    ranks = [*range(1, 14)] * 4
    bare = " ".join(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"] * 4)
    suits = " ".join(
        f"{rank}{suit}"
        for suit in "cdhs"
        for rank in ["a", "2", "3", "4", "5", "6", "7", "8", "9", "0", "j", "q", "k"]
    )
    assert read_decks(f"{bare}\r\n{suits}\r") == [tuple(ranks), tuple(ranks)]
    numbers = format_numbers(ranks)
    assert read_decks(f"{numbers}\n{numbers.replace(' ', ', ')}") == [tuple(ranks), tuple(ranks)]
    assert read_decks(suits.translate(str.maketrans("cdhs", "♣♦♥♠"))) == [tuple(ranks)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A 2 3 X", "decks, line 1: card 4: 'X' is no card; cards are like 7 or S7"),
        (f"\n{SMALL[:-1]}3", "decks, line 2: card 16: a fifth 3; each rank is there four times"),
        (SMALL[:-2], "decks, line 1: 3 4 among 15 cards; each rank of A to 4 is there four times"),
        ("K", "decks, line 1: no A among 1 cards; each rank of A to K is there four times"),
        ("S7 H7 S7", "decks, line 1: card 3: S7 is there twice"),
        ("S7 7", "decks, line 1: card 2: '7': all cards of a deck have suits, or none"),
        ("7 S7", "decks, line 1: card 2: 'S7': all cards of a deck have suits, or none"),
    ],
)
def test_errors_in_decks_name_the_card(text: str, message: str) -> None:
    assert complaint(lambda: read_decks(text)) == message


@given(st.text() | st.lists(st.sampled_from([*"A23456789TJQK", "10", "S7", "\n", "#"])).map(" ".join))
def test_any_text_is_decks_or_refused(anything: str) -> None:
    for deck in attempt(lambda: read_decks(anything)) or []:
        rules.check_deck(deck, len(deck) // 4)


def random_told(ranks: int, stacks: int, seed: int) -> Told:
    """A position within a game by chance, some cards on stacks with a foundation that still waits for them."""
    dice = random.Random(seed)
    deck, moves = random_game(ranks, stacks, seed)
    count = dice.randrange(len(moves) + 1)
    position = [rules.start(ranks, stacks), *rules.positions(deck, moves[:count], ranks, stacks)][-1]
    drawn = sum(move.source == rules.DRAWN for move in moves[:count])
    free = {
        (rank, foundation)
        for foundation, height in enumerate(position.heights)
        for rank in rules.row(foundation, ranks)[height:]
    }
    targets: list[tuple[int | None, ...]] = []
    for stack in position.stacks:
        theirs: list[int | None] = []
        for rank in stack:
            chosen = dice.choice([None, *(each for each in sorted(free) if each[0] == rank)])
            theirs.append(None if chosen is None else chosen[1])
            free.discard(chosen or (0, 0))
        targets.append(tuple(theirs))
    if dice.random() < 0.5 and drawn < len(deck):
        position = rules.draw(position, deck[drawn])
    return Told(position, tuple(targets))


@given(st.integers(4, 13), st.integers(1, 5), st.integers(0, 10_000))
def test_positions_are_read_back(ranks: int, stacks: int, seed: int) -> None:
    told = random_told(ranks, stacks, seed)
    assert read_position(format_position(told.position, told.targets)) == told
    assert read_position(format_told(told)) == told
    bare = Told(told.position, untold(told.position))
    assert read_position(format_position(bare.position, bare.targets)) == bare


def test_the_printed_position() -> None:
    told = read_position(PRINTED)
    assert told.position.heights == (2, 4, 0, 3)
    assert told.position.stacks[1] == (9, 1, 12, 11, 6)
    assert told.assignment() == ((2, 2, 2, 1), (1, 3, 0, 0, 3), (3, 1, 3, 3, 1))
    assert told.position.drawn is None


def test_some_cards_without_a_foundation() -> None:
    told = read_position(PRINTED.replace("8-2 5-2", "8 5-2"))
    assert told.targets[0] == (None, 2, 2, 1)
    assert told.assignment() is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("T", "10"),
        ("J", "j"),
        ("A-", "1-"),
        ("0: 3 4", "0:3   4"),
        ("foundations", "台の状態"),
        ("\nstacks", "\nスタックの状態"),
        ("foundations\n", "ranks: 13\n"),
        ("\nstacks\n", "\n\n"),
        ("\n", "\r\n"),
    ],
)
def test_spelling_of_positions_is_free(old: str, new: str) -> None:
    assert old in PRINTED
    assert read_position(PRINTED.replace(old, new)) == read_position(PRINTED)


def test_a_drawn_card() -> None:
    assert read_position(PRINTED + "drawn: t\n").position.drawn == 10


@each_changed((PRINTED, BAD_POSITIONS))
def test_errors_in_positions_name_the_line(wrong: str, message: str) -> None:
    assert complaint(lambda: read_position(wrong)).startswith(message)


def test_a_drawn_card_that_the_pile_has_not() -> None:
    with pytest.raises(UserError, match="line 14: a fifth K"):
        read_position(PRINTED.replace("J-1", "J-1 K-0 K-2") + "\ndrawn: K")


def test_too_many_stacks() -> None:
    with pytest.raises(UserError, match="a game has at most 12 stacks"):
        read_position(PRINTED + "\n".join(f"{number}:" for number in range(3, 13)))


def test_missing_parts_are_refused() -> None:
    for part in ["", "foundations\n0:\n1:\n2:\n3:\n", PRINTED.partition("3: 3 7")[0]]:
        with pytest.raises(UserError, match="needs rows 0: to 3: of 'foundations' and rows 0: and so on of"):
            read_position(part)


@given(
    st.text()
    | st.lists(st.sampled_from([*PRINTED.split(), "\n", "#", "10", "8-9", "4:", "drawn:", "ranks:"])).map(
        " ".join
    )
    | st.tuples(st.integers(0, len(PRINTED)), st.sampled_from([*"A5-:\n# K", ""])).map(
        lambda at: PRINTED[: at[0]] + at[1] + PRINTED[at[0] + 1 :]
    )
)
def test_any_text_is_a_position_or_refused(anything: str) -> None:
    told = attempt(lambda: read_position(anything))
    if told is not None:
        assert read_position(format_position(told.position, told.targets)) == told


def test_targets_go_with_the_cards() -> None:
    targets: Targets = untold(read_position(PRINTED).position)
    assert list(map(len, targets)) == [4, 5, 5]
