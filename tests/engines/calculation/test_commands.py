"""``yamafuda solve``, ``play``, ``check`` and ``advise calculation``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from calculation_games import random_deck, random_game, run_of
from command_helpers import Run
from refusals import assert_refused

from engines.calculation import rules
from engines.calculation.core import open_player
from engines.calculation.method import ROUND
from engines.calculation.player import Options
from engines.calculation.position import format_position, read_position, untold
from engines.calculation.record import format_game, format_moves, read_games
from engines.calculation.replay import check_game
from engines.calculation.text import format_deck, name_of

pytestmark = pytest.mark.usefixtures("workspace")

OPTIONS = Options(ranks=5, stacks=2, keep=20)
WORDS = ["--stacks", "2", "--keep", "20"]


@pytest.fixture
def decks(workspace: Path) -> list[list[int]]:
    """Three decks in the file ``decks``."""
    found = [random_deck(ranks, seed) for ranks, seed in ((5, 0), (4, 1), (5, 2))]
    (workspace / "decks").write_text("# of two games\n" + "\n".join(map(format_deck, found)))
    return found


@pytest.mark.parametrize("more", [[], ["--moves"]])
def test_what_play_prints_is_what_check_reads(
    yamafuda: Run, tables: Path, decks: list[list[int]], more: list[str]
) -> None:
    status, out, err = yamafuda("play", "calculation", "decks", *WORDS, *more, "--tables", str(tables))
    assert (status, err) == (0, "")
    heads = [line for line in out.splitlines() if line.startswith("deal")]
    played = open_player(OPTIONS, tables).play([decks[0], decks[2]])
    assert heads[0].startswith(f"deal 1: {played[0].outcome}, {played[0].draws_count} draws, ")
    assert f", {played[1].left_count} cards left, {played[1].evaluations_count} evaluations, " in heads[2]
    assert ("=====" in out) == (not more)
    Path("games").write_text(out)
    status, out, err = yamafuda("check", "calculation", "decks", "games", "--stacks", "2", "--json")
    assert (status, err) == (0, "")
    found = [json.loads(line) for line in out.splitlines()]
    assert [each["problem"] for each in found] == [None] * 3
    assert [(found[at]["outcome"], found[at]["left_count"]) for at in (0, 2)] == [
        (each.outcome, each.left_count) for each in played
    ]


def test_play_as_json(yamafuda: Run, tables: Path, decks: list[list[int]]) -> None:
    words = [*WORDS, "--look-ahead", "1", "--value", "independent", "--json", "--tables", str(tables)]
    status, out, err = yamafuda("play", "calculation", "decks", *words)
    assert (status, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["deal"] for line in lines] == [format_deck(deck) for deck in decks]
    for line, deck in zip(lines, decks, strict=True):
        assert len(line["assignments"]) == len(deck)
        assert (line["outcome"] == "won") == (line["left_count"] == 0)
        assert line["lookups_count"] >= line["missing_count"] == 0


def test_boards_must_have_the_stacks(yamafuda: Run) -> None:
    deck, moves = random_game(4, 5, 3)
    Path("deck").write_text(format_deck(deck))
    Path("game").write_text(format_game(deck, moves, 4, 5))
    status, out, _ = yamafuda("check", "calculation", "deck", "game", "--stacks", "5")
    assert status == 0
    ending = rules.replay(deck, moves, 4, 5).outcome
    assert ending in ("won", "lost")
    # Boards do not tell when within a turn a card moves, or that one moves later than it can.
    assert re.search(rf"^deal 1: {ending} after [0-9]+ moves, 16 draws, ", out, re.MULTILINE)
    assert yamafuda("check", "calculation", "deck", "game", "--stacks", "4")[::2] == (
        2,
        "yamafuda: game, line 1: the turn has 5 stacks; there are 4\n",
    )


def test_a_wrong_game(yamafuda: Run) -> None:
    Path("deck").write_text(format_deck([1, 2, 3, 4] * 4))
    Path("game").write_text("AF0 2F0 3F1")
    assert yamafuda("check", "calculation", "deck", "game") == (
        1,
        "# rules: stacks 3\ndeal 1: wrong: move 3: foundation 1 waits for rank 2, not 3\n",
        "",
    )
    status, out, _ = yamafuda("check", "calculation", "deck", "game", "--json")
    found = json.loads(out)
    assert (status, found["won"], found["moves_count"], found["draws_count"]) == (1, False, 2, 2)
    Path("game").write_text("AF0 2F0")
    assert yamafuda("check", "calculation", "deck", "game")[:2] == (
        0,
        "# rules: stacks 3\ndeal 1: not finished after 2 moves, 2 draws, 14 left\n",
    )
    assert json.loads(yamafuda("check", "calculation", "deck", "game", "--json")[1])["won"] is False


def test_advise(yamafuda: Run, tables: Path) -> None:
    deck, moves = random_game(5, 2, 3)
    position = list(rules.positions(deck, moves[:6], 5, 2))[-1]
    drawn = rules.draw(position, deck[sum(move.source == rules.DRAWN for move in moves[:6])])
    Path("position").write_text(format_position(drawn, untold(drawn)))
    status, out, err = yamafuda("advise", "calculation", "position", "--keep", "20", "--tables", str(tables))
    assert (status, err) == (0, "")
    lines = out.splitlines()
    plays = open_player(OPTIONS, tables).advise(drawn)
    assert len(lines) == 2 + len(plays)
    assert drawn.drawn is not None
    assert [line.split(";")[0].split() for line in lines[2:]] == [
        [f"{play.value:.7g}", *format_moves([drawn.drawn], play.moves).split()] for play in plays
    ]
    status, out, _ = yamafuda(
        "advise", "calculation", "position", "--keep", "20", "--json", "--tables", str(tables)
    )
    found = json.loads(out)
    assert status == 0
    assert found["given"] is None
    assert [play["value"] for play in found["plays"]] == [play.value for play in plays]
    best = found["plays"][0]
    rows = format_position(plays[0].position, untold(plays[0].position)).split("stacks")[0]
    board = "\n".join([rows, "stacks", *best["assignment"]])
    assert read_position(board).assignment() == plays[0].assignment


def test_advice_by_playouts(yamafuda: Run, tables: Path) -> None:
    Path("position").write_text(
        "ranks: 5\n0: 3 4 5\n1: 4 A 3 5\n2: 3 A 4 2 5\n3: 4 3 2 A 5\n0: 5\n1: 2\ndrawn: 3\n"
    )
    words = ["advise", "calculation", "position", "--keep", "20", "--playouts", "20", "--tables", str(tables)]
    status, out, err = yamafuda(*words, "--json")
    assert (status, err) == (0, "")
    plays = json.loads(out)["plays"]
    assert max(play["playouts_count"] for play in plays) in (ROUND, 20)
    assert all((play["chance"] is None) == (play["playouts_count"] == 0) for play in plays)
    lines = yamafuda(*words)[1].splitlines()
    assert lines[1] == "value          chance  playouts  play; best assignment, stack by stack"
    for line, play in zip(lines[2:], plays, strict=True):
        chance = [] if play["chance"] is None else [f"{play['chance']:.4f}"]
        assert line.split()[1 : 2 + len(chance)] == [*chance, str(play["playouts_count"])]


GIVEN = "ranks: 5\n0: 3 4 5\n1: 4 A 3 5\n2: 3 A 4 2 5\n3: 4 3 2 A 5\n0: 5-1\n1: 2-3\n"


def test_the_values_of_an_assignment(yamafuda: Run, tables: Path) -> None:
    Path("position").write_text(GIVEN)
    told = read_position(GIVEN)
    assignment = told.assignment()
    assert assignment is not None
    value = open_player(OPTIONS, tables).evaluate(told.position, assignment)
    assert 0 < value.probability < 1
    status, out, err = yamafuda("advise", "calculation", "position", "--json", "--tables", str(tables))
    assert (status, err) == (0, "")
    given = json.loads(out)["given"]
    assert list(given["singles"].values()) == list(value.singles.values())
    assert given["pairs"] == {f"{a}{b}": each for (a, b), each in value.pairs.items()}
    assert given["value"] == value.probability
    lines = yamafuda("advise", "calculation", "position", "--tables", str(tables))[1].splitlines()
    assert lines[0] == "the assignment that is given"
    assert lines[11] == f"value {value.probability:.7g}"
    assert lines[13] == "no card is drawn"


@pytest.mark.parametrize(
    ("words", "table"),
    [
        (["play", "calculation", "decks"], "job.cards=3"),
        (["advise", "calculation", "position"], "job.stacks=2 job.cards=4"),
    ],
)
def test_a_missing_table(yamafuda: Run, decks: list[list[int]], words: list[str], table: str) -> None:
    Path("position").write_text(GIVEN)
    err = assert_refused(yamafuda, *words)
    build = f"build it with: yamafuda run job=stackgame_table {table} (about 1 s of one core)\n"
    assert err.endswith(f": the table is not there or not finished; {build}")


def test_a_smaller_game_is_offered(yamafuda: Run) -> None:
    Path("deck").write_text(format_deck(random_deck(9, 0)))
    err = assert_refused(yamafuda, "play", "calculation", "deck")
    assert err.endswith("of one core); a game of fewer ranks has a smaller one: A to 8, for example\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--keep", "0"], "--keep: must be 1 to 1000000; got 0"),
        (["--stacks", "6"], "--stacks: must be 1 to 5; got 6"),
        (["--look-ahead", "3"], "--look-ahead: must be 0 to 2; got 3"),
        (["--look-ahead", "x"], "--look-ahead: must be a number; got 'x'"),
        (["--exponent", "0.5"], "--exponent: must be 1 to 100; got 0.5"),
        (["--value", "mean"], "--value: must be max, independent or norm; got 'mean'"),
        (["--recast", "x"], "--recast: must be drawn or none; got 'x'"),
        (["--ties", "x"], "--ties: must be foundation, stack or last_stack; got 'x'"),
        (["--misfits", "x"], "--misfits: must be exchange or drop; got 'x'"),
    ],
)
@pytest.mark.usefixtures("decks")
def test_wrong_options(yamafuda: Run, words: list[str], message: str) -> None:
    assert yamafuda("play", "calculation", "decks", *words) == (2, "", f"yamafuda: {message}\n")


def test_wrong_files(yamafuda: Run, tables: Path) -> None:
    Path("deck").write_text("A 2 3 4\n")
    message = "deck, line 1: 1 A among 4 cards; each rank of A to 4 is there four times\n"
    assert_refused(yamafuda, "play", "calculation", "deck", "--tables", str(tables), message=message)
    Path("deck").write_text("# none\n")
    assert_refused(yamafuda, "play", "calculation", "deck", message="deck: there is no deck in it\n")
    assert_refused(yamafuda, "solve", "calculation", "deck", message="deck: there is no deal in it\n")
    Path("deck").write_text(format_deck(random_deck(4, 0)))
    Path("game").write_text("")
    assert_refused(yamafuda, "check", "calculation", "deck", "game")
    assert yamafuda("check", "calculation", "deck", "game", "--stacks", "0")[0] == 2
    Path("position").write_text(GIVEN.replace("3 4 5", "4 3 5", 1))
    words = ["advise", "calculation", "position", "--tables", str(tables)]
    assert_refused(yamafuda, *words, message="position, line 2: is not how foundation 0 ends")


def test_many_stacks_need_their_table(yamafuda: Run, tables: Path) -> None:
    Path("position").write_text(GIVEN + "\n".join(f"{number}:" for number in range(2, 6)))
    status, _, err = yamafuda("advise", "calculation", "position", "--tables", str(tables))
    assert (status, err) == (2, "yamafuda: position: has 6 stacks; plays are valued with at most 5\n")


def test_more_moves_than_are_looked_at(yamafuda: Run, tables: Path) -> None:
    """An eager player whose moves go on beyond the last play that is looked at still has plays."""
    ranks, stacks = 5, 4
    run_of(Path("results"), "stackgame_table", f"stacks={stacks}", "boards=2", f"cards={ranks - 1}")
    rows = [rules.row(board, ranks) for board in range(4)]
    whole = [f"{board}: " + " ".join(map(name_of, row)) for board, row in enumerate(rows)]
    tops = [f"{board}: " + " ".join(map(name_of, reversed(row[:4]))) for board, row in enumerate(rows)]
    left = [rank for rank in range(1, ranks + 1) for _ in range(4 - sum(rank in row[:4] for row in rows))]
    Path("position").write_text("\n".join(["ranks: 5", *whole, *tops, f"drawn: {name_of(left[0])}"]))
    status, out, err = yamafuda(
        "advise", "calculation", "position", "--eager", "--tables", "results", "--json"
    )
    assert (status, err) == (0, "")
    assert json.loads(out)["plays"]


def test_an_assignment_that_the_table_has_not(yamafuda: Run, tables: Path) -> None:
    whole = [f"{board}: " + " ".join(map(name_of, rules.row(board, 5))) for board in range(4)]
    Path("position").write_text("\n".join(["ranks: 5", *whole, "0: A-0", "1:"]))
    status, out, err = yamafuda("advise", "calculation", "position", "--tables", str(tables))
    assert status == 0
    assert err.startswith("position: the assignment that is given has no values: ")
    assert out.startswith("no card is drawn\n")
    assert "S0F0; 0: | 1:\n" in out


def test_solve(yamafuda: Run) -> None:
    won, words = format_deck(random_deck(4, 1)), ["--stacks", "2"]
    lost = format_deck([rank for rank in (2, 3, 4, 1) for _ in range(4)])
    Path("decks").write_text(f"{lost}\n{won}\n")
    status, out, _ = yamafuda("solve", "calculation", "decks", *words, "--json")
    assert status == 0
    found = [json.loads(line) for line in out.splitlines()]
    assert [each["outcome"] for each in found] == ["lost", "won"]
    assert found[0]["dead_ends_count"] > 0
    (game,) = read_games(" ".join(found[1]["moves"]))
    assert check_game(random_deck(4, 1), game, 4, 2).outcome == "won"
    status, out, _ = yamafuda("solve", "calculation", "decks", *words)
    assert status == 0
    assert out.startswith("# rules: stacks 2\ndeal 1: lost\n# ")
    assert " dead ends, " in out.splitlines()[2]
    Path("games").write_text(out)
    status, out, _ = yamafuda("check", "calculation", "decks", "games", *words)
    assert status == 0
    assert out.splitlines()[1] == "deal 1: no solution is given"
    assert out.splitlines()[2].startswith("deal 2: won after ")
    status, _, err = yamafuda("solve", "calculation", "decks", "--stacks", "6")
    assert (status, err) == (2, "yamafuda: --stacks: must be 1 to 5; got 6\n")


def test_decks_are_shown(yamafuda: Run) -> None:
    deck = random_deck(4, 1)
    Path("decks").write_text(format_deck(deck))
    assert yamafuda("show", "calculation", "decks")[:2] == (0, format_deck(deck) + "\n")
