"""The commands of every solitaire, made of a toy one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest
import typer
from command_helpers import answers
from refusals import complaint
from stairs import Stairs
from typer.testing import CliRunner

from pipeline.answering import answering_command
from storage.errors import UserError

DEALS = "...\n.xx.\n.x.x.\n"
"""Three ways, one with a reach of three only, one."""

pytestmark = pytest.mark.usefixtures("workspace")


def run(verb: str, *words: str, status: int = 0) -> str:
    """What a command of the toy prints."""
    app = typer.Typer()
    app.command()(answering_command(Stairs().function(verb)))
    done = CliRunner().invoke(app, words)
    if isinstance(done.exception, UserError):
        raise done.exception
    assert done.exit_code == status, done.output
    return done.output


def objects(verb: str, *words: str, status: int = 0) -> list[dict[str, object]]:
    """What it prints as JSON."""
    return list(map(json.loads, run(verb, *words, "--json", status=status).splitlines()))


@pytest.fixture(autouse=True)
def deals(workspace: Path) -> None:
    """Deals and solutions in the working directory."""
    Path("deals").write_text(DEALS)
    Path("top").write_text("...\n\n")
    Path("ways").write_text("J1 -> J2\ndeal 2: lost\nj2 <- j2 <- j1\n")


def test_solve_prints_what_check_reads() -> None:
    solved = run("solve", "deals")
    assert solved == (
        "# rules: reach 2, no careful\n"
        "deal 1: won, 2 moves\n# 7 states, 0.25 s of processor time, 0.00 s in all\nJ1 -> J2\n\n"
        "deal 2: lost\n# 2 states, 0.25 s of processor time, 0.00 s in all\n\n"
        "deal 3: won, 3 moves\n# 4 states, 0.25 s of processor time, 0.00 s in all\nJ1 -> J2 -> J2\n"
    )
    Path("solved").write_text(solved)
    assert run("check", "deals", "solved") == (
        "# rules: reach 2, no careful\n"
        "deal 1: won after 2 moves, 3 stairs\ndeal 2: no solution is given\ndeal 3: won after 3 moves, 5 stairs\n"
    )


def test_solve_as_json() -> None:
    won, lost, _ = objects("solve", "deals", "--all", "--order", "near")
    names = ["outcome", "limit", "states_count", "moves_count", "ways_count", "cpu_s", "elapsed_s", "moves"]
    assert list(won) == list(lost) == ["deal_number", "deal", "rules", *names]
    rules = {"reach": 2, "careful": False}
    assert cast(float, won.pop("elapsed_s")) >= 0
    del lost["elapsed_s"]
    assert list(won.values()) == [1, "...", rules, "won", None, 7, 3, 3, 0.25, ["J1", "J1", "J1"]]
    assert list(lost.values()) == [2, ".xx.", rules, "lost", None, 2, None, 0, 0.25, None]


def test_options_and_modes_reach_the_search() -> None:
    assert [each["outcome"] for each in objects("solve", "deals", "--reach", "3")] == ["won", "won", "won"]
    careful = objects("solve", "deals", "--reach", "3", "--careful")
    assert [each["outcome"] for each in careful] == ["won", "lost", "lost"]
    assert [each["ways_count"] for each in objects("solve", "deals", "--all")] == [3, 0, 1]
    assert "deal 1: won, 2 moves, 3 ways\n" in run("solve", "deals", "--all", "--order", "far")
    assert objects("solve", "deals", "--shortest")[0]["moves"] == ["J1", "J2"]


def test_what_hits_a_limit_is_undecided() -> None:
    limited = objects("solve", "deals", "--states", "2")
    assert [(each["outcome"], each["limit"]) for each in limited] == [
        ("undecided", "states"), ("lost", None), ("undecided", "states")
    ]  # fmt: skip
    assert "\ndeal 1: undecided (limit: states)\n# 2 states, " in run("solve", "deals", "--states", "2")


def test_check() -> None:
    won = {"won": True, "ending": "won", "marks": [], "problem": None}
    rules = {"reach": 2, "careful": False}
    assert objects("check", "deals", "ways") == [
        {"deal_number": 1, "deal": "...", "rules": rules, "moves_count": 2, "stairs_count": 3} | won,
        {"deal_number": 2, "deal": ".xx.", "rules": rules, "won": None, "ending": None, "moves_count": None}
        | {"problem": None},
        {"deal_number": 3, "deal": ".x.x.", "rules": rules, "moves_count": 3, "stairs_count": 5} | won,
    ]
    # By other rules a jump is not legal.
    first, _, third = objects("check", "deals", "ways", "--reach", "1", status=1)
    problems = (first["won"], first["moves_count"], first["problem"], third["moves_count"])
    assert problems == (False, 1, "move 2, J2 on line 1: is not legal here; legal: J1", 1)
    Path("short").write_text("J1\nlost\nJ2 -> J2 -> J1")
    lines = answers(run("check", "deals", "short", status=1))
    assert lines[0] == "deal 1: wrong: the position after move 1 is not won"
    assert lines[2] == "deal 3: wrong: move 1, J2 on line 3: is not legal here; legal: J1"
    Path("one").write_text("....")
    Path("long").write_text("J1 -> J1 -> J1 -> J1")
    assert answers(run("check", "one", "long")) == ["deal 1: won after 4 moves, 4 stairs; a long way"]


def test_advise() -> None:
    """Every play with the answer of the position after it; wins first, then what is open, then losses."""
    Path("deals").write_text("v.\nv....\n.v")
    found = [
        cast(list[dict[str, Any]], each["plays"]) for each in objects("advise", "deals", "--states", "5")
    ]
    assert [[(each["play"], each["outcome"], each["states_count"]) for each in plays] for plays in found] == [
        [("J2", "won", 1), ("J1", "lost", 1)],
        [("J2", "undecided", 5), ("J1", "lost", 1)],
        [("J1", "lost", 2), ("J2", "lost", 1)],
    ]
    names = ["play", "outcome", "limit", "states_count", "moves_count", "ways_count", "cpu_s"]
    assert all(list(each) == names for plays in found for each in plays)
    head = "2 plays, each searched with 5 states, 2.15 GB, 2 s of processor time"
    assert run("advise", "deals", "--states", "5") == (
        "# rules: reach 2, no careful\n"
        f"deal 1: {head}\nJ2  won, 0 moves (1 states, 0.25 s of processor time)\n"
        "J1  lost (1 states, 0.25 s of processor time)\n\n"
        f"deal 2: {head}\nJ2  undecided (limit: states) (5 states, 0.25 s of processor time)\n"
        "J1  lost (1 states, 0.25 s of processor time)\n\n"
        f"deal 3: {head}\nJ1  lost (2 states, 0.25 s of processor time)\n"
        "J2  lost (1 states, 0.25 s of processor time)\n"
    )


def test_advice_tells_its_limits() -> None:
    """It has a limit of time though none was given."""
    told = objects("advise", "deals", "--states", "7")
    limits = {"states_count": 7, "memory_bytes": 2 << 30, "time_s": 2.0}
    assert [each["limits"] for each in told] == [limits] * 3
    (first, *_) = objects("advise", "deals", "--time-s", "none")
    assert first["limits"] == limits | {"states_count": None, "time_s": None}


def test_advise_where_nothing_can_be_played() -> None:
    Path("deals").write_text("\nxx.\n")
    assert [line.partition(" (")[0] for line in answers(run("advise", "deals"))] == [
        "deal 1: won, 0 moves", "", "deal 2: lost"
    ]  # fmt: skip
    assert [each["plays"] for each in objects("advise", "deals")] == [[], []]


def test_show() -> None:
    Path("deals").write_text(".x.\n..")
    assert run("show", "deals") == ".\nx\n.\n\n.\n.\n"
    assert objects("show", "deals") == [
        {"deal_number": 1, "deal": ".x."}, {"deal_number": 2, "deal": ".."}
    ]  # fmt: skip
    assert run("show", "deals", "--to", "line") == ".x.\n..\n"
    assert objects("show", "deals", "--to", "line")[0] == {"deal_number": 1, "deal": ".x.", "text": ".x."}


@pytest.mark.parametrize(
    ("verb", "words", "message"),
    [
        ("solve", ["--reach", "0"], "--reach: must be 1 to 9; got 0"),
        ("check", ["--reach", "10"], "--reach: must be 1 to 9; got 10"),
        ("advise", ["--reach", "far"], "--reach: must be a number; got 'far'"),
        ("solve", ["--order", "up"], "--order: must be near or far; got 'up'"),
        ("solve", ["--order", "far"], "--order: needs --all"),
        ("solve", ["--all", "--shortest"], "--shortest: cannot go with --all"),
        ("show", ["--to", "circle"], "--to: must be line; got 'circle'"),
        ("solve", ["--states", "0"], "--states: must be at least 1 and below 2**63; got 0"),
        ("advise", ["--time-s", "nan"], "--time-s: must be a number or none; got 'nan'"),
        (
            "advise",
            ["--memory-bytes", "1"],
            "--memory-bytes: must be at least 1048576 and below 2**63; got 1",
        ),
    ],
)
def test_options_that_are_wrong(verb: str, words: list[str], message: str) -> None:
    files = ["deals", "ways"] if verb == "check" else ["deals"]
    assert complaint(lambda: run(verb, *files, *words)) == message


@pytest.mark.parametrize("verb", ["solve", "check", "advise", "show"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no deal in it|solutions: 3, deals: 0"),
        (".x\n.y", "deals, line 2: stairs are . and x and v"),
        (None, "deals: cannot be read: No such file"),
    ],
)
def test_files_that_are_wrong(verb: str, text: str | None, message: str) -> None:
    """Told before anything is printed."""
    Path("deals").unlink()
    if text is not None:
        Path("deals").write_text(text)
    with pytest.raises(UserError, match=message):
        run(verb, "deals", *(["ways"] if verb == "check" else []))


@pytest.mark.parametrize("deal", [".x. ...", ".x. ..." * 1000])
def test_a_deal_in_place_of_a_file(deal: str) -> None:
    for words in (("solve", deal), ("show", deal), ("check", "deals", deal)):
        with pytest.raises(
            UserError,
            match=r"is not a file; write the text into a file, or give - and send it to standard input",
        ):
            run(*words)


def test_a_verb_has_the_options_that_it_can_use() -> None:
    """A replay and advice have no mode and none of the options of a search alone; a drawing has none at all."""
    for verb, words in (
        ("check", ["--order", "far"]), ("advise", ["--order", "far"]), ("advise", ["--all"]), ("check", ["--all"]),
        ("check", ["--states", "5"]), ("show", ["--reach", "3"]), ("show", ["--states", "5"]),
    ):  # fmt: skip
        files = ["deals", "ways"] if verb == "check" else ["deals"]
        assert "No such option" in run(verb, *files, *words, status=2)


def test_help_tells_options_with_their_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    told = re.sub(r"\s+", " ", run("solve", "--help"))
    for words in (
        "--reach N Stairs that a jump takes at most. [default: 2]",
        "--order near|far Of a search",
        "--all ",
    ):
        assert words in told


def test_a_game_without_plays_gives_no_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(Stairs().can(verb) for verb in ("solve", "check", "advise", "show", "report"))
    monkeypatch.delattr(Stairs, "plays")
    assert not Stairs().can("advise")
