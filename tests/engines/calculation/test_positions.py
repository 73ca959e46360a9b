"""Positions of Calculation for every door: with a pile that is known or not, replayed from decks and from boards."""

from __future__ import annotations

from pathlib import Path

import pytest
from position_helpers import names_on, read_back, walk

from engines.calculation.core import random_deck
from engines.calculation.options import Rules
from engines.calculation.positions import CalculationPositions
from engines.calculation.record import format_game, format_moves
from engines.calculation.replay import replay
from engines.calculation.text import format_deck
from engines.contract.registry import game
from storage.errors import UserError

EXAMPLES = Path("engines/calculation/examples")
WHOLE = sorted("A23456789TJQK" * 4)
POSITIONS = CalculationPositions()


@pytest.mark.parametrize("seed", range(4))
def test_every_position_of_a_game_is_read_back_and_shows_each_card_once(seed: int) -> None:
    (start,) = POSITIONS.read(format_deck(random_deck(seed, 0, 13)), "deck")
    plays = walk(POSITIONS, start, Rules(), seed, 70)
    assert len(plays) > 52
    for position in (start, *(play.after for play in plays)):
        assert names_on(read_back(POSITIONS, position)) == WHOLE


@pytest.mark.parametrize("name", ["section-3.2", "appendix-turn-18"])
def test_boards_of_the_paper_are_drawn_with_a_pile_that_nobody_knows(name: str) -> None:
    (position,) = POSITIONS.read((EXAMPLES / f"{name}.position").read_text(), name)
    names = names_on(read_back(POSITIONS, position))
    assert len(names) == 52
    assert names.count("") == sum(position.position.pile().values())
    notes = [card.note for pile in POSITIONS.picture(position).piles for card in pile.cards if card.note]
    assert len(notes) == sum(map(len, position.position.stacks))


def test_a_game_is_replayed_from_its_deck_as_check_replays_it() -> None:
    deck = random_deck(5, 0, 13)
    (start,) = POSITIONS.read(format_deck(deck), "deck")
    plays = walk(POSITIONS, start, Rules(), 2, 200)
    written = " ".join(play.written for play in plays)
    found = POSITIONS.replay(format_deck(deck), written, Rules())
    assert (found.problem, found.ending) == (None, "lost")
    assert [step.words for step in found.steps] == [play.words for play in plays]
    assert found.positions[-1] == plays[-1].after
    # Each drawn card is there before its move.
    for before, step in zip(found.positions, found.steps, strict=False):
        is_draw = not step.written.startswith("S")
        assert is_draw == (before.position.drawn is not None)
        assert POSITIONS.read(POSITIONS.write(before), "it") == [before]
    (read,) = game("calculation").read_solutions(written, "it")
    moves = replay(deck, read, Rules()).moves
    assert format_moves(deck, moves) == written
    boards = format_game(deck, moves, 13, 3)
    # Moves within a turn may be told in another order.
    of_boards = POSITIONS.replay(format_deck(deck), boards, Rules())
    assert (of_boards.problem, of_boards.positions[-1]) == (None, found.positions[-1])


def test_a_game_goes_on_from_a_board() -> None:
    text = (EXAMPLES / "section-3.2.position").read_text()
    found = POSITIONS.replay(text, "3F0 4S0 2F2 S1F1", Rules())
    assert [step.written for step in found.steps] == ["3F0", "4S0"]
    assert found.problem == "move 3: foundation 2 waits for rank 3, not 2"
    assert found.steps[1].words == "4 from the pile to stack 0"
    (stack,) = (stack for stack in found.positions[-1].targets if stack[-1] is None)
    assert stack == (2, 2, 2, 1, None)


def test_a_pile_that_is_told_decides_what_is_drawn() -> None:
    (start,) = POSITIONS.read(format_deck(random_deck(1, 0, 4)), "deck")
    text = POSITIONS.write(start)
    other = next(name for name in "A234" if name != "A234"[start.pile[0] - 1])
    found = POSITIONS.replay(text, f"{other}S0", Rules())
    assert found.steps == ()
    assert found.problem is not None
    assert "but the next card is" in found.problem
    with pytest.raises(UserError, match="cards of rank A; there are 4 left"):
        POSITIONS.read(f"{text} A", "it")
    with pytest.raises(UserError, match="nothing comes after pile:"):
        POSITIONS.read(f"{text} / drawn: A", "it")


def test_cards_that_lie_on_foundations_already_are_laid_for_nothing() -> None:
    deck = list(random_deck(1, 0, 13))
    for rank in (1, 2, 3, 4):
        deck.remove(rank)
    found = POSITIONS.replay(" ".join(map(str, deck)), "AF0 2F1 3F2 4F3", Rules())
    assert [step.is_free for step in found.steps] == [True] * 4
    assert found.positions[-1].position.heights == (1, 1, 1, 1)
