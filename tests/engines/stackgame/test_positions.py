"""States of the stack game for every door: every card on every stack, each state read back and drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from position_helpers import names_on, read_back, walk

from engines.contract.positions import NoRules
from engines.stackgame import rules
from engines.stackgame.positions import StackgamePositions
from engines.stackgame.text import format
from storage.errors import UserError

POSITIONS = StackgamePositions()
EXAMPLES = Path("engines/stackgame/examples")


@pytest.mark.parametrize("seed", range(6))
def test_every_state_of_a_game_is_read_back_and_shows_each_card_once(seed: int) -> None:
    stacks, boards, cards = ((3, 2, 5), (2, 2, 4), (4, 3, 3))[seed % 3]
    (start,) = POSITIONS.read(f"stacks={stacks}; {format(rules.start(stacks, boards, cards))}", "state")
    plays = walk(POSITIONS, start, NoRules(), seed, 99)
    for number, form in enumerate((start, *(play.after for play in plays))):
        names = names_on(read_back(POSITIONS, form))
        assert len(set(names)) == len(names) == boards * cards - number
    moves = " ".join(play.written for play in plays)
    found = POSITIONS.replay(POSITIONS.write(start), moves, NoRules())
    assert (found.problem, list(found.steps)) == (None, plays)
    assert found.ending == ("won" if len(plays) == boards * cards else "not finished")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.state")), ids=lambda path: path.stem)
def test_plays_are_all_that_the_referee_places(path: Path) -> None:
    (form,) = POSITIONS.read(path.read_text(), "state")
    state = form.state
    placed = [rules.place(state, card, stack) for card in range(state.cards_count) for stack in range(3)]
    plays = list(POSITIONS.plays(form, NoRules()))
    assert len(plays) == sum(after is not None for after in placed)
    assert POSITIONS.asked(form) == (form.text, {"stacks": 3})
    shown = [card.note for pile in POSITIONS.picture(form).piles for card in pile.cards]
    assert sum(map(bool, shown)) == sum(map(bool, state.forbidden))


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("0.9>0", "there is no card 0.9"),
        ("7.0>0", "there is no card 7.0"),
        ("0.0>3", "stack 3 is not one of 0 to 2"),
        ("0.1>1", "card 0.1 may not go on stack 1"),
        ("0.2>2", "some card could go nowhere"),
    ],
)
def test_a_card_that_may_not_go_there_ends_a_replay(move: str, message: str) -> None:
    found = POSITIONS.replay(
        "stacks=3; [1{}] -> [1{1}] -> [1{1}]; [2{0}]; 0.2 < 1.0", f"1.1>2 {move}", NoRules()
    )
    assert len(found.steps) == 1
    assert found.problem is not None
    assert message in found.problem


def test_what_is_no_state_or_move_is_refused() -> None:
    for text in ("stacks=9; [1{}]", "stacks=0; [1{}]", "", "[1{3}]"):
        with pytest.raises(UserError):
            POSITIONS.read(text, "state")
    with pytest.raises(UserError, match=r"move 1: expected a move like 1\.0>2"):
        POSITIONS.replay("[1{}]", "0.0>x", NoRules())
