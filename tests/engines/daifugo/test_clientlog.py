"""Games as clients log them: the case from outside, and our own games written so."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from refusals import attempt, complaint, mistyped

from engines.daifugo.record import read_records
from engines.daifugo.replay import Record, replay
from engines.daifugo.rules import JOKER, PASS, Card, Play, kind, place_of
from engines.daifugo.text import name_of

CASE = (Path(__file__).parents[2] / "cases" / "forms" / "daifugo_log.txt").read_text()
EXAMPLES = resources.files("engines.daifugo") / "examples"


def test_the_case_is_a_legal_game() -> None:
    (game,) = read_records(CASE)
    assert replay(game).problem is None
    # By player 1 0 4 2 3, who sit on 4 2 0 1 3.
    assert (game.result, game.before, game.gifts) == ((2, 4, 1, 3, 0), None, ())
    assert game.players == ("three", "four", "two", "five", "one")
    assert (len(game.turns), game.turns[0].seat, game.turns[4].seat) == (88, 2, 1)
    assert [name_of(card) for card in game.turns[0].play.cards] == ["D3"]


def as_log(record: Record, seats: tuple[int, ...]) -> str:
    """A game as a client logs it, player ``p`` on the seat ``seats[p]``."""
    lines = [f"player {' '.join(f'p{seat}' for seat in seats)}", "/*", "game 0", "score"]
    if record.before is not None:
        lines.append(f"class {' '.join(str(record.before.index(seat)) for seat in seats)}")
    lines.append(f"seat {' '.join(map(str, seats))}")
    given = {gift.giver: gift.cards for gift in record.gifts}
    for name, hands in (
        ("dealt", record.deal),
        ("changed", [given.get(seat, frozenset()) for seat in range(5)]),
    ):
        lines.append(name + " " + " ".join(f"{{ {' '.join(map(card, hands[seat]))} }}" for seat in seats))
    lines.append("play " + " ".join(f"{written(turn.play)}[17]" for turn in record.turns))
    lines.append(f"result {' '.join(str(record.result.index(seat)) for seat in seats)}")
    return "\n".join(lines) + "\n"


def card(each: Card) -> str:
    """A card as logs have it."""
    return "jo" if each == JOKER else name_of(each).lower().replace("0", "t")


def written(play: Play) -> str:
    """A play as logs have it."""
    if play == PASS:
        return "p"
    if play.cards == {JOKER}:
        return "jo"
    places = sorted(place_of(each, play) for each in play.cards)
    names = [name_of(each).lower().replace("0", "t") for each in places]
    stands = next((name_of(place_of(each, play)).lower() for each in play.cards if each == JOKER), "")
    is_sequence = len({name[0] for name in names}) == 1 and len(names) > 1
    joker = f"({stands[1 if is_sequence else 0].replace('0', 't')})" if stands else ""
    suits = names[0][0] if is_sequence else "".join(name[0] for name in names)
    ranks = "".join(name[1] for name in names) if is_sequence else names[0][1]
    return f"{suits}-{ranks}{joker}"


@pytest.mark.parametrize("seats", [(0, 1, 2, 3, 4), (3, 0, 4, 1, 2)])
@pytest.mark.parametrize("name", ["exchange.record", "lot.record"])
def test_our_games_come_back_from_logs(name: str, seats: tuple[int, ...]) -> None:
    (game,) = read_records((EXAMPLES / name).read_text())
    assert all(kind(turn.play) is not None or turn.play == PASS for turn in game.turns)
    log = as_log(game, seats)
    again, twice = read_records(log + log)
    assert again == twice
    assert (again.deal, again.turns, again.result) == (game.deal, game.turns, game.result)
    assert set(again.gifts) == set(game.gifts)
    assert again.before == (game.before if game.gifts else None)
    if game.gifts:
        assert replay(again).problem is None
    assert again.players == tuple(f"p{seat}" for seat in range(5))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seat 4 2", "seat 4 4", "games, game 1, line 7: seat: '4 4 0 1 3' must be the numbers 0 to 4"),
        ("{ s7 d8", "{ d8", "games, game 1, line 8: missing in what is dealt: S7"),
        ("c-jqk", "c-jqx", "games, game 1, line 11: play: 'c-jqx' is no play like d-3"),
        ("h-678(7)", "h-678(9)", "games, game 1, line 11: play: 'h-678(9)': no card of it is what"),
        ("result", "outcome", "games, game 1, line 13: result is missing"),
        ("dealt", "cards", "games, game 1, line 7: dealt is missing"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, message: str) -> None:
    assert complaint(lambda: read_records(CASE.replace(old, new, 1))).startswith(message)


def test_an_illegal_play_is_for_the_referee() -> None:
    (game,) = read_records(CASE.replace("d-4[439146]", "d-k[439146]", 1))
    assert str(replay(game).problem).startswith("turn 2, seat 3, DK: DK is not in the hand")


@given(mistyped([CASE], ["", *" \n{}()[]-:p3jo"]))
@settings(max_examples=150, deadline=None)
def test_a_log_with_a_few_changed_characters_is_read_or_is_the_user_s_error(typed: str) -> None:
    for game in attempt(lambda: read_records(typed)) or []:
        replay(game)
