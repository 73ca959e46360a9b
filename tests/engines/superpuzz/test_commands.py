"""``yamafuda solve superpuzz`` and ``yamafuda check superpuzz``."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from command_helpers import LIMITS, Run, answers, assert_undecided, interrupted
from refusals import assert_refused
from superpuzz_helpers import figure

from engines.superpuzz import paper
from engines.superpuzz.rows import format_deal

EXAMPLES = Path(str(resources.files("engines.superpuzz") / "examples"))
SEVEN = str(EXAMPLES / "figure-7.deal")
LOST = "S2 S3 D3 / HA H3 SA / DA D2 C3 / H2 CA C2"
"""Three columns."""

pytestmark = pytest.mark.usefixtures("workspace")


def test_what_solve_prints_is_what_check_reads(yamafuda: Run) -> None:
    deals = "\n\n".join([format_deal(figure("7")), "# a lost one", LOST, "CA CK / DA DK / HA HK / SA SK"])
    Path("deals").write_text(deals.replace("# a lost one\n\n", "# a lost one\n"))
    status, out, err = yamafuda("solve", "superpuzz", "deals", "--census")
    assert (status, err) == (0, "")
    rules, *lines = out.splitlines()
    assert rules.startswith("# rules: Superpuzz: one pack in four rows, kings taken out")
    assert lines[0].startswith("deal 1: won, ")
    assert " moves, 16 wins, " in lines[0]
    assert lines[1].startswith("# 115502 states, ")
    assert "deal 2: lost, 0 wins" in lines
    assert lines[-3].startswith("deal 3: won, ")
    assert lines[-1] == "()"
    assert max(map(len, lines)) < 130
    Path("answers").write_text(out)
    status, out, err = yamafuda("check", "superpuzz", "deals", "answers")
    assert (status, err) == (0, "")
    checked = answers(out)
    assert checked[0].startswith("deal 1: won after ")
    assert checked[1:] == ["deal 2: no solution is given", "deal 3: won after 0 moves"]


def test_solve_as_json(yamafuda: Run) -> None:
    Path("deals").write_text(f"{format_deal(figure('7'))}\n\n{LOST}")
    for flag, won_keys, bound in (("--census", 16, []), ("--shortest", None, ["fewest_count"])):
        status, out, err = yamafuda("solve", "superpuzz", "deals", flag, "--json")
        assert (status, err) == (0, "")
        won, lost = map(json.loads, out.splitlines())
        assert list(won) == [
            "deal_number", "deal", "rules", "outcome", "limit", "states_count", "moves_count", *bound, "wins_count",
            "states_before_win_count", "cpu_s", "elapsed_s", "moves",
        ]  # fmt: skip
        assert (won["outcome"], won["wins_count"]) == ("won", won_keys)
        assert len(won["moves"]) == won["moves_count"]
        assert (lost["outcome"], lost["moves_count"], lost["moves"]) == ("lost", None, None)
        Path("seven").write_text(" -> ".join(won["moves"]))
        status, out, _ = yamafuda("check", "superpuzz", SEVEN, "seven")
        assert (status, answers(out)) == (0, [f"deal 1: won after {won['moves_count']} moves"])


def test_both_orders_of_a_census_count_the_same(yamafuda: Run) -> None:
    found = [
        json.loads(yamafuda("solve", "superpuzz", SEVEN, "--census", "--json", *order)[1])
        for order in ([], ["--order", "depth"], ["--order", "breadth"])
    ]
    assert len({(each["states_count"], each["wins_count"]) for each in found}) == 1
    assert found[0]["moves"] == found[1]["moves"]
    assert found[2]["moves_count"] < found[0]["moves_count"]


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_give_undecided(yamafuda: Run, limit: str) -> None:
    for mode in ("--census", "--shortest"):
        assert_undecided(yamafuda, "superpuzz", str(EXAMPLES / "figure-6b.deal"), mode, limit=limit)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--census", "--shortest"], "--shortest: cannot go with --census"),
        (["--order", "breadth"], "--order: breadth is an order for --census only"),
        (["--shortest", "--order", "breadth"], "--order: breadth is an order for --census only"),
        (["--census", "--order", "width"], "--order: must be depth or breadth; got 'width'"),
    ],
)
def test_options_that_are_wrong(yamafuda: Run, words: list[str], message: str) -> None:
    assert_refused(yamafuda, "solve", "superpuzz", SEVEN, *words, message=message)


def test_files_that_cannot_be_read(yamafuda: Run) -> None:
    for name, message in (
        ("missing", "missing: cannot be read: No such file"),
        (".", ".: cannot be read"),
        ("/dev/zero", "/dev/zero: is longer than"),
    ):
        assert_refused(yamafuda, "solve", "superpuzz", name, message=message)


def test_games_and_words_that_are_missing(yamafuda: Run) -> None:
    for words in (["solve"], ["solve", "chess", "x"], ["solve", "superpuzz"], ["check", "superpuzz", SEVEN]):
        assert_refused(yamafuda, *words)


def test_check_of_the_paper_s_figures(yamafuda: Run) -> None:
    files = [str(EXAMPLES / name) for name in ("figure-1.deal", "figure-2.solution")]
    status, out, _ = yamafuda("check", "superpuzz", *files)
    words = "deal 1: won after 192 moves; the king is another one in moves 33, 35"
    assert (status, answers(out)) == (0, [words])
    status, out, _ = yamafuda("check", "superpuzz", *files, "--json")
    told = json.loads(out)
    assert (told["won"], told["moves_count"], told["problem"]) == (True, 192, None)
    assert told["wrong_kings"] == [33, 35]
    status, out, _ = yamafuda("check", "superpuzz", SEVEN, str(EXAMPLES / "figure-7.solution"))
    assert (status, answers(out)) == (0, ["deal 1: won after 46 moves"])


def test_check_of_what_does_not_win(yamafuda: Run) -> None:
    written = paper.example("figure-7.solution")
    Path("reversed").write_text(written.replace("<-", "->"))
    status, out, err = yamafuda("check", "superpuzz", SEVEN, "reversed")
    assert (status, err) == (1, "")
    assert answers(out) == [
        "deal 1: wrong: move 2, (H5, D6) on line 2: H5 cannot move, there is no hole right of H4"
    ]
    Path("short").write_text(written.replace("(S6, D5) <-", ""))
    status, out, _ = yamafuda("check", "superpuzz", SEVEN, "short", "--json")
    assert status == 1
    told = json.loads(out)
    assert (told["won"], told["moves_count"], told["wrong_kings"]) == (False, 45, [])
    assert told["problem"] == "the position after move 45 is not won"
    Path("gap").write_text(written.replace("(HA, D6) <-", "(HA, D6)"))
    err = assert_refused(yamafuda, "check", "superpuzz", SEVEN, "gap")
    assert "solutions: 2, deals: 1" in err


def test_ctrl_c_ends_a_search_within_seconds() -> None:
    """The second deal is far too large."""
    Path("deals").write_text(f"{LOST}\n\n{format_deal(figure('6b'))}")
    interrupted("solve", "superpuzz", "deals", "--census", begin="deal 1: lost")
