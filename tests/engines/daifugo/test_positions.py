"""Positions of Daihinmin for every door: games of all kinds are replayed, each position is read back and drawn."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from daifugo_helpers import random_record, random_start
from position_helpers import names_on, read_back, walk

from engines.contract.positions import NoRules
from engines.daifugo.position import read_positions
from engines.daifugo.positions import DaifugoPositions
from engines.daifugo.record import format_record, read_records
from engines.daifugo.replay import replay, seen
from engines.daifugo.rules import PACK
from engines.daifugo.text import name_of
from engines.daifugo.view import view_of, without_hidden
from storage.errors import UserError

EXAMPLES = Path("engines/daifugo/examples")
POSITIONS = DaifugoPositions()
WHOLE = sorted(map(name_of, PACK))


@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_a_game_is_read_back_and_shows_each_card_once(seed: int) -> None:
    start = view_of(random_start(random.Random(seed)))
    plays = walk(POSITIONS, start, NoRules(), seed, 400)
    for position in (start, *(play.after for play in plays)):
        assert names_on(read_back(POSITIONS, position)) == WHOLE
    last = plays[-1].after
    assert len(last.finished) == 5 or last.passes_count == 20
    assert POSITIONS.asked(last) is None
    text, values = POSITIONS.asked(plays[0].after) or ("", None)
    assert (read_positions(text), values) == ([plays[0].after], {})
    moves = POSITIONS.join([play.written for play in plays])
    found = POSITIONS.replay(POSITIONS.write(start), moves, NoRules())
    assert (found.problem, list(found.steps)) == (None, plays)


@pytest.mark.parametrize("seed", range(4))
def test_records_are_replayed_as_check_replays_them(seed: int) -> None:
    # With many passes some end by lot.
    record = random_record(random.Random(seed), pass_share=0.9 if seed % 2 else 0.05)
    found = POSITIONS.replay(format_record(record), "", NoRules())
    assert (found.problem, found.ending) == (None, "over")
    lots = len(found.steps) - len(record.turns)
    assert lots == (len(replay(record).positions[-1].finished) < 5)
    assert found.positions[-1].finished == record.result
    again = POSITIONS.replay(
        POSITIONS.write(found.start), POSITIONS.join([step.written for step in found.steps]), NoRules()
    )
    assert (again.problem, again.ending) == (None, "over")
    assert [step.words for step in again.steps] == [step.words for step in found.steps]
    for number in range(0, len(record.turns), 7):
        assert without_hidden(found.positions[number]) == seen(record, number)
    for position in found.positions:
        assert names_on(read_back(POSITIONS, position)) == WHOLE


@pytest.mark.parametrize("name", ["client", "exchange", "lot"])
def test_examples_are_replayed(name: str) -> None:
    text = (EXAMPLES / f"{name}.record").read_text()
    for record in read_records(text):
        found = POSITIONS.replay(format_record(record), "", NoRules())
        assert (found.problem, found.ending) == (None, "over")


def test_a_game_may_end_anywhere_and_stops_at_an_illegal_turn() -> None:
    text = (EXAMPLES / "exchange.record").read_text()
    deal, turns = text.split("4: D7", 1)[0], "4: D7 / 0: H8 / 0: S5 S6 S7 / 1: H9"
    found = POSITIONS.replay(deal, turns, NoRules())
    assert [step.words for step in found.steps] == [
        "seat 4 plays 7♦",
        "seat 0 plays 8♥",
        "seat 0 plays 5♠ 6♠ 7♠",
    ]
    assert found.problem is not None
    assert found.problem.startswith("turn 4")
    assert "this is a single; a sequence lies on the field" in found.problem
    assert POSITIONS.replay(deal, "", NoRules()).ending == "not finished"
    last = list(POSITIONS.pictures(found))[-1]
    assert [card.name for pile in last.piles for card in pile.cards if card.moved] == ["S5", "S6", "S7"]
    assert POSITIONS.read(deal, "it") == [found.start]


def test_hands_that_are_not_known_are_drawn_face_down_and_nothing_is_played() -> None:
    (view,) = POSITIONS.read((EXAMPLES / "own-hand.position").read_text(), "it")
    names = names_on(read_back(POSITIONS, view))
    assert len(names) == 53
    assert names.count("") == len(view.hidden) > 0
    assert list(POSITIONS.plays(view, NoRules())) == []
    assert POSITIONS.replay(POSITIONS.write(view), "", NoRules()).positions == (view,)
    with pytest.raises(UserError, match="all hands must be known"):
        POSITIONS.replay(POSITIONS.write(view), "0: pass", NoRules())


def test_what_is_no_game_is_refused() -> None:
    text = (EXAMPLES / "exchange.record").read_text()
    with pytest.raises(UserError, match="has its result already"):
        POSITIONS.replay(text, "0: S3", NoRules())
    with pytest.raises(UserError, match="what seat 0 gives seat 1 is missing"):
        POSITIONS.replay(text.split("0 gives 1")[0], "", NoRules())
    start = POSITIONS.write(view_of(random_start(random.Random(1))))
    with pytest.raises(UserError, match=r"moves, line 1: expected a turn"):
        POSITIONS.replay(start, "S3", NoRules())
