"""Moves in words, as JSON and with boards: of every solitaire, against the referees."""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path

import pytest
from command_helpers import Run, answers
from hypothesis import given, settings

from engines.calculation import rules as calculation
from engines.calculation.core import random_deck
from engines.calculation.game import Calculation
from engines.calculation.options import Rules as Stacks
from engines.calculation.position import read_position
from engines.klondike import paper, rules
from engines.klondike.drawing import draw
from engines.klondike.game import Klondike
from engines.klondike.rules import Move, Position, Rules
from engines.klondike.text import read_deals
from engines.text.cards import sign_of

sys.path.append(str(Path(__file__).parents[1] / "klondike"))

from klondike_helpers import games, position_of

pytestmark = pytest.mark.usefixtures("workspace")


def told(position: Position, move: Move, options: Rules) -> str:
    """A move in words."""
    (found,) = Klondike().tell_moves(position, [move], options)
    return found.words


@given(games())
@settings(max_examples=25, deadline=None)
def test_positions_and_boards_are_those_after_each_move(game: tuple[Position, Rules, list[Move]]) -> None:
    position, options, moves = game
    told = list(Klondike().tell_moves(position, moves, options))
    assert len(told) == len(moves)
    for move, each in zip(moves, told, strict=True):
        before, position = position, rules.play(position, move, options)
        assert read_deals(each.position) == [position]
        assert each.board == draw(position)
        assert each.is_free == (move.kind == rules.Kind.REDEAL)
        # What is told as turned up lay face down before.
        turned = re.search(r"; (\S+) is turned up$", each.words)
        assert (turned is not None) == (position.face_down != before.face_down)
        if turned is not None:
            hidden = {
                sign_of(number)
                for column, down in zip(before.columns, before.face_down, strict=True)
                for number in column[:down]
            }
            assert turned[1] in hidden


def test_klondike_in_words() -> None:
    options = Rules()
    deal = position_of(paper.example("k00198.deal"))
    words = [told(deal, move, options) for move in rules.legal_moves(deal, options)]
    assert "A♣ from column 5 to the foundation; Q♥ is turned up" in words
    assert "8♣ from column 2 to column 4; 5♦ is turned up" in words
    assert "9♣ from column 1 to column 6" in words
    assert "draw 3 from the stock" in words
    late = position_of("waste: D3 CA", "foundations: DA", "0: | C3 D2", "1: |", "2: H2 HA | H3 C2")
    words = [told(late, move, options) for move in rules.legal_moves(late, options)]
    for each in (
        "2♦ from column 1 to the foundation",
        "3♣ to 2♦ from column 1 to column 2, which is empty",
        "A♣ from the waste to the foundation",
        "A♣ from the waste to column 1",
        "A♦ from the foundation to column 3",
        "turn the waste over",
    ):
        assert each in words, words


def test_a_drawing() -> None:
    assert draw(position_of(paper.example("k00198-won.deal"))).splitlines() == [
        "foundations   6♣  5♦  7♥  2♠   redeals 5",
        "stock         3♠",
        "waste          -",
        "",
        "    1     2     3     4     5     6     7",
        "   K♥          K♦    K♠    K♣          4♠",
        "   Q♣          Q♠    Q♥    Q♦",
        "   J♥          J♦    J♣    J♠",
        "  10♠         10♣   10♦   10♥",
        "   9♦          9♥    9♣    9♠",
        "   8♣          8♠    8♦    8♥",
        "   7♦                7♣    7♠",
        "   6♠                6♦",
        "                     5♠",
    ]


def test_calculation_in_words() -> None:
    deck, chance, options = random_deck(3, 1, 4), random.Random(5), Stacks(stacks=2)
    position, pile = calculation.start(4, 2), list(deck)
    moves: list[calculation.Move] = []
    positions: list[calculation.Position] = []
    while pile or any(calculation.legal_moves(position)):
        if position.drawn is None and pile:
            position = calculation.draw(position, pile.pop(0))
        move = chance.choice(calculation.legal_moves(position))
        position = calculation.play(position, move)
        moves.append(move)
        positions.append(position)
    told = list(Calculation().tell_moves(deck, moves, options))
    assert [read_position(each.position).position for each in told] == positions
    assert told[0].words == f"{'A234'[deck[0] - 1]} from the pile to {told[0].values['to']}"
    assert all(
        re.fullmatch(r"[A234] from (the pile|stack [01]) to (foundation [0-3]|stack [01])", each.words)
        for each in told
    )


def test_solve_and_check_tell_moves(yamafuda: Run) -> None:
    Path("deal").write_text(paper.example("within.deal"))
    lines = answers(yamafuda("solve", "klondike", "deal", "--moves", "words")[1])
    assert lines[1:4] == [
        " 1  draw 1 from the stock",
        " 2  3♠ from the waste to the foundation",
        " 3  4♠ from column 7 to the foundation",
    ]
    assert len(lines) == 34
    boards = answers(yamafuda("solve", "klondike", "deal", "--boards")[1])
    assert boards[1] == " 1  C00W00"
    assert boards[3] == "    foundations   6♣  5♦  7♥  2♠   redeals 5"
    assert json.loads(answers(yamafuda("solve", "klondike", "deal", "--moves", "json")[1])[1])[0] == {
        "move": "C00W00", "cards": ["S3"], "from": "stock", "to": "waste", "turned": None
    }  # fmt: skip
    found = json.loads(yamafuda("solve", "klondike", "deal", "--moves", "words", "--boards", "--json")[1])
    assert found["moves"][1] == "3♠ from the waste to the foundation"
    assert rules.cards_left(position_of(found["positions"][-1])) == 0
    Path("solution").write_text("C00W00 -> W00T03")
    checked = answers(yamafuda("check", "klondike", "deal", "solution", "--moves", "words")[1])
    assert checked == [
        "deal 1: surely won after 2 moves and draws, 0 redeals; 31 cards are left to go up",
        "1  draw 1 from the stock",
        "2  3♠ from the waste to the foundation",
    ]
    Path("deal").write_text("0: | C2\n1: | CA\n2: C3 | H3\nstock: S3\nfoundations: D3 S2 H2\n")
    lines = answers(yamafuda("advise", "klondike", "deal", "--moves", "words")[1])
    assert "A♣ from column 2 to the foundation" in [line.partition("  ")[0] for line in lines]
    status, _, err = yamafuda("solve", "klondike", "deal", "--moves", "runes")
    assert status == 2
    assert "--moves" in err
