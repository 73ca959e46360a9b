"""Questions in the middle of a game: the answers are those of the game's verbs, about the position that is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from site_helpers import HOME, PORT, client_of
from starlette.testclient import TestClient

import yamafuda
from pages.answers import shown
from pages.guard import Access
from pages.workshop import Limits
from yamafuda.asking import ask_after, questions
from yamafuda.replays import replay, replayable

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "engines/klondike/examples"
DEAL, MOVES = ((EXAMPLES / f"k00198.{kind}").read_text() for kind in ("deal", "solution"))
FORM = {"deal": DEAL, "moves": MOVES, "redeal_rule": "carry", "step": "20"}
BOUNDS: dict[str, Any] = {"time_s": 60.0, "memory_bytes": 1 << 30}
SCRIPT = {"accept": "application/json", "origin": HOME}


def test_solve_from_here(client: TestClient) -> None:
    html = client.post("/replay/klondike/ask/solve", data=FORM, headers=SCRIPT).json()["html"]
    assert "deal 1: won" in html
    assert "Computed now" in html
    found = html.partition('class="button" href="')[2].partition('"')[0].replace("&amp;", "&")
    text = client.get(found).text
    assert "Move 20 of" in text
    assert "won" in text
    assert 'role="alert"' not in text


def test_what_each_play_is_worth_without_a_script(client: TestClient) -> None:
    text = client.post("/replay/klondike/ask/advise", data=FORM).text
    assert "Move 20 of 85" in text
    plays = replay("klondike", DEAL, MOVES, {"redeal_rule": "carry"}, at=20).plays
    table = text.partition('<div class="answer">')[2]
    assert len(plays) > 1
    assert all(play.words in table for play in plays)


def test_options_are_those_of_the_verb(client: TestClient) -> None:
    wrong = client.post("/replay/klondike/ask/solve", data=FORM | {"samples": "many"}, headers=SCRIPT)
    assert (wrong.status_code, wrong.json()["place"]) == (400, "samples")
    # What is no option of it, or the site's to say, is not taken.
    answer = client.post(
        "/replay/klondike/ask/solve", data=FORM | {"time_s": "x", "evil": "1"}, headers=SCRIPT
    )
    assert answer.status_code == 200
    names = {each.name for question in questions("klondike") for each in question.parameters}
    assert names & {"time_s", "memory_bytes", "tables", "file", "draw", "style"} == set()


@pytest.mark.parametrize("verb", ["check", "remove", "a%2fb", "__class__"])
def test_what_cannot_be_asked(client: TestClient, verb: str) -> None:
    assert client.post(f"/replay/klondike/ask/{verb}", data=FORM, headers=SCRIPT).status_code == 404


def test_an_open_question_says_so(sweep: yamafuda.Run) -> None:
    with client_of(Access(PORT), Limits(time_s=1.0)) as client:
        hard = {"deal": "greenfelt 3", "draw": "3", "redeals": "unlimited"}
        html = client.post("/replay/klondike/ask/solve", data=hard, headers=SCRIPT).json()["html"]
    assert "Computed now" in html or "the limit of this site" in html


def test_redeals_that_were_used_are_not_there_any_more() -> None:
    rules = {"redeals": "2", "redeal_rule": "carry"}
    found = replay("klondike", DEAL, MOVES, rules)
    redeals = [step for step in found.steps if "turn the waste over" in step.words]
    assert len(redeals) == 2
    before, after = redeals[-1].number - 1, redeals[-1].number
    (left,) = ask_after("klondike", "solve", DEAL, MOVES, before, rules, {}, **BOUNDS)
    (none,) = ask_after("klondike", "solve", DEAL, MOVES, after, rules, {}, **BOUNDS)
    assert [told.values["outcome"] for told in (left, none)] == ["won", "won"]
    assert left.values["redeals_count"] <= 1
    assert none.values["redeals_count"] == 0
    plays = replay("klondike", DEAL, MOVES, rules, at=before).plays
    assert any("turn the waste over" in play.words for play in plays)
    last = replay("klondike", DEAL, MOVES, rules, at=len(found.moves)).plays
    assert all("turn the waste over" not in play.words for play in last)


@pytest.mark.parametrize(
    ("game", "example", "options", "told"),
    [
        ("superpuzz", "figure-7.deal", {}, "won"),
        ("daifugo", "end-game.position", {"playouts": "100"}, "mean score"),
        ("daifugo", "own-hand.position", {"playouts": "20"}, "mean score"),
        ("stackgame", "section-3.1.state", {}, "stack"),
    ],
)
def test_games_tell_what_plays_are_worth(
    client: TestClient, game: str, example: str, options: dict[str, str], told: str
) -> None:
    text = (ROOT / "engines" / game / "examples" / example).read_text()
    answer = client.post(f"/replay/{game}/ask/advise", data={"deal": text, **options}, headers=SCRIPT)
    assert answer.status_code == 200, answer.text
    assert told in answer.json()["html"]


def test_a_table_that_is_not_there_is_told_with_what_builds_it(client: TestClient) -> None:
    text = (ROOT / "engines/calculation/examples/appendix-turn-18.position").read_text()
    answer = client.post("/replay/calculation/ask/advise", data={"deal": text}, headers=SCRIPT)
    assert answer.status_code == 400
    assert "build it with: yamafuda run job=stackgame_table" in answer.json()["error"]


def test_every_game_that_is_replayed_can_be_asked() -> None:
    assert all(questions(game.name) for game in replayable())
    assert len(replayable()) >= 6


def test_tables_of_plays() -> None:
    rows = [{"play": "S3", "visits_count": 1200, "score_mean": 1.25, "limit": None, "replies": [1, 2]}]
    (table,) = shown({"values": {"plays": rows}})["tables"]
    assert table.heads == ["play", "visits", "mean score", "replies"]
    assert table.rows == [["S3", "1,200", "1.25", "1 2"]]
    assert table.numeric == [False, True, True, False]
    left, right = shown({"values": {"plays": {"left": rows, "right": rows}}})["tables"]
    assert (left.title, right.title) == ("left", "right")
    assert shown({"values": {"plays": "?"}})["tables"] == []
