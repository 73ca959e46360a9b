"""Superpuzz as Gaps: aces taken out, and redeals of the cards that are out of place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command_helpers import Run
from hypothesis import given
from hypothesis import strategies as st
from superpuzz_helpers import deal_of, deals

from engines.solitaire.limits import Bounds
from engines.superpuzz import rules
from engines.superpuzz.core import Mode, best, search
from engines.superpuzz.deal import Deal, make_deal
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.options import Options
from engines.superpuzz.redeal import REDEALS_MAX, redeal
from engines.superpuzz.redeals import Played, SuperpuzzRedealsJob, play
from engines.superpuzz.rows import format_deal
from engines.superpuzz.rules import HOLE, ROWS
from engines.superpuzz.text import read_deals
from storage.errors import UserError

FULL = """4s 8d Ks 4d 3d -- 6d 3s Tc Qc 3h 5d 5h
5s Qs 4h Td 6h Ts 9d 3c Qh 2s 2d Kh 2c
Kd Qd Jd 8s Jc Js 7s Th 9c 9h Jh 4c 7c
6c 5c Kc 8h 7h -- -- 9s -- 8c 7d 2h 6s"""

# The four boards of four columns with which Solvitaire (C. Blake, I. Gent) tests its Gaps, and whether they can be won.
BOARDS = {
    "2C 4S 4C -- / 2D 3S 4D -- / 2S 3C 3D -- / 2H 3H 4H --": True,
    "4C 2S 2C -- / 2D 3S 4D -- / 4S 3C 3D -- / 2H 3H 4H --": True,
    "2C 3C 4C -- / 3S 2D 4D -- / 2S 4S 3D -- / 2H 3H 4H --": False,
    "2C 4S 4C -- / 3S 2D 4D -- / 2S 3C 3D -- / 2H 3H 4H --": False,
}


def gaps(deal: Deal) -> Deal:
    """The same deal with every card a rank higher and aces taken out."""
    return replace(deal, aces_out=True)


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize(("text", "is_won"), BOARDS.items())
def test_the_boards_of_others_come_out_as_published(yamafuda: Run, text: str, is_won: bool) -> None:
    Path("board").write_text(text)
    status, out, err = yamafuda("solve", "superpuzz", "board", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["outcome"] == ("won" if is_won else "lost")
    positions = [position for position, _ in rules.reachable(deal_of(text).position)]
    assert any(map(rules.is_won, positions)) == is_won


def test_a_full_deal_goes_from_two_to_king() -> None:
    deal = deal_of(FULL)
    assert deal.aces_out
    assert deal.name_of(deal.position.cells[0]) == "S4"
    assert len(deal.position.where) == 48
    # A hole at the left edge takes any two.
    (small,) = read_deals("-- 3C 4C 2C / 2D 3D 4D -- / 2S 3S 4S -- / 2H 3H 4H --")
    written = Superpuzz().format_moves(small, [(3, 0)], Options())
    assert written == ["(C2, CA)"]


@given(deals())
def test_deals_without_aces_are_read_back(deal: Deal) -> None:
    there = gaps(deal)
    assert read_deals(format_deal(there)) == [there]
    assert read_deals(format_deal(there, " / ")) == [there]


@given(st.integers(0, 200))
def test_solutions_of_deals_without_aces_are_replayed(index: int) -> None:
    game = Superpuzz()
    deal = gaps(game.random_deal(3, index, columns=3 + index % 2))
    found = search(deal, Mode.decide, Bounds())
    # What is won does not depend on names.
    assert found.outcome == search(replace(deal, aces_out=False), Mode.decide, Bounds()).outcome
    if found.moves is None:
        return
    written = game.join_moves(game.format_moves(deal, found.moves, Options()))
    (solution,) = game.read_solutions(written, "solution")
    assert solution is not None
    replayed = game.replay(deal, solution, Options())
    assert replayed.problem is None
    assert replayed.moves == found.moves
    assert replayed.counts["wrong_kings"] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2C 3C -- / 2D 3D -- / 2H 3H -- / 2S -- --", "S3 missing; there are 5 holes, not 4"),
        ("2C 3C -C / 2D 3D -C / 2H 3H -- / 2S 3S --", "'-C' is there twice, first on line 1"),
        ("AC 2C 3C / AD 2D 3D / AH 2H 3H / AS 2S -C", "a king lies in two holes"),
    ],
)  # fmt: skip
def test_deals_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_deals(text)


@given(deals(), st.booleans(), st.integers(0, 1 << 59), st.integers(0, REDEALS_MAX - 1))
def test_a_redeal(deal: Deal, is_gaps: bool, index: int, number: int) -> None:
    """What is in its place stays, each row has its hole after that, and no card is lost."""
    before = replace(deal, aces_out=is_gaps)
    kept = rules.in_place(before.position)
    after = redeal(before, 1, index, number)
    position = after.position
    assert rules.problem(position) is None
    assert after.aces_out == is_gaps
    assert [position.cells[cell] for cell in kept] == [deal.position.cells[cell] for cell in kept]
    for row in range(ROWS):
        cells = range(row * position.columns, (row + 1) * position.columns)
        (hole,) = [cell for cell in cells if position.cells[cell] == HOLE]
        assert hole == cells[0] + sum(cell in kept for cell in cells)
    assert redeal(before, 1, index, number) == after


def test_redeals_differ() -> None:
    deal = Superpuzz().random_deal(1, 0, columns=13)
    made = {redeal(deal, seed, index, number) for seed in (1, 2) for index in (0, 1) for number in (0, 1)}
    assert len(made) == 8


def test_the_player() -> None:
    """It wins what can be won; else each round ends in the best position, and the next begins with its redeal."""
    job = SuperpuzzRedealsJob(columns=3, shuffles=2, deals=1)
    game, shuffles_counts = Superpuzz(), set()
    for index in range(120):
        deal = game.random_deal(1, index, columns=3)
        if search(deal, Mode.decide, Bounds()).outcome == "won" and index > 2:
            continue
        played = play(deal, job, index)
        expected = Played()
        for number in range(3):
            positions = [position for position, _ in rules.reachable(deal.position)]
            if any(map(rules.is_won, positions)):
                expected.outcome, expected.in_place_count = "won", 8
                break
            expected.in_place_count = max(len(rules.in_place(position)) for position in positions)
            if number < 2:
                end = rules.replay(deal.position, best(deal, Bounds()).moves)
                deal = redeal(Deal(end, deal.kings), 1, index, number)
                expected.shuffles_count += 1
        told = (played.outcome, played.shuffles_count, played.in_place_count, played.limit)
        assert told == (expected.outcome, expected.shuffles_count, expected.in_place_count, None)
        shuffles_counts.add(played.shuffles_count)
    assert len(shuffles_counts) > 1


def test_the_job(yamafuda: Run) -> None:
    words = ("run", "job=superpuzz_redeals", "job.columns=3", "job.deals=100", "--json")
    status, out, _ = yamafuda(*words)
    assert status == 0
    told = json.loads(out)["result"]
    counts = told["won_with_shuffles_counts"]
    assert sum(counts.values()) == told["won_count"] > counts["0"] > 0
    assert told["won_count"] + told["lost_count"] == 100
    # A limit of the job, unlike the player's patience, leaves deals open.
    job = SuperpuzzRedealsJob(columns=13, shuffles=0, deals=1, search_states=50)
    deal = Superpuzz().random_deal(1, 0, columns=13)
    assert play(deal, job, 0).limit is None
    job.search_states, job.limits.time_s = 10_000_000, 1e-6
    played = play(deal, job, 0)
    assert (played.outcome, played.limit) == ("undecided", "time")


def test_deals_that_are_made_of_names() -> None:
    with pytest.raises(ValueError, match="two holes"):
        make_deal(2, [(0, 1), (0, 0), (1, 1), (0, 2), (2, 1), (2, 2), (3, 1), (3, 2)])
