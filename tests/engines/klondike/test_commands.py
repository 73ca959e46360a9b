"""``yamafuda solve klondike`` and ``yamafuda check klondike``."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import pytest
from command_helpers import LIMITS, Run, answers, assert_undecided, interrupted
from refusals import assert_refused, changed

from engines.klondike import core, paper
from engines.klondike.text import format_deal, read_deals

EXAMPLES = Path(str(resources.files("engines.klondike") / "examples"))
DEAL, SOLUTION = str(EXAMPLES / "k00198.deal"), str(EXAMPLES / "k00198.solution")
WON = "stock: C2 D3 DA / 0: | C3 / 1: CA | D2"
LOST = "stock: C2 C5 / 0: | C3 / 1: CA | C4"
HARD = (Path(__file__).parents[2] / "cases/klondike_minima.txt").read_text().splitlines()[-2].split(" | ")[1]
"""Has a solution, but a shortest one is not found soon."""
STANDARD = ["--redeal-rule", "standard"]
BACK = "--foundation-back"
REPORT = ["--rules", "report"]

pytestmark = pytest.mark.usefixtures("workspace")


def test_what_solve_prints_is_what_check_reads(yamafuda: Run) -> None:
    deals = [format_deal(core.random_deal(1, index)) for index in range(4)]
    Path("deals").write_text("\n".join([*deals, LOST, WON, paper.example("k00198-won.deal")]))
    status, out, err = yamafuda("solve", "klondike", "deals", "--states", "100000")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "# rules: draw 3, redeals unlimited, redeal rule standard, foundation back (usual)"
    assert lines[1].startswith(("deal 1: won, ", "deal 1: lost", "deal 1: undecided (limit: states)"))
    assert "deal 5: lost" in lines
    assert any(
        line.startswith("deal 6: won, ") and line.endswith(" moves and draws, 0 redeals") for line in lines
    )
    assert max(map(len, lines)) < 130
    Path("answers").write_text(out)
    status, out, err = yamafuda("check", "klondike", "deals", "answers")
    assert (status, err) == (0, "")
    head, *checked = out.splitlines()
    assert (head, len(checked)) == (lines[0], 7)
    assert checked[4] == "deal 5: no solution is given"
    assert checked[5].startswith("deal 6: won after ")
    # The report's game ends with 33 cards to go up: 32 that lie in columns, and one that is drawn first.
    assert checked[6] == "deal 7: won after 33 moves and draws, 0 redeals"


def test_solve_as_json(yamafuda: Run) -> None:
    Path("deals").write_text(f"{WON}\n{LOST}\n")
    for more in ([], ["--shortest"]):
        status, out, err = yamafuda("solve", "klondike", "deals", "--json", *more)
        assert (status, err) == (0, "")
        won, lost = map(json.loads, out.splitlines())
        assert list(won) == [
            "deal_number", "deal", "rules",
            "outcome", "limit", "states_count", "moves_count", *(["fewest_count"] if more else []), "redeals_count",
            "cpu_s", "elapsed_s", "moves",
        ]  # fmt: skip
        assert won.get("fewest_count", won["moves_count"]) == won["moves_count"]
        assert (won["outcome"], won["redeals_count"]) == ("won", 0)
        assert (won["deal_number"], read_deals(won["deal"])) == (1, read_deals(WON))
        assert won["rules"] == {
            "draw": 3, "redeals": None, "redeal_rule": "standard", "deal_last": None, "foundation_back": True
        }  # fmt: skip
        assert len(won["moves"]) == won["moves_count"] + won["redeals_count"]
        assert [lost[name] for name in ("outcome", "limit", "moves_count", "redeals_count", "moves")] == [
            "lost", None, None, None, None
        ]  # fmt: skip
        Path("deal").write_text(WON)
        Path("answer").write_text(" -> ".join(won["moves"]))
        status, out, _ = yamafuda("check", "klondike", "deal", "answer")
        told = f"deal 1: won after {won['moves_count']} moves and draws, 0 redeals"
        assert (status, answers(out)) == (0, [told])


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
        status, out, err = yamafuda("solve", "klondike", "deal", *REPORT, *more)
        assert (status, err) == (0, "")
        assert answers(out)[0].startswith(f"deal 1: {outcome}")
        Path("answer").write_text(out)
        (told,) = answers(yamafuda("check", "klondike", "deal", "answer", *REPORT, *more)[1])
        assert told.startswith("deal 1: won after " if outcome == "won" else "deal 1: no solution")


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ([], {"draw": 3, "redeals": None, "redeal_rule": "standard", "foundation_back": True}),
        (REPORT, {"draw": 3, "redeals": None, "redeal_rule": "carry", "foundation_back": False}),
        (["--draw", "1"], {"draw": 1, "redeals": None, "redeal_rule": None, "foundation_back": True}),
        # Options change a set of rules wherever they stand, also to what is the default.
        (["--draw", "3", BACK, *REPORT], {"draw": 3, "redeal_rule": "carry", "foundation_back": True}),
        (
            [*REPORT, *STANDARD, "--redeals", "2"],
            {"redeals": 2, "redeal_rule": "standard", "foundation_back": False},
        ),
    ],
)
def test_rules_by_name_are_changed_by_options(
    yamafuda: Run, words: list[str], rules: dict[str, object]
) -> None:
    Path("deal").write_text(LOST)
    told = json.loads(yamafuda("solve", "klondike", "deal", "--json", *words)[1])["rules"]
    assert {name: told[name] for name in rules} == rules


def test_a_limit_leaves_the_best_solution_and_a_bound(yamafuda: Run) -> None:
    Path("deals").write_text(HARD)
    words = ["solve", "klondike", "deals", "--shortest", "--draw", "1", "--states", "20000"]
    status, out, err = yamafuda(*words)
    assert (status, err) == (0, "")
    told = re.match(
        r"deal 1: won \(limit: states\), (\d+) moves and draws, \d+ redeals; the fewest lie in (\d+)\.\.(\d+)\n",
        out.split("\n", 1)[1],
    )
    assert told is not None, out
    moves_count, least, most = map(int, told.groups())
    assert least < most == moves_count
    found = json.loads(yamafuda(*words, "--json")[1])
    assert (found["outcome"], found["limit"], found["fewest_count"]) == ("won", "states", least)
    Path("solution").write_text(" -> ".join(found["moves"]))
    status, out, _ = yamafuda("check", "klondike", "deals", "solution", "--draw", "1")
    assert (status, out.splitlines()[-1].startswith(f"deal 1: won after {moves_count} moves")) == (0, True)


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_give_undecided(yamafuda: Run, limit: str) -> None:
    for mode in ([], ["--shortest"]):
        assert_undecided(yamafuda, "klondike", DEAL, *mode, limit=limit)


@pytest.mark.parametrize("verb", ["solve", "check"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--draw", "2"], "--draw: must be 1 or 3; got '2'"),
        (["--redeals", "-1"], "--redeals: must be a number or unlimited; got '-1'"),
        (["--redeals", "many"], "--redeals: must be a number or unlimited; got "),
        (["--redeals", "9" * 5000], "--redeals: must be a number or unlimited; got "),
        (["--rules", "vegas"], "--rules: must be usual or report; got 'vegas'"),
        (["--redeal-rule", "vegas"], "--redeal-rule: must be carry or standard; got 'vegas'"),
    ],
)
def test_rules_that_are_wrong(yamafuda: Run, verb: str, words: list[str], message: str) -> None:
    files = [DEAL] if verb == "solve" else [DEAL, SOLUTION]
    assert_refused(yamafuda, verb, "klondike", *files, *words, message=message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--redeals", "00001000001"], "--redeals: must be 0 to 1000000, or unlimited; got 1000001"),
        (["--redeals", "0" * 5000 + "9" * 5000], "--redeals: must be a number or unlimited; got "),
    ],
)
def test_redeals_of_a_search_that_are_wrong(yamafuda: Run, words: list[str], message: str) -> None:
    assert_refused(yamafuda, "solve", "klondike", DEAL, *words, message=message)


FIGURE, PLAIN, WITHIN, SOLVITAIRE = (
    "k00198.deal", "k00198-plain.deal", "within.deal", "k00198-solvitaire.deal"
)  # fmt: skip
BAD_DEALS = {
    # A card is missing.
    "missing, figure": (FIGURE, "SKDQ,D0", "DQ,D0", "column 5: 5 cards face down are given, 4 stand"),
    "missing, figure, counts": (FIGURE, "5,5, 6: H9C3C4SKDQ", "5,4, 5: H9C3C4DQ", "missing: SK (in no"),
    "missing, plain": (PLAIN, "C9 D5", "D5", "missing: C9 (in no column, stock, waste or foundation)"),
    "missing, position": (WITHIN, "| S4", "|", "missing: S4 (in no column, stock, waste or foundation)"),
    "missing, JSON": (SOLVITAIRE, '"9C"', "", "missing: C9 (in no column, stock, waste or foundation)"),
    # A card is there twice.
    "doubled, figure": (FIGURE, "H8D3,C7", "H8D3,CA", "column 4: CA is there twice, first in: column 2"),
    "doubled, plain": (PLAIN, "CJ S0", "CJ CJ", "stock: CJ is there twice, first in: stock"),
    "doubled, position": (WITHIN, "stock: S3", "stock: S3\nwaste: S2", "waste: S2 is there twice"),
    "doubled, JSON": (SOLVITAIRE, '"5H"]', '"9C"]', "stock: C9 is there twice, first in: column 0"),
    # A card that there is not.
    "unknown, figure": (FIGURE, "S0CJC5", "S0CJE5", "stock: 'E5S3S8H7HJD2C0SADKH6...' is no card"),
    "unknown, plain": (PLAIN, "C9 D5", "C9 D1", "deal: 'D1' is no card"),
    "unknown, position": (WITHIN, "HK CQ", "H14 CQ", "column 0: 'H14' is no card"),
    "unknown, JSON": (SOLVITAIRE, '"10D"', '"11X"', "column 5: '\"11X\"' is no card"),
    # Columns of wrong lengths.
    "length, figure": (FIGURE, "3,3, 4:", "3,3, 5:", "column 3: 5 cards are given, there are 4"),
    "length, figure, cards too": (FIGURE, "1,1, 2: D5,C8", "1,-1, 1: C8", "missing: D5 (in no column"),
    "length, position": (WITHIN, "5: |", "#", "there is no column 5"),
    "length, JSON": (
        SOLVITAIRE,
        '["5d", "8C"],\n    ["8h", ',
        '["8C"],\n    ["5d", "8h", ',
        "column 2: 3 of its cards",
    ),
    "length, JSON, a column more": (SOLVITAIRE, '"KC"]', '"KC"], []', "8 columns; there are 1 to 7"),
    # A heading that does not go with the cards.
    "heading, stock": (FIGURE, "cp=24", "cp=23", "cp=23, but there are 24 cards"),
    "heading, waste": (FIGURE, "wp=0", "wp=3", "wp=3, but there are 0 cards"),
    "heading, foundations": (FIGURE, "n=0", "n=1", "n=1, but there are 0 cards"),
    "heading, columns": (FIGURE, "Stack: 28", "Stack: 29", "Stack: 29, but the columns have 28 cards"),
    "heading, counts": (FIGURE, "1617\n", "161718\n", "stock: the line of counts does not go with its"),
}
"""Of every form: what is wrong, and how it is told. The changed deal is the second one of its file."""


@pytest.mark.parametrize("case", BAD_DEALS)
@pytest.mark.parametrize("verb", ["solve", "check", "run"])
def test_deal_place_and_card_are_named(yamafuda: Run, verb: str, case: str) -> None:
    name, old, new, message = BAD_DEALS[case]
    Path("deals").write_text(paper.example(name) + "\n" + changed(paper.example(name), old, new))
    words = {
        "solve": ["solve", "klondike", "deals"],
        "check": ["check", "klondike", "deals", SOLUTION],
        "run": ["run", "job=klondike_sweep", "job.file=deals"],
    }[verb]
    err = assert_refused(yamafuda, *words)
    assert re.fullmatch(rf"yamafuda: (?:\S*/)?deals, deal 2, line [0-9]+: {re.escape(message)}.*\n", err), err


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("job.redeal_rule=vegas", "job.redeal_rule: "),
        ("job.draw=2", "job.draw: must be 1 or 3; got '2'"),
        ("job.redeals=-1", "job.redeals: must be 0 to 1000000, or unlimited; got -1"),
        ("job.redeals=many", "job.redeals: "),
        ("job.foundation_back=perhaps", "job.foundation_back: "),
    ],
)
@pytest.mark.parametrize("job", ["klondike_sweep", "klondike_deals", "klondike_rates"])
def test_rules_of_a_job_that_are_wrong(yamafuda: Run, job: str, word: str, message: str) -> None:
    err = assert_refused(yamafuda, "run", f"job={job}", word, message=message)
    assert word.partition("=")[2] in err


def test_check_of_the_report_s_figures(yamafuda: Run) -> None:
    """The report's solution ends where the deal is surely won."""
    status, out, _ = yamafuda("check", "klondike", DEAL, SOLUTION, *REPORT)
    words = "surely won after 80 moves and draws, 5 redeals; 32 cards are left to go up"
    assert (status, answers(out)) == (0, [f"deal 1: {words}"])
    told = json.loads(yamafuda("check", "klondike", DEAL, SOLUTION, "--json", "--redeals", "5", *REPORT)[1])
    assert (told["won"], told["ending"], told["problem"]) == (True, "surely won", None)
    assert (told["moves_count"], told["redeals_count"], told["rules"]["redeals"]) == (80, 5, 5)


def test_check_of_what_does_not_win(yamafuda: Run) -> None:
    status, out, err = yamafuda("check", "klondike", DEAL, SOLUTION, "--redeals", "4", *REPORT)
    assert (status, err) == (1, "")
    assert answers(out) == ["deal 1: wrong: move 75, R05C04 on line 3: no redeal is left, there were 4"]
    Path("short").write_text(paper.example("k00198.solution").replace("S06S00<-", ""))
    status, out, _ = yamafuda("check", "klondike", DEAL, "short", "--json", *REPORT)
    told = json.loads(out)
    assert (status, told["won"], told["ending"], told["moves_count"]) == (1, False, None, 79)
    assert told["problem"] == "the position after move 84 is not won"
    Path("gap").write_text(paper.example("k00198.solution").replace("S03T02<-", "S03T02 ", 1))
    err = assert_refused(yamafuda, "check", "klondike", DEAL, "gap")
    assert "solutions: 2, deals: 1" in err


def test_ctrl_c_ends_a_search_within_seconds() -> None:
    """The second deal takes a minute."""
    Path("deals").write_text(f"{LOST}\n{HARD}")
    interrupted("solve", "klondike", "deals", "--shortest", "--draw", "1", begin="deal 1: lost")


def test_forms_without_a_place_for_redeals(yamafuda: Run) -> None:
    """A position after five redeals would come back as one before any."""
    deal = str(EXAMPLES / "within.deal")
    assert "redeals: 5" in yamafuda("show", "klondike", deal, "--to", "position")[1]
    for form in ("solvitaire", "talon", "piles", "digits"):
        message = f"--to: {form} cannot express all of deal 1; line can"
        assert_refused(yamafuda, "show", "klondike", deal, "--to", form, message=message)
