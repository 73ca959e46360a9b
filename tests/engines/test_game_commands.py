"""What ``solve`` and ``check`` do alike for every game."""

from __future__ import annotations

import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from command_helpers import Run, answers, piped, process
from patience import PATIENCE_S
from refusals import assert_refused

from engines.contract.game import REPORT, VERBS
from engines.contract.registry import games
from engines.klondike import paper
from engines.solitaire.game import Solitaire

SEARCHES = [
    (verb, game.name)
    for game in games()
    for verb in ("solve", "advise")
    if isinstance(game, Solitaire) and game.can(verb) and verb not in game.verbs
]
"""The verbs that search deals, of every solitaire."""
WON = "stock: C2 D3 DA / 0: | C3 / 1: CA | D2"
LOT = (resources.files("engines.daifugo") / "examples" / "lot.record").read_text()
BIG = {"ray", "hydra", "omegaconf", "pyarrow", "duckdb", "numpy", "engines._native"}


@pytest.mark.parametrize(
    "words", [[], *([verb, game.name] for game in games() for verb in VERBS if game.can(verb))], ids=" ".join
)
def test_help_loads_nothing_big(words: list[str]) -> None:
    program = (
        f"import sys; sys.argv = ['yamafuda', *{words}, '--help']\n"
        "from pipeline.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print([name for name in {sorted(BIG)} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_game_s_commands_have_help_with_an_example(yamafuda: Run) -> None:
    for verb in VERBS:
        listed = yamafuda(verb, "--help")[1].partition("Commands:")[2]
        for game in games():
            assert game.can(verb) == (f"\n  {game.name} " in listed)
            if game.can(verb):
                status, shown, _ = yamafuda(verb, game.name, "--help")
                assert status == 0
                assert f"yamafuda {verb} {game.name} " in shown.partition("xample:")[2]


@pytest.mark.parametrize("words", [[], *([verb] for verb in (*VERBS, REPORT))], ids=" ".join)
def test_what_commands_do_is_told_in_a_line(yamafuda: Run, words: list[str]) -> None:
    """Nothing is cut."""
    listed = yamafuda(*words, "--help")[1].partition("Commands:")[2].partition("Example:")[0]
    assert listed
    assert not [line for line in listed.splitlines() if line.endswith("...")]


@pytest.mark.parametrize(
    ("verb", "game", "what"),
    [
        *((verb, game, "deal") for verb, game in SEARCHES),
        ("play", "calculation", "deck"),
        ("check", "daifugo", "game"),
        ("advise", "daifugo", "position"),
        ("solve", "tricks", "deal"),
    ],
)
@pytest.mark.usefixtures("workspace")
def test_files_without_anything_in_them(yamafuda: Run, verb: str, game: str, what: str) -> None:
    for content, message in (
        (b"", f"there is no {what} in it"),
        (b"# nothing\n", f"there is no {what} in it"),
        (b"\xff\xfe", "is not a text file (UTF-8)"),
    ):
        Path("file").write_bytes(content)
        assert_refused(yamafuda, verb, game, "file", message=f"file: {message}")


@pytest.mark.parametrize(
    ("words", "content", "message"),
    [
        ("solve klondike", "CA C2", "deal 1, line 1: 2 cards; a deal on one line has 52"),
        ("solve klondike", f"{WON}\n{WON.replace('CA', 'XX')}", "deal 2, line 2: column 1: 'XX' is no card"),
        ("solve superpuzz", "CA C2\nDA D2\nHA H2\nSA XX", "deal 1, line 4: 'XX' is no card"),
        (
            "check superpuzz",
            "CA C2\nDA D2\nHA H2\nSA CA",
            "deal 1, line 4: 'CA' is there twice, first on line 1",
        ),
        ("solve superpuzz", "CA C2\nDA D2\nHA H2\nSA", "deal 1, line 4: a row of 1 cards"),
        (
            "check daifugo",
            "0: S3",
            "game 1, line 1: deal 0: is missing: the hands come first, one for each seat",
        ),
        (
            "check daifugo",
            "deal 0: S3\ndeal 1: XX",
            "game 1, line 2: deal 1: 'XX' is no card; cards are like S3",
        ),
        ("check daifugo", f"{LOT}deal 0: S3\ndeal 1: XX", "game 2, line "),
        ("advise daifugo", "turn: 9", "position 1, line 1: turn: '9' is no seat"),
    ],
)
@pytest.mark.usefixtures("workspace")
def test_nothing_is_done_before_all_is_read(yamafuda: Run, words: str, content: str, message: str) -> None:
    Path("file").write_text(content)
    verb, game = words.split()
    solutions = ["file"] if (verb, game) == ("check", "superpuzz") else []
    assert_refused(yamafuda, verb, game, "file", *solutions, message=f"file, {message}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--time-s", "0"], "--time-s: must be more than 0"),
        (["--time-s", "nan"], "--time-s: must be a number or none; got 'nan'"),
        (["--states", "0"], "--states: must be at least 1"),
        (["--states", str(1 << 63)], "--states: must be a number or none; got '9223372036854775808'"),
        (["--memory-bytes", "1000"], "--memory-bytes: must be at least 1048576"),
        (["--memory-bytes", "8GiB"], "Invalid value for '--memory-bytes'"),
        (["--moves", "wrds"], "Invalid value for '--moves': 'wrds' is not one of 'report', 'words', 'json'"),
    ],
)
def test_limits_that_are_wrong(yamafuda: Run, words: list[str], message: str) -> None:
    for verb, game in SEARCHES:
        assert_refused(yamafuda, verb, game, "file", *words, message=message)


@pytest.mark.parametrize(
    ("game", "lost", "deal", "solution", "answer"),
    [
        (
            "klondike",
            "stock: C2 C5 / 0: | C3 / 1: CA | C4",
            "k00198.deal",
            "k00198.solution",
            "surely won after 80 moves and draws, 5 redeals; 32 cards are left to go up",
        ),
        (
            "superpuzz",
            "S2 S3 D3 / HA H3 SA / DA D2 C3 / H2 CA C2",
            "figure-7.deal",
            "figure-7.solution",
            "won after 46 moves",
        ),
    ],
)
def test_standard_input(game: str, lost: str, deal: str, solution: str, answer: str) -> None:
    examples = Path(str(resources.files(f"engines.{game}") / "examples"))
    assert answers(piped(f"\ufeff{lost}", "solve", game, "-")) == ["deal 1: lost"]
    written, words = (examples / solution).read_text(), ["--rules", "report"] if game == "klondike" else []
    assert answers(piped(written, "check", game, str(examples / deal), "-", *words)) == [f"deal 1: {answer}"]
    assert "cannot both be" in piped("", "check", game, "-", "-", status=2)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a file that is always full is asked for")
def test_a_full_standard_output() -> None:
    with process("solve", "klondike", "-", stdin=subprocess.PIPE) as reading:
        assert reading.communicate(paper.example("k00198.deal"), timeout=PATIENCE_S)[0]
    with Path("/dev/full").open("w") as full:
        program = [sys.executable, "-c", "from pipeline.cli import main; main()", "solve", "klondike", "-"]
        done = subprocess.run(
            program,
            input=paper.example("k00198.deal"),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "yamafuda: no space left on the device\n")


@pytest.mark.parametrize("word", ["null", "none", "unlimited"])
def test_words_for_no_limit(yamafuda: Run, word: str) -> None:
    deal = str(Path(str(resources.files("engines.superpuzz") / "examples" / "figure-7.deal")))
    status, out, _ = yamafuda("solve", "superpuzz", deal, "--states", word, "--time-s", word)
    assert (status, "\ndeal 1: won, " in out) == (0, True)
