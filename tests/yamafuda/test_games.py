"""Games from Python: read, asked, replayed; the same answers as those of the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import yamafuda
from engines.contract import registry
from engines.contract.answer import Door
from engines.contract.asking import ask

WITHIN = "stock: C2 D3 DA / 0: | C3 / 1: CA | D2"
LOST = "stock: C2 C5 / 0: | C3 / 1: CA | C4"
DEALS = {
    "calculation": ("calculation", "eight-ranks.deck"),
    "daifugo": ("daifugo", "end-game.position"),
    "klondike": ("klondike", "within.deal"),
    "stackgame": ("stackgame", "section-3.1.state"),
    "superpuzz": ("superpuzz", "figure-7.deal"),
    "tricks": ("tricks", "section-5.2.deal"),
}
"""Game -> a package and its example of what is solved or valued."""
QUICK = {"playouts": 50, "states": 1000}


def example(game: str) -> Path:
    package, name = DEALS[game]
    return Path(str(resources.files(f"engines.{package}") / "examples" / name))


def asked_twice(game: yamafuda.Game, verb: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The answers of Python and of the command line, without their times."""
    names = {each.name: each for each in game.parameters(verb)}
    options = {name: value for name, value in QUICK.items() if name in names}
    words = [word for name, value in options.items() for word in (names[name].word, str(value))]
    file = example(game.name)
    place = ["--file", str(file)] if game.name == "stackgame" else [str(file)]
    line = [sys.executable, "-m", "pipeline", verb, game.name, *place, *words, "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    here = [json.loads(json.dumps(dict(each))) for each in game.ask(verb, file, **options)]
    return [_timeless(each) for each in here], [
        _timeless(json.loads(each)) for each in done.stdout.splitlines()
    ]


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(each) for name, each in value.items() if name not in ("cpu_s", "elapsed_s")}
    return [_timeless(each) for each in value] if isinstance(value, list) else value


def test_all_games_are_there() -> None:
    assert [game.name for game in yamafuda.games()] == registry.game_names()
    assert "superpuzz: Superpuzz: " in repr(yamafuda.games())
    assert yamafuda.games()._repr_html_().count("<tr>") == 1 + len(registry.game_names())
    with pytest.raises(yamafuda.UserError, match="did you mean klondike"):
        yamafuda.game("klondik")


@pytest.mark.parametrize("name", DEALS)
def test_answers_are_those_of_the_command_line(name: str) -> None:
    game = yamafuda.game(name)
    verb = "solve" if name in ("klondike", "superpuzz") else "show" if name == "calculation" else "advise"
    here, there = asked_twice(game, verb)
    assert here == there != []


@pytest.mark.parametrize("name", DEALS)
def test_positions_are_read_back_and_drawn(name: str) -> None:
    game = yamafuda.game(name)
    position = game.read(example(name))[0]
    (again,) = game.read(position.text)
    assert again == position
    assert hash(again) == hash(position)
    assert position.text in repr(position)
    assert "<svg" in position._repr_html_()
    assert len(str(position).splitlines()) > 1


def test_solve_check_and_replay_agree() -> None:
    game = yamafuda.game("klondike")
    (deal,) = game.read(WITHIN)
    found = game.solve(deal, redeals=2)
    assert (found["outcome"], found["rules"]["redeals"], found.position) == ("won", 2, deal)
    assert str(found).startswith("deal 1: won, ")
    assert "<svg" in found._repr_html_()
    moves = " -> ".join(found["moves"])
    assert game.check(deal, moves, redeals=2).is_right
    replay = game.replay(deal, moves, redeals=2)
    assert [play.written for play in replay.plays] == found["moves"]
    assert (replay[0], replay.ending, replay.problem) == (deal, "won", None)
    assert len(replay) == len(found["moves"]) + 1
    first = next(play for play in deal.plays(redeals=2) if play.written == found["moves"][0])
    assert first.after == replay[1]
    assert "<svg" in replay._repr_html_()


def test_a_won_position_is_won_without_a_move() -> None:
    game = yamafuda.game("klondike")
    (deal,) = game.read(WITHIN)
    won = game.replay(deal, " -> ".join(game.solve(deal)["moves"]))[-1]
    assert [game.replay(each).ending for each in (deal, won)] == ["not finished", "won"]


def test_a_wrong_solution_is_an_answer() -> None:
    game = yamafuda.game("klondike")
    moves = " -> ".join(game.solve(WITHIN)["moves"])
    assert not game.check(LOST, moves).is_right
    assert game.replay(LOST, moves).problem
    assert game.solve(LOST)["outcome"] == "lost"
    assert game.solve(LOST, rules="report")["rules"]["redeal_rule"] == "carry"
    assert game.replay(WITHIN, rules="report")[0].text == game.read(WITHIN)[0].text


def test_each_play_is_valued() -> None:
    told = yamafuda.game("superpuzz").advise("HA CA H2 H3 / C2 D2 DA SA / -- C3 D3 S3 / -- -- -- S2")
    assert {play["outcome"] for play in told["plays"]} == {"won"}
    with pytest.raises(yamafuda.UserError, match="cannot be asked of superpuzz"):
        yamafuda.game("superpuzz").play("HA")


def test_what_a_table_has_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(tmp_path))
    game = yamafuda.game("stackgame")
    computed = game.advise("[2{}] -> [1{1}]")
    run = yamafuda.run("stackgame_table", boards=1, cards=4, progress=False)
    stored = game.advise("[2{}] -> [1{1}]")
    assert (computed.stored, stored.stored) == ("", f"table {run.name}")
    assert computed["plays"] == stored["plays"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"redels": 2}, "redels: there is no such option; did you mean redeals?"),
        ({"redeals": 2.5}, "redeals: must be a whole number; got '2.5'"),
        ({"redeals": "x"}, "redeals: must be a number or unlimited; got 'x'"),
        ({"redeals": -1}, "redeals: must be 0 to 1000000, or unlimited; got -1"),
        ({"redeal_rule": "x"}, "redeal_rule: must be carry or standard; got 'x'"),
        ({"boards": 3}, "boards: must be true or false; got '3'"),
        ({"states": True}, "states: must be a whole number; got 'True'"),
        ({"time_s": 0}, "time_s: must be more than 0"),
        ({"memory_bytes": 5}, "memory_bytes: must be at least 1048576"),
        ({"rules": "x"}, "rules: must be usual or report; got 'x'"),
    ],
    ids=str,
)
def test_options_that_are_wrong(options: dict[str, Any], message: str) -> None:
    with pytest.raises(yamafuda.UserError) as caught:
        yamafuda.game("klondike").solve(WITHIN, **options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("C2", "text, deal 1, line 1: 1 cards"),
        ("", "text: there are 0 deals"),
        (f"{WITHIN}\n{LOST}", "text: there are 2 deals; one is needed here"),
        (Path("none.deal"), "none.deal: cannot be read"),
        (3, "text: must be a text, a Path or a position; got int"),
    ],
)
def test_texts_that_are_wrong(text: Any, message: str) -> None:
    with pytest.raises(yamafuda.UserError) as caught:
        yamafuda.game("klondike").solve(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"moves": None}, "moves: must be a text; got NoneType"),
        ({"redeals": [1]}, "redeals: must be a number"),
        ({"redeals": True}, "redeals: must be a number"),
        ({"redeals": "x"}, "redeals: must be a number or unlimited"),
        ({"redeal_rule": "x"}, "redeal_rule: must be"),
        ({"foundation_back": 2}, "foundation_back: must be true or false"),
        ({"foundation_back": "x"}, "foundation_back: must be true or false"),
    ],
)
def test_replays_that_are_asked_for_wrongly(given: dict[str, Any], message: str) -> None:
    with pytest.raises(yamafuda.UserError) as caught:
        yamafuda.game("klondike").replay(WITHIN, **{"moves": "", **given})
    assert str(caught.value).startswith(message)


def test_a_long_text_of_a_state_is_refused_at_once() -> None:
    with pytest.raises(yamafuda.UserError, match="state: is longer than"):
        yamafuda.game("stackgame").read("[1{}];" * 100_000)


def test_several_deals_are_answered_one_by_one() -> None:
    game = yamafuda.game("klondike")
    assert [each["outcome"] for each in game.ask("solve", f"{WITHIN}\n{LOST}")] == ["won", "lost"]
    assert [game.solve(each)["outcome"] for each in game.read(f"{WITHIN}\n{LOST}")] == ["won", "lost"]
    with pytest.raises(yamafuda.UserError, match="solve of klondike takes 1"):
        next(game.ask("solve", WITHIN, LOST))
    with pytest.raises(yamafuda.UserError, match="file: is missing"):
        next(game.ask("solve"))


def test_words_of_a_form_mean_what_they_do_on_the_command_line() -> None:
    solve = registry.game("klondike").function("solve")
    words = {
        "file": WITHIN,
        "redeals": "unlimited",
        "draw": "1",
        "deal_last": "no",
        "time_s": "0.5",
        "style": "words",
    }
    (answer,) = ask(solve, Door(), words)
    assert (answer.values["rules"]["redeals"], answer.values["rules"]["draw"]) == (None, 1)
    assert " to " in answer.values["moves"][0]


@pytest.mark.parametrize("name", DEALS)
def test_every_parameter_is_described(name: str) -> None:
    game = yamafuda.game(name)
    for verb in game.verbs:
        for each in game.parameters(verb):
            assert each.help
            assert each.is_text or each.is_place or each.type in (bool, int, float, str) or each.choices
            if each.choices and each.default is not None:
                assert str(getattr(each.default, "value", each.default)) in each.choices


@pytest.mark.parametrize("told", [yamafuda.__doc__, yamafuda.game.__doc__])
def test_examples_hold(told: str) -> None:
    (example,) = (line for line in told.splitlines() if 'game("' in line)
    assert eval(example.strip(), {"yamafuda": yamafuda})["outcome"] == "lost"
