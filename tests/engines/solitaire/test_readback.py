"""``yamafuda check`` of what ``yamafuda solve`` printed as JSON and in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_helpers import Run
from refusals import assert_refused

from engines.calculation.core import random_deck
from engines.calculation.game import Calculation

pytestmark = pytest.mark.usefixtures("workspace")

DEALS = {
    "klondike": "greenfelt 5\ngreenfelt 8\n",
    "superpuzz": "SA -- / HA -- / DA -- / CA --\n\nSA -- S2 / H2 HA -- / DA D2 -- / CA C2 --\n",
    "calculation": "".join(f"{Calculation().format_deal(random_deck(1, at, 6))}\n" for at in range(2)),
}


@pytest.mark.parametrize("game", DEALS)
@pytest.mark.parametrize(
    "style", [["--json"], ["--moves", "json"], ["--json", "--moves", "json", "--boards"]]
)
def test_moves_as_json_are_replayed(yamafuda: Run, game: str, style: list[str]) -> None:
    Path("deals").write_text(DEALS[game])
    checked = []
    for more in ([], style):
        status, out, err = yamafuda("solve", game, "deals", *more)
        assert (status, err) == (0, "")
        Path("answers").write_text(out)
        checked.append(yamafuda("check", game, "deals", "answers"))
    assert checked[0] == checked[1]
    assert checked[0][0] == 0
    assert ": won after " in checked[0][1]


@pytest.mark.parametrize("game", DEALS)
def test_moves_in_words_are_refused_with_what_is_read(yamafuda: Run, game: str) -> None:
    Path("deals").write_text(DEALS[game])
    Path("answers").write_text(yamafuda("solve", game, "deals", "--moves", "words")[1])
    told = assert_refused(yamafuda, "check", game, "deals", "answers", message="answers, line ")
    assert "moves in words or with boards cannot be read; check reads " in told


def test_json_that_is_no_answer(yamafuda: Run) -> None:
    Path("deals").write_text("greenfelt 5\n")
    for text, told in (
        ('{"outcome": "undecided", "moves": null}', "deal 1: no solution is given"),
        ('{"outcome": "lost", "moves": null}', "deal 1: no solution is given"),
        ("[]", "deal 1: wrong: the position after move 0 is not won"),
    ):
        Path("answers").write_text(text)
        assert yamafuda("check", "klondike", "deals", "answers")[1].splitlines()[1] == told
    for text in ('{"moves": 5}', '{"moves": [5]}', "{}", "[[[", "[" * 100_000, '[{"move": null}]'):
        Path("answers").write_text(text)
        assert_refused(yamafuda, "check", "klondike", "deals", "answers", message="answers, line 1: ")
