"""``yamafuda advise daifugo``."""

from __future__ import annotations

import json
import subprocess
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from command_helpers import Run, process
from patience import PATIENCE_S
from refusals import assert_refused

from engines.daifugo import he_table, rules
from engines.daifugo.he_table import HeTable
from engines.daifugo.position import read_positions
from engines.daifugo.text import format_play

EXAMPLES = Path(str(resources.files("engines.daifugo") / "examples"))
OWN, END = EXAMPLES / "own-hand.position", EXAMPLES / "end-game.position"

pytestmark = pytest.mark.usefixtures("workspace")


def test_each_legal_play_is_judged_best_first(yamafuda: Run) -> None:
    Path("positions").write_text(END.read_text() + "\n" + OWN.read_text())
    status, out, err = yamafuda("advise", "daifugo", "positions", "--playouts", "600", "--json")
    assert (status, err) == (0, "")
    answers = [json.loads(line) for line in out.splitlines()]
    for view, answer in zip(read_positions(Path("positions").read_text()), answers, strict=True):
        hand = view.hands[view.turn]
        assert hand is not None
        legal = {format_play(play) for play in rules.legal_plays(hand, view.field)}
        legal |= {"pass"} if view.field.play != rules.PASS else set()
        told = answer["plays"]
        assert answer["turn"] == view.turn
        assert sorted(each["play"] for each in told) == sorted(legal)
        assert sum(each["visits_count"] for each in told) == 600
        means = [each["score_mean"] for each in told]
        assert means == sorted(means, reverse=True)
        assert all(1 <= mean <= 5 for mean in means)
        assert all(each["score_se"] >= 0 for each in told)
    # Two are left, who get 2 points and 1: the sequence leaves two strong cards.
    assert answers[0]["plays"][0]["play"] == "H5 H6 H7"


def test_what_is_printed(yamafuda: Run) -> None:
    status, out, err = yamafuda("advise", "daifugo", str(OWN), "--generator", "rand_d")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "position 1: seat 2, 2 plays"
    assert lines[1].split() == ["visits", "mean", "error", "play"]
    assert {line.split()[-1] for line in lines[2:]} == {"CA", "pass"}
    assert sum(int(line.split()[0]) for line in lines[2:]) == 10_000
    # The same dice give the same, others do not.
    words = ("advise", "daifugo", str(OWN), "--playouts", "500")
    assert yamafuda(*words) == yamafuda(*words, "--seed", "1")
    assert yamafuda(*words)[1] != yamafuda(*words, "--seed", "2")[1]


def test_plays_without_a_visit(yamafuda: Run) -> None:
    status, out, _ = yamafuda("advise", "daifugo", str(END), "--playouts", "2")
    assert status == 0
    assert [line.split()[:3] for line in out.splitlines()[4:]] == [["0", "-", "-"]] * 4


def test_hidden_hands_are_not_looked_at(yamafuda: Run) -> None:
    """Seat 0 and 3 exchange all cards; the player at seat 1 cannot know."""
    told = "turn: 1\n0: {}\n1: S3 H5 C0 D0\n2: -\n3: {}\n4: -\nfinished: 4 2\n"
    answers = []
    for hands in (("C3 D4 H9", "CK S2 JK"), ("CK S2 JK", "C3 D4 H9")):
        Path("position").write_text(told.format(*hands))
        answers.append(yamafuda("advise", "daifugo", "position", "--playouts", "300"))
    assert answers[0][0] == 0
    assert answers[0] == answers[1]


def test_all_generators(yamafuda: Run) -> None:
    he_table.save(Path("he.parquet"), HeTable(np.full(256, 20, np.uint64), np.full((256, 15), 5, np.uint64)))
    for words in (
        *([name] for name in ("rand", "rand_d", "rand_dr", "exchange", "reject", "chain_uniform")),
        ["he", "--table", "he.parquet"],
        ["rand", "--policy", "rule", "--c", "1"],
        ["chain_learnt", "--policy", "learnt", "--policy-passes", "--bandit", "thompson"],
    ):
        status, _, err = yamafuda("advise", "daifugo", str(OWN), "--playouts", "50", "--generator", *words)
        assert (status, err) == (0, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--playouts", "0"], "--playouts: must be 1 to"),
        (["--generator", "best"], "--generator: "),
        (["--policy", "best"], "--policy: "),
        (["--c", "-1"], "--c: -1 is no number of 0 or more"),
        (["--c", "inf"], "--c: inf is no number of 0 or more"),
        (["--c", "nan"], "--c: NaN is no number of 0 or more"),
        (["--seed", "-1"], "--seed: -1 is not in 0"),
        (["--generator", "he"], "--table: he needs a table"),
        (["--table", "x"], "--table: only the generator he"),
        (["--bandit", "best"], "--bandit: "),
        (["--policy-passes"], "--policy-passes: only the policy learnt"),
        (["--weights", "x"], "--weights: only the policy learnt"),
        (["--policy", "learnt", "--weights", "none"], "none: cannot be read"),
        (["--generator", "he", "--table", "none"], "none: there is no such table"),
    ],
)
def test_options_that_are_wrong(yamafuda: Run, words: list[str], message: str) -> None:
    assert message in assert_refused(yamafuda, "advise", "daifugo", str(OWN), *words)


def test_standard_input() -> None:
    with process("advise", "daifugo", "-", "--playouts", "50", stdin=subprocess.PIPE) as advising:
        out, err = advising.communicate(OWN.read_text(), timeout=PATIENCE_S)
    assert (advising.returncode, err) == (0, "")
    assert out.startswith("position 1: seat 2, 2 plays\n")
