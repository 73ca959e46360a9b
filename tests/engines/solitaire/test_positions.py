"""Positions of solitaires: read back, drawn, played on, for every game that declares nothing of its own."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
import stairs
from position_helpers import names_on, read_back, walk

from engines.contract.picture import Look, after_move, said
from engines.contract.registry import game
from engines.klondike.unknown import as_dealt
from engines.solitaire.positions import SolitairePositions
from storage.errors import UserError

DEALS = 4
STEPS = 60


WHOLE = sorted(f"{suit}{rank}" for suit in "CDHS" for rank in "A234567890JQK")


@pytest.mark.parametrize("name", ["klondike", "superpuzz"])
@pytest.mark.parametrize("seed", range(DEALS))
def test_every_position_of_a_game_is_read_back_and_shows_each_card_once(name: str, seed: int) -> None:
    solitaire = game(name)
    positions = solitaire.positions()
    start, rules = solitaire.random_deal(seed, 0, columns=13), positions.rules({})
    for position in (start, *(play.after for play in walk(positions, start, rules, seed, STEPS))):
        assert names_on(read_back(positions, position), places=True) == WHOLE


@pytest.mark.parametrize("name", ["klondike", "superpuzz"])
def test_what_was_played_is_replayed(name: str) -> None:
    solitaire = game(name)
    positions = solitaire.positions()
    rules = positions.rules({})
    start = solitaire.random_deal(3, 0, columns=13)
    plays = walk(positions, start, rules, 1, STEPS)
    moves = solitaire.join_moves([play.written for play in plays])
    found = positions.replay(positions.write(start), moves, rules)
    assert (found.problem, found.ending) == (None, "not finished")
    assert list(found.steps) == plays
    pictures = list(positions.pictures(found))
    assert list(positions.pictures(found, 3)) == pictures[3:]
    assert len(pictures) == len(plays) + 1 > 10
    for before, after in itertools.pairwise(pictures):
        assert after != before
        moved = [card for pile in after.piles for card in pile.cards if card.moved]
        assert all(card.look == Look.up for card in moved)


def test_klondikes_own_solution_wins() -> None:
    positions = game("klondike").positions()
    folder = "engines/klondike/examples/k00198"
    deal, solution = (Path(f"{folder}.{kind}").read_text() for kind in ("deal", "solution"))
    found = positions.replay(deal, solution, positions.rules({"redeal_rule": "carry"}))
    assert (found.problem, found.ending) == (None, "surely won")
    assert found.steps[0].words == "A♣ from column 5 to the foundation; Q♥ is turned up"
    first = list(positions.pictures(found))[1]
    assert [card.name for pile in first.piles for card in pile.cards if card.moved] == ["CA"]
    assert "clubs: ace of clubs just moved" in said(first)


def test_a_position_of_which_cards_are_hidden_is_shown_and_not_played_on() -> None:
    klondike = game("klondike")
    positions = klondike.positions()
    rules = positions.rules({})
    seen = as_dealt(klondike.random_deal(1, 0))
    assert names_on(read_back(positions, seen)).count("") == 45
    text = positions.write(seen)
    assert positions.replay(text, "", rules).start == seen
    assert list(positions.plays(seen, rules)) == []
    with pytest.raises(UserError, match="all cards must be known"):
        positions.replay(text, "C15W02", rules)


def test_a_position_counts_its_redeals_itself() -> None:
    klondike = game("klondike")
    positions = klondike.positions()
    rules = positions.rules({"draw": 1, "redeals": 2})
    position = klondike.random_deal(1, 0)
    redeals = 0
    while True:
        of_stock = [play for play in positions.plays(position, rules) if play.written[0] in "CR"]
        if not of_stock:
            break
        redeals += of_stock[0].is_free
        (position,) = positions.read(positions.write(of_stock[0].after), "it")
    assert redeals == 2


def test_an_illegal_move_ends_a_replay_and_what_was_before_is_there() -> None:
    positions = SolitairePositions(stairs.Stairs())
    found = positions.replay(".....", "J2 -> J1 -> J9 -> J1", positions.rules({}))
    assert found.positions == (".....", "...", "..")
    assert found.problem is not None
    assert found.problem.startswith("move 3, J9")


def test_no_moves_are_a_replay_of_the_deal_alone() -> None:
    positions = SolitairePositions(stairs.Stairs())
    for moves in ("", "lost", "()"):
        found = positions.replay("..", moves, positions.rules({}))
        assert (found.positions, found.problem, found.ending) == (("..",), None, "not finished")


def test_a_win_is_told() -> None:
    positions = SolitairePositions(stairs.Stairs())
    assert positions.replay("..", "J2", positions.rules({})).ending == "won"


def test_rules_are_told_by_name() -> None:
    positions = SolitairePositions(stairs.Stairs())
    assert positions.rules({"reach": "3", "careful": True}) == stairs.Legs(reach=3, careful=True)
    for values, message in (({"reech": 3}, "did you mean"), ({"reach": "12"}, "must be 1 to 9")):
        with pytest.raises(UserError, match=message):
            positions.rules(values)


def test_a_replay_is_of_one_deal_and_one_solution() -> None:
    positions = SolitairePositions(stairs.Stairs())
    for deal, moves in (("..\n..", "J1"), ("..", "J1 J1"), ("a", "J1"), ("..", "J1 -> what")):
        with pytest.raises(UserError):
            positions.replay(deal, moves, positions.rules({}))


def test_a_game_without_a_picture_shows_its_drawing() -> None:
    positions = SolitairePositions(stairs.Stairs())
    picture = positions.picture("..x")
    assert said(picture) == "x\n.\n."
    assert after_move(picture, picture) == picture
