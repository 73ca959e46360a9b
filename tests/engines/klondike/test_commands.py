"""``yamafuda solve klondike`` and ``yamafuda check klondike``."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path

import pytest
from command_helpers import Run, process
from klondike_helpers import k00198

from engines.klondike import core, paper
from engines.klondike.text import format_deal

EXAMPLES = Path(str(resources.files("engines.klondike") / "examples"))
DEAL, SOLUTION = str(EXAMPLES / "k00198.deal"), str(EXAMPLES / "k00198.solution")
WON = "stock: C2 D3 DA / 0: | C3 / 1: CA | D2"
LOST = "stock: C2 C5 / 0: | C3 / 1: CA | C4"
STANDARD = ["--redeal-rule", "standard"]
BACK = "--foundation-back"
USUAL = [*STANDARD, BACK]

pytestmark = pytest.mark.usefixtures("workspace")


def test_what_solve_prints_is_what_check_reads(yamafuda: Run) -> None:
    deals = [format_deal(core.random_deal(1, index)) for index in range(4)]
    Path("deals").write_text("\n".join([*deals, LOST, WON, paper.example("k00198-won.deal")]))
    status, out, err = yamafuda("solve", "klondike", "deals", *USUAL, "--states", "100000")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(("deal 1: won, ", "deal 1: lost, ", "deal 1: undecided (limit: states), "))
    assert any(line.startswith("deal 5: lost, ") for line in lines)
    assert any(line.startswith("deal 6: won, ") and " moves, 0 redeals, " in line for line in lines)
    assert lines[-1] == "()"
    assert max(map(len, lines)) < 130
    Path("answers").write_text(out)
    status, out, err = yamafuda("check", "klondike", "deals", "answers", *USUAL)
    assert (status, err) == (0, "")
    checked = out.splitlines()
    assert len(checked) == 7
    assert checked[4] == "deal 5: no solution is given"
    assert checked[5].startswith("deal 6: won after ")
    assert checked[6] == "deal 7: won after 0 moves, 0 redeals"


def test_solve_as_json(yamafuda: Run) -> None:
    Path("deals").write_text(f"{WON}\n{LOST}\n")
    for more in ([], ["--shortest"]):
        status, out, err = yamafuda("solve", "klondike", "deals", "--json", *more)
        assert (status, err) == (0, "")
        won, lost = map(json.loads, out.splitlines())
        assert list(won) == [
            "outcome", "states_count", "moves_count", "redeals_count", "elapsed_s", "moves"
        ]  # fmt: skip
        assert (won["outcome"], won["redeals_count"]) == ("won", 0)
        assert len(won["moves"]) == won["moves_count"]
        assert (lost["outcome"], lost["moves_count"], lost["redeals_count"], lost["moves"]) == (
            "lost", None, None, None
        )  # fmt: skip
        Path("deal").write_text(WON)
        Path("answer").write_text(" -> ".join(won["moves"]))
        assert yamafuda("check", "klondike", "deal", "answer")[:2] == (
            0,
            f"deal 1: won after {won['moves_count']} moves, 0 redeals\n",
        )


@pytest.mark.parametrize(
    ("deal", "words", "report", "other"),
    [
        ("stock: S3 H3 S2 / foundations: C3 D3 / 0: | SA / 1: HA | H2", ["--draw", "1"], "lost", "won"),
        (
            "stock: S2 C4 SA CA C3 / foundations: D4 H4 / 0: | S4 / 1: S3 | C2",
            ["--redeals", "0"],
            "won",
            "lost",
        ),
        ("stock: S3 D2 DA S2 D3 / foundations: C4 H4 / 0: | S4 / 1: SA | D4", [*STANDARD], "lost", "won"),
        ("stock: D2 CA D3 DA C2 HA / foundations: S3 / 0: | C3 / 1: H2 | H3", [*STANDARD], "won", "lost"),
        (
            "stock: H2 C3 / foundations: D4 S4 / 0: | CA / 1: H3 | C2 / 2: H4 C4 | HA",
            ["--no-deal-last"],
            "won",
            "lost",
        ),
        (
            "stock: SA S2 / foundations: D4 H4 / 0: | CA / 1: S4 | C4 / 2: C2 C3 | S3",
            ["--foundation-back"],
            "lost",
            "won",
        ),
    ],
)
def test_every_option_of_the_rules_counts(
    yamafuda: Run, deal: str, words: list[str], report: str, other: str
) -> None:
    Path("deal").write_text(deal)
    for more, outcome in (([], report), (words, other)):
        status, out, err = yamafuda("solve", "klondike", "deal", *more)
        assert (status, err) == (0, "")
        assert out.startswith(f"deal 1: {outcome}, ")
        Path("answer").write_text(out)
        told = yamafuda("check", "klondike", "deal", "answer", *more)[1]
        assert told.startswith("deal 1: won after " if outcome == "won" else "deal 1: no solution")


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        (("--states", "500"), "states"),
        (("--memory-bytes", "1048576"), "memory"),
        (("--time-s", "0.05"), "time"),
    ],
)
def test_limits_give_undecided(yamafuda: Run, words: tuple[str, ...], limit: str) -> None:
    status, out, _ = yamafuda("solve", "klondike", DEAL, "--json", *words)
    answer = json.loads(out)
    assert (status, answer["outcome"], answer["limit"], answer["moves"]) == (0, "undecided", limit, None)
    status, out, _ = yamafuda("solve", "klondike", DEAL, "--shortest", *words)
    assert out.startswith(f"deal 1: undecided (limit: {limit}), ")
    Path("answers").write_text(out)
    assert yamafuda("check", "klondike", DEAL, "answers")[1] == "deal 1: no solution is given\n"


@pytest.mark.parametrize("verb", ["solve", "check"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--draw", "2"], "--draw: must be 1 or 3; got 2"),
        (["--redeals", "-1"], "--redeals: must be unlimited or a number up to 1000000; got '-1'"),
        (["--redeals", "many"], "--redeals: must be unlimited or a number"),
        (["--redeals", "9" * 5000], "--redeals: must be unlimited or a number"),
        (["--redeal-rule", "vegas"], "--redeal-rule: 'vegas' is neither carry nor standard"),
    ],
)
def test_rules_that_are_wrong(yamafuda: Run, verb: str, words: list[str], message: str) -> None:
    files = [DEAL] if verb == "solve" else [DEAL, SOLUTION]
    status, out, err = yamafuda(verb, "klondike", *files, *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"yamafuda: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--time-s", "0"], "--time-s: must be more than 0"),
        (["--states", "0"], "--states: must be at least 1"),
        (["--memory-bytes", "1000"], "--memory-bytes: must be at least 1048576"),
        (["--memory-bytes", "8GiB"], "Invalid value for '--memory-bytes'"),
    ],
)
def test_limits_that_are_wrong(yamafuda: Run, words: list[str], message: str) -> None:
    status, out, err = yamafuda("solve", "klondike", DEAL, *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"yamafuda: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "deals: there is no deal in it"),
        (b"\xff\xfe", "deals: is not a text file (UTF-8)"),
        (b"CA C2", "deals, deal 1, line 1: 2 cards; a deal on one line has 52"),
        (f"{WON}\n{WON.replace('CA', 'XX')}".encode(), "deals, deal 2, line 2: column 1: 'XX' is no card"),
    ],
)
def test_deals_that_are_wrong(yamafuda: Run, content: bytes, message: str) -> None:
    """Nothing is solved before all deals are read."""
    Path("deals").write_bytes(content)
    status, out, err = yamafuda("solve", "klondike", "deals")
    assert (status, out) == (2, "")
    assert err == f"yamafuda: {err.removeprefix('yamafuda: ')}"
    assert err.startswith(f"yamafuda: {message}")
    assert err.count("\n") == 1


def test_check_of_the_report_s_figures(yamafuda: Run) -> None:
    status, out, _ = yamafuda("check", "klondike", DEAL, SOLUTION)
    assert (status, out) == (0, "deal 1: won after 85 moves, 5 redeals\n")
    status, out, _ = yamafuda("check", "klondike", DEAL, SOLUTION, "--json", "--redeals", "5")
    assert json.loads(out) == {"won": True, "moves_count": 85, "redeals_count": 5, "problem": None}


def test_check_of_what_does_not_win(yamafuda: Run) -> None:
    status, out, err = yamafuda("check", "klondike", DEAL, SOLUTION, "--redeals", "4")
    assert (status, err) == (1, "")
    assert out == "deal 1: wrong: move 75, R05C04 on line 3: no redeal is left, there were 4\n"
    Path("short").write_text(paper.example("k00198.solution").replace("S06S00<-", ""))
    status, out, _ = yamafuda("check", "klondike", DEAL, "short", "--json")
    assert status == 1
    assert json.loads(out) == {
        "won": False,
        "moves_count": 84,
        "redeals_count": 5,
        "problem": "the position after move 84 is not won",
    }
    Path("gap").write_text(paper.example("k00198.solution").replace("S03T02<-", "S03T02 ", 1))
    status, out, err = yamafuda("check", "klondike", DEAL, "gap")
    assert (status, out) == (2, "")
    assert "solutions: 2, deals: 1" in err


def test_streams_of_standard_input() -> None:
    with process("solve", "klondike", "-", stdin=subprocess.PIPE) as solving:
        out, err = solving.communicate(f"\ufeff{LOST}", timeout=60)
    assert (solving.returncode, err) == (0, "")
    assert out.startswith("deal 1: lost, ")
    with process("check", "klondike", DEAL, "-", stdin=subprocess.PIPE) as checking:
        out, err = checking.communicate(paper.example("k00198.solution"), timeout=60)
    assert (checking.returncode, out) == (0, "deal 1: won after 85 moves, 5 redeals\n")
    with process("check", "klondike", "-", "-", stdin=subprocess.DEVNULL) as both:
        _, err = both.communicate(timeout=60)
    assert both.returncode == 2
    assert "cannot both be" in err


def test_ctrl_c_ends_a_search_within_seconds() -> None:
    """The first deal's answer shows that the second one, far too hard, is being searched."""
    Path("deals").write_text(f"{LOST}\n{format_deal(k00198())}")
    solving = process("solve", "klondike", "deals", "--shortest")
    try:
        assert solving.stdout is not None
        assert solving.stdout.readline().startswith("deal 1: lost")
        time.sleep(0.3)
        begin_s = time.monotonic()
        solving.send_signal(signal.SIGINT)
        _, err = solving.communicate(timeout=60)
        assert time.monotonic() - begin_s < 5
    finally:
        solving.kill()
        solving.communicate()
    assert (solving.returncode, err) == (130, "yamafuda: interrupted\n")


def test_help_loads_nothing_big() -> None:
    program = (
        "import sys; sys.argv = ['yamafuda', 'check', 'klondike', '--help']\n"
        "from pipeline.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "assert not {'numpy', 'pyarrow', 'ray', 'engines._native'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
