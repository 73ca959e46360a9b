"""Games that begin with a card on each foundation: the core against trying everything, and their texts."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command_helpers import Run, answers

from engines.calculation import rules
from engines.calculation.game import Calculation
from engines.calculation.laid import BASES, LaidDeck, laying_moves
from engines.calculation.open import search
from engines.calculation.options import Rules
from engines.calculation.rules import Position
from engines.calculation.text import format_deck, format_numbers, read_decks
from engines.solitaire.limits import Bounds

CASE = Path(__file__).parents[2] / "cases" / "forms" / "calculation_48.txt"


def small_deck(seed: int, late: int) -> LaidDeck:
    """A deck of four ranks, so many of its threes and fours first, that it may be lost."""
    cards = [rank for rank in (4, 3, 2, 1) for _ in range(3)]
    chance = random.Random(seed)
    head, tail = cards[:late], cards[late:]
    chance.shuffle(head)
    chance.shuffle(tail)
    return LaidDeck((*BASES, *head, *tail))


def can_be_won(deck: LaidDeck, stacks: int) -> bool:
    """By trying everything from the position with the cards laid."""
    begin = Position(4, (1, 1, 1, 1), ((),) * stacks)
    open_positions, seen = [(begin, len(BASES))], {(begin, len(BASES))}
    while open_positions:
        position, drawn = open_positions.pop()
        if position.is_won():
            return True
        following = [(rules.play(position, move), drawn) for move in rules.legal_moves(position)]
        if position.drawn is None and drawn < len(deck):
            following.append((rules.draw(position, deck[drawn]), drawn + 1))
        for each in following:
            if each not in seen:
                seen.add(each)
                open_positions.append(each)
    return False


@pytest.mark.parametrize("late", [0, 4, 8, 12])
@pytest.mark.parametrize("stacks", [1, 2])
def test_the_core_finds_what_trying_everything_finds(stacks: int, late: int) -> None:
    for seed in range(12):
        deck = small_deck(seed, late)
        found = search(deck, stacks, Bounds())
        assert (found.outcome == "won") == can_be_won(deck, stacks), (deck, stacks)
        if found.moves is not None:
            assert found.moves[:4] == laying_moves(deck)
            assert found.moves_count == len(found.moves) - 4


def test_some_are_lost_that_are_won_otherwise() -> None:
    """What the cards on the foundations are matters: the same cards drawn first may go elsewhere."""
    outcomes = {
        (search(deck, 1, Bounds()).outcome, search(tuple(deck), 1, Bounds()).outcome)
        for deck in (small_deck(seed, late) for seed in range(60) for late in (0, 8))
    }
    assert ("lost", "won") in outcomes
    assert ("won", "lost") not in outcomes


def test_its_text() -> None:
    (deck,) = read_decks(CASE.read_text())
    assert isinstance(deck, LaidDeck)
    assert (len(deck), deck[:5]) == (52, (1, 2, 3, 4, 5))
    for text in (format_deck(deck), format_numbers(deck)):
        (again,) = read_decks(text)
        assert len(text.split()) == 48
        assert (type(again), again) == (LaidDeck, deck)
    assert [type(each) for each in read_decks(f"{format_deck(deck)}\n{format_deck(tuple(deck))}")] == [
        LaidDeck,
        tuple,
    ]


def test_solutions_begin_with_the_cards_that_are_laid(yamafuda: Run, workspace: Path) -> None:
    Path("deck").write_text(CASE.read_text())
    status, out, _ = yamafuda("solve", "calculation", "deck")
    assert status == 0
    Path("games").write_text(out)
    head, moves = answers(out)
    assert moves.startswith("AF0 2F1 3F2 4F3 5")
    assert head == f"deal 1: won, {len(moves.split()) - 4} moves"
    (checked,) = answers(yamafuda("check", "calculation", "deck", "games")[1])
    assert checked.startswith(f"deal 1: won after {len(moves.split()) - 4} moves, ")
    told = json.loads(yamafuda("solve", "calculation", "deck", "--moves", "words", "--json")[1])
    assert told["moves"][0] == "A from the pile to foundation 0"
    Path("games").write_text("AS0 2F1")
    told = json.loads(yamafuda("check", "calculation", "deck", "games", "--json")[1])
    assert told["problem"] == "the game begins with AF0 2F1 3F2 4F3, cards on the foundations"
    assert yamafuda("play", "calculation", "deck")[2] == (
        "yamafuda: deck: players cannot begin with cards on the foundations; solve can\n"
    )


def test_moves_are_replayed_by_the_referee() -> None:
    (deck,) = read_decks(CASE.read_text())
    found = search(deck, 3, Bounds())
    assert found.moves is not None
    told = list(Calculation().tell_moves(deck, found.moves, Rules()))
    assert [each.is_free for each in told[:5]] == [True] * 4 + [False]
    assert rules.replay(deck, found.moves, 13, 3).outcome == "won"
