"""Positions of trick taking for every door: games are played and replayed, each position read back and drawn."""

from __future__ import annotations

import random

import pytest
from position_helpers import names_on, read_back, walk

from engines.tricks import rules as referee
from engines.tricks.positions import Aim, Leader, Points, Rules, TricksPositions
from engines.tricks.solution import Rules as AskedRules
from engines.tricks.solution import solve
from engines.tricks.text import read_deals
from storage.errors import UserError

POSITIONS = TricksPositions()
DEAL = "A=8,7,6,4 B=5,3,2,1 k=4"


@pytest.mark.parametrize("seed", range(8))
def test_every_position_of_a_game_is_read_back_and_shows_each_card_once(seed: int) -> None:
    chance = random.Random(seed)
    count = chance.randint(1, 16)
    cards = chance.sample(range(1, 100), 2 * count)
    deal = f"A={','.join(map(str, cards[:count]))} B={','.join(map(str, cards[count:]))} k={chance.randint(0, count)}"
    (start,) = POSITIONS.read(deal, "deal")
    plays = walk(POSITIONS, start, Rules(), seed, 99)
    assert len(plays) == 2 * count
    for position in (start, *(play.after for play in plays)):
        assert names_on(read_back(POSITIONS, position)) == sorted(map(str, cards))
        marked = [card for pile in POSITIONS.picture(position).piles for card in pile.cards if card.marked]
        assert len(marked) == len(start.points)
    found = POSITIONS.replay(deal, " ".join(play.written for play in plays), Rules())
    assert (found.problem, list(found.steps)) == (None, plays)
    end = plays[-1].after
    assert end.is_over
    gained = end.points_of(end.left_won), end.points_of(end.right_won)
    assert sum(gained) == len(start.points)
    assert found.ending == (
        "drawn" if gained[0] == gained[1] else "Left wins" if gained[0] > gained[1] else "Right wins"
    )


@pytest.mark.parametrize("points", Points)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_left_of_a_game_is_asked_for_and_worth_what_the_referee_says(
    points: Points, seed: int
) -> None:
    rules = Rules(points=points, leads=Leader.B)
    start = POSITIONS.replay(DEAL, "", rules).start
    assert not start.left_leads
    for play in walk(POSITIONS, start, rules, seed, 7):
        text, values = POSITIONS.asked(play.after) or ("", {})
        (asked,) = read_deals(text)
        left_over = referee.Deal(asked.left, asked.right, start.points & {*asked.left, *asked.right})
        table = solve(asked, AskedRules(values["points"])).table
        assert table.value_left_leads == referee.value(left_over, True)
        assert table.value_right_leads == referee.value(left_over, False)
    over = POSITIONS.replay(DEAL, "1 8 / 7 2 / 6 3 / 4 5", rules).positions[-1]
    assert POSITIONS.asked(over) is None


def test_a_trick_is_told() -> None:
    found = POSITIONS.replay(DEAL, "4 5 / 1 8", Rules(aim=Aim.fewest))
    assert [step.words for step in found.steps] == [
        "Left leads 4",
        "Right plays 5; Right takes the trick, 1 point card",
        "Right leads 1",
        "Left plays 8; Left takes the trick, 1 point card",
    ]
    assert found.ending == "not finished"
    assert POSITIONS.write(found.positions[-1]) == ("A=7,6 B=3,2 points=8,7,6,5 leads=A A-won=1,8 B-won=4,5")


def test_a_card_out_of_turn_ends_a_replay() -> None:
    found = POSITIONS.replay(DEAL, "8 7", Rules())
    assert len(found.steps) == 1
    assert found.problem == "card 2, 7: it is Right's turn, who has 5 3 2 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A=8 B=7 points=8 leads=C", "neither A nor B"),
        ("A=8 B=7 points=9 leads=A", "card 9 is nowhere"),
        ("A=8 B=8 points=8 leads=A", "card 8 is there twice"),
        ("A=8,6 B=7 points=8 leads=A", "A has 2 cards and B has 1"),
        ("A=8 B=7 table=6 points=8", "A has 2 cards and B has 1"),
        ("A=8 B=7 table=6,5 points=8", "table: 2 cards"),
        ("A=8 B=7 A-won=6 points=8", "takes two cards"),
        ("A=8 B=x points=8", "'x' is not a card"),
        ("A=8 A=7 points=8", "A is given twice"),
        ("A=8 B=7 leads=A what", "is not one of"),
        ("points=-", "0 cards"),
    ],
)
def test_what_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        POSITIONS.read(text, "it")


def test_moves_are_numbers() -> None:
    with pytest.raises(UserError, match="card 2: 'x' is not a card"):
        POSITIONS.replay(DEAL, "8 x", Rules())
