"""The tool that weighs what a player would have played in games of others."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from engines.daifugo import core
from engines.daifugo.core import Player, Range
from engines.daifugo.record import format_record

sys.path.insert(0, str(Path(__file__).parents[2] / "slow"))

import weigh_daifugo_choices

NAMES = ["a", "b", "c", "d", "e"]
WORTH = [5.0, 4.0, 3.0, 2.0, 1.0]


def games(player: Player, count: int) -> list[core.Record]:
    """Games of five copies, with ranks from the second on."""
    return list(core.records_of(core.play_games([player] * 5, Range(3, 0, count), records=True), NAMES))


def test_a_player_plays_as_it_played() -> None:
    rule = Player("rule")
    for record in games(rule, 4):
        found = list(weigh_daifugo_choices.weigh(record, NAMES, rule, rule, WORTH, 1, random.Random(1)))
        assert len(found) == len(record.turns)
        assert found == [None] * len(found)


def test_who_plays_anything_plays_worse() -> None:
    rule, chance, gains = Player("rule"), random.Random(1), []
    for record in games(rule, 6):
        found = weigh_daifugo_choices.weigh(record, ["a", "b"], Player("random"), rule, WORTH, 2, chance)
        gains += [each.gain for each in found if each is not None]
    assert len(gains) > 30
    assert sum(gains) / len(gains) < -0.1


def test_the_rank_is_that_of_the_game_when_nothing_changes() -> None:
    rule = Player("rule")
    for record in games(rule, 3):
        position = weigh_daifugo_choices.replay(record).positions[5]
        play = record.turns[5].play
        rank = weigh_daifugo_choices.rank_after(record, 5, position, play, rule, random.Random(1))
        assert record.result[rank] == record.turns[5].seat


def test_the_whole_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.record"
    path.write_text("\n".join(format_record(record) for record in games(Player("rule"), 2)))
    words = ["weigh", str(path), "--by", "a", "--player", "strong@20", "--on", "rule", "--times", "2"]
    monkeypatch.setattr(sys, "argv", words)
    assert weigh_daifugo_choices.main() == 0
    said = capsys.readouterr()
    assert "strong@20 plays otherwise at" in said.out
    assert "2 of 2 games" in said.err


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        (None, ["--by", "a"], "games.record: cannot be read"),
        ("garbage", ["--by", "a"], "games.record, game 1, line 1: "),
        ("", ["--by", "a"], "--by: no game of"),
        ("whole", ["--by", "x"], "is of x; there are: a, b, c, d, e"),
        ("whole", ["--by", "a", "--times", "0"], "--times: must be 1 or more; got 0"),
        ("whole", ["--by", "a", "--games", "-1"], "--games: must be 1 or more; got -1"),
        ("whole", ["--by", "a", "--player", "nobody"], "--player: no player is called 'nobody'"),
        ("whole", ["--by", "a", "--on", "nobody"], "--on: no player is called 'nobody'"),
        ("half", ["--by", "a"], "games.record, game 1"),
    ],
)
def test_what_is_wrong_is_a_line(
    content: str | None,
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "games.record"
    if content is not None:
        text = format_record(games(Player("rule"), 1)[0])
        path.write_text({"whole": text, "half": text[: len(text) // 2]}.get(content, content))
    monkeypatch.setattr(sys, "argv", ["weigh", str(path), *words])
    assert weigh_daifugo_choices.main() == 2
    said = capsys.readouterr()
    assert message in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)
