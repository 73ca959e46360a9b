"""``advise`` against the referee's exhaustive answer on small deals and positions within them."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from command_helpers import Run

from engines.klondike import rules as klondike
from engines.klondike.game import Klondike
from engines.klondike.position import format_position
from engines.klondike.rules import REPORT, Rules
from engines.superpuzz import rules as superpuzz
from engines.superpuzz.deal import Deal, played
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.options import Options

sys.path += [str(Path(__file__).parents[1] / game) for game in ("klondike", "superpuzz")]

from klondike_helpers import small_deal
from klondike_helpers import walk as klondike_walk
from superpuzz_helpers import random_positions

pytestmark = pytest.mark.usefixtures("workspace")


def advised(yamafuda: Run, game: str, deals: list[str], *words: str) -> list[list[dict[str, Any]]]:
    """The plays that the command tells of each deal."""
    Path("deals").write_text("\n\n".join(deals))
    status, out, err = yamafuda("advise", game, "deals", "--json", *words)
    assert (status, err) == (0, "")
    return [json.loads(line)["plays"] for line in out.splitlines()]


def check(told: list[dict[str, Any]], winning: dict[str, bool]) -> None:
    """The plays told must be these, wins first, each with whether it wins."""
    assert {each["play"]: each["outcome"] == "won" for each in told} == winning
    assert len(told) == len(winning)
    outcomes = [each["outcome"] for each in told]
    assert outcomes == sorted(outcomes, reverse=True)
    assert set(outcomes) <= {"won", "lost"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Rules(), []),
        (REPORT, ["--rules", "report"]),
        (Rules(draw=1, redeals=0), ["--draw", "1", "--redeals", "0"]),
        (
            Rules(redeals=1, foundation_back=False),
            ["--rules", "report", "--redeals", "1", "--redeal-rule", "standard"],
        ),
    ],
)  # fmt: skip
def test_klondike(yamafuda: Run, options: Rules, words: list[str]) -> None:
    chance, game = random.Random(7), Klondike()
    positions = []
    for _ in range(25):
        deal = small_deal(chance, *chance.choice([(2, 3, 2), (2, 3, 3), (3, 3, 3)]))
        positions.append(klondike_walk(deal, options, chance, chance.randrange(5))[1])
    told = advised(yamafuda, "klondike", [format_position(each, " / ") for each in positions], *words)
    seen = set()
    for position, plays in zip(positions, told, strict=True):
        winning = {
            game.format_moves(position, [move], options)[0]: klondike.shortest(
                klondike.play(position, move, options), options
            )
            is not None
            for move in ([] if klondike.is_won(position) else klondike.legal_moves(position, options))
        }
        check(plays, winning)
        seen |= set(winning.values())
    assert seen == {True, False}


def test_superpuzz(yamafuda: Run) -> None:
    """Positions some moves into deals; a play is named by the kings that its deal's text names."""
    chance, game = random.Random(7), Superpuzz()
    deals = []
    for columns in (2, 3):
        for position in random_positions(columns, 20, seed=columns):
            kings = chance.sample(range(4), 4)
            deals.append(Deal(position, tuple(kings)))
    told = advised(yamafuda, "superpuzz", [game.format_deal(deal) for deal in deals])
    seen = set()
    for deal, plays in zip(deals, told, strict=True):
        position = deal.position
        winning = {
            game.format_moves(deal, [move], Options())[0]: any(
                superpuzz.is_won(each) for each, _ in superpuzz.reachable(superpuzz.play(position, move))
            )
            for move in ([] if superpuzz.is_won(position) else superpuzz.legal_moves(position))
        }
        check(plays, winning)
        seen |= set(winning.values())
    assert seen == {True, False}


def test_kings_keep_their_names_after_a_play() -> None:
    """Move by move as all at once."""
    chance, game = random.Random(3), Superpuzz()
    for index in range(30):
        deal = game.random_deal(5, index, columns=2 + index % 5)
        moves, written, at = [], [], deal
        while len(moves) < 20 and (plays := list(game.plays(at, Options()))):
            move, after = chance.choice(plays)
            assert after == played(at, move)
            moves.append(move)
            written += game.format_moves(at, [move], Options())
            at = after
        assert written == game.format_moves(deal, moves, Options())
        assert game.read_deals(game.format_deal(at), "text") == [at]


def test_plays_as_json_are_json(yamafuda: Run) -> None:
    Path("deals").write_text("stock: C2 D3 DA / 0: | C3 / 1: CA | D2")
    told = yamafuda("advise", "klondike", "deals", "--moves", "json")[1]
    moves = [json.JSONDecoder().raw_decode(line)[0] for line in told.splitlines()[2:]]
    assert {"move": "S01S00", "cards": ["D2"], "from": "column 2", "to": "column 1", "turned": "CA"} in moves
