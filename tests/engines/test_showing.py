"""``yamafuda show`` of the games that are no solitaires: drawings, other forms, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_helpers import Run
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.registry import games
from engines.daifugo.position import read_positions
from engines.daifugo.record import format_record, read_records
from engines.tricks.text import FORMS, WrittenDeal, draw_deal, read_deals

NOT_SHOWN = {
    ("calculation", ".position"),
    ("calculation", ".turns"),
    ("klondike", ".solution"),
    ("superpuzz", ".solution"),
}
"""Game and ending of examples that are no deals."""
ENGINES = Path(__file__).parents[2] / "engines"


def test_every_game_shows_its_examples(yamafuda: Run) -> None:
    shown = 0
    for game in games():
        for example in sorted((ENGINES / game.name / "examples").glob("*.*")):
            if (game.name, example.suffix) in NOT_SHOWN:
                continue
            words = ["--file", str(example)] if game.name == "stackgame" else [str(example)]
            status, out, err = yamafuda("show", game.name, *words)
            assert status == 0, (example, err)
            assert out.strip()
            shown += 1
    assert shown > len(list(games()))


def test_a_game_as_clients_log_it_is_written_as_all_others(yamafuda: Run) -> None:
    log = ENGINES / "daifugo" / "examples" / "client.record"
    _, text, _ = yamafuda("show", "daifugo", str(log), "--text")
    assert read_records(text) == read_records(log.read_text())
    (line,) = yamafuda("show", "daifugo", str(log), "--json")[1].splitlines()
    assert json.loads(line)["text"] == format_record(read_records(text)[0])


def test_a_position_tells_hands_by_signs_and_others_by_count(yamafuda: Run) -> None:
    path = ENGINES / "daifugo" / "examples" / "own-hand.position"
    lines = yamafuda("show", "daifugo", str(path))[1].splitlines()
    (view,) = read_positions(path.read_text())
    assert [line for line in lines if line.endswith(" cards")] == [
        f"seat {seat}: {count} cards" for seat, count in enumerate(view.counts) if view.hands[seat] is None
    ]
    assert "lock: ♣" in lines


@st.composite
def deals(draw: st.DrawFn) -> WrittenDeal:
    cards = draw(st.permutations(draw(st.lists(st.integers(1, 99), min_size=2, max_size=16, unique=True))))
    half = len(cards) // 2
    left, right = (tuple(sorted(hand, reverse=True)) for hand in (cards[:half], cards[half : 2 * half]))
    return WrittenDeal(left, right, draw(st.integers(0, 2 * half)))


@given(deals())
def test_forms_of_trick_taking(deal: WrittenDeal) -> None:
    assert read_deals(FORMS["cards"](deal)) == [deal]
    (again,) = read_deals(FORMS["owners"](deal))
    assert FORMS["owners"](again) == FORMS["owners"](deal)
    lines = draw_deal(deal).splitlines()[2:]
    assert [int(line) for line in lines] == sorted(deal.left + deal.right, reverse=True)
    # Columns: a card of Right ends further to the right than any of Left.
    ends = {
        name: {len(line) for line in lines if int(line) in hand}
        for name, hand in (("A", deal.left), ("B", deal.right))
    }
    assert len(ends["A"]) == len(ends["B"]) == 1
    assert max(ends["A"]) < min(ends["B"])


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["tricks", "AAB k=1"], "A has 2 cards and B has 1"),
        (["tricks", "AB k=1", "--to", "owner"], "--to: must be cards or owners"),
        (["stackgame"], "STATE: give either the state or --file"),
        (["stackgame", "[7{}"], "state"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(yamafuda: Run, words: list[str], part: str) -> None:
    status, _, err = yamafuda("show", *words)
    assert status == 2
    assert part in err
    assert err.count("\n") == 1
