"""``yamafuda check daifugo``."""

from __future__ import annotations

import json
import random
import subprocess
from importlib import resources
from pathlib import Path

import pytest
from command_helpers import Run, process
from daifugo_helpers import random_record
from patience import PATIENCE_S
from refusals import assert_refused

from engines.daifugo.record import format_record

EXAMPLES = Path(str(resources.files("engines.daifugo") / "examples"))
EXCHANGE, LOT = EXAMPLES / "exchange.record", EXAMPLES / "lot.record"

pytestmark = pytest.mark.usefixtures("workspace")


def test_check_of_legal_games(yamafuda: Run) -> None:
    status, out, err = yamafuda("check", "daifugo", str(EXCHANGE))
    assert (status, err) == (0, "")
    assert out == "game 1: 74 turns, seats finished in the order 0 1 4 2 3\n"
    games = [format_record(random_record(random.Random(seed))) for seed in range(5)]
    Path("games").write_text("\n".join([*games, LOT.read_text()]))
    status, out, err = yamafuda("check", "daifugo", "games")
    assert (status, err) == (0, "")
    assert [line.partition(":")[0] for line in out.splitlines()] == [f"game {n}" for n in range(1, 7)]


def test_check_names_the_first_illegal_turn_and_ends_with_2(yamafuda: Run) -> None:
    text = EXCHANGE.read_text()
    assert text.count("1: CJ / 2: CA") == 1
    Path("games").write_text(text + text.replace("1: CJ / 2: CA", "1: CJ / 2: HA") + text)
    status, out, err = yamafuda("check", "daifugo", "games")
    assert (status, err) == (2, "")
    legal = "74 turns, seats finished in the order 0 1 4 2 3"
    wrong = "wrong: turn 14 on line 41, seat 2, HA: the suits are locked: CJ"
    assert out.splitlines() == [f"game 1: {legal}", f"game 2: {wrong}", f"game 3: {legal}"]


def test_check_as_json(yamafuda: Run) -> None:
    text = EXCHANGE.read_text()
    Path("games").write_text(text + text.replace("result: 0 1", "result: 1 0"))
    status, out, err = yamafuda("check", "daifugo", "games", "--json")
    assert (status, err) == (2, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"legal": True, "turns_count": 74, "result": [0, 1, 4, 2, 3], "problem": None},
        {"legal": False, "turns_count": 74, "result": [1, 0, 4, 2, 3], "problem": "result: it is 0 1 4 2 3"},
    ]


def test_a_file_that_is_not_there(yamafuda: Run) -> None:
    assert_refused(yamafuda, "check", "daifugo", "none", message="none: cannot be read")


def test_standard_input() -> None:
    with process("check", "daifugo", "-", stdin=subprocess.PIPE) as checking:
        out, err = checking.communicate(LOT.read_text(), timeout=PATIENCE_S)
    assert (checking.returncode, err) == (0, "")
    assert out.startswith("game 1: ")
