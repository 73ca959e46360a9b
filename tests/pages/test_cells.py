"""Deals typed card by card: what is wrong is beside its cell, and what is right is laid out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from site_helpers import HOME
from starlette.testclient import TestClient

from engines.contract.registry import game, game_names
from yamafuda.typing_deals import groups_of, typed_deal

EXAMPLE = Path(__file__).parents[2] / "engines/klondike/examples/k00198.deal"
COUNTS = {"daifugo": [11, 11, 11, 10, 10], "tricks": [3, 3, 1]}


def cards_of(name: str) -> list[list[str]]:
    """Cells of a deal, filled."""
    klondike: Any = game("klondike").positions()
    pack = klondike.write(klondike.read(EXAMPLE.read_text(), "it")[0]).split()
    if name == "daifugo":
        pack.append("JK")
    if name == "tricks":
        pack = ["7", "4", "3", "8", "2", "1", "2"]
    counts = COUNTS.get(name) or [group.count for group in groups_of(name)]
    cells = iter(pack)
    return [[next(cells) for _ in range(count)] for count in counts]


def typing_games() -> list[str]:
    return [name for name in game_names() if game(name).positions() is not None and groups_of(name)]


@pytest.mark.parametrize("name", typing_games())
def test_a_deal_of_every_game_is_typed(name: str) -> None:
    found = typed_deal(name, cards_of(name))
    assert (found.mistakes, found.problem) == ({}, "")
    positions: Any = game(name).positions()
    assert [positions.write(each) for each in positions.read(found.text, "it")] == [found.text]


def test_mistakes_are_beside_their_cells() -> None:
    assert {"klondike", "superpuzz", "calculation", "daifugo", "tricks"} <= set(typing_games())
    cells = cards_of("klondike")
    cells[2][1], cells[3][0], cells[7][23] = "S14", "", "9♣"
    found = typed_deal("klondike", cells)
    assert found.text == ""
    assert found.mistakes == {
        (0, 0): "C9 is also card 24 of the stock, first dealt first",
        (2, 1): "'S14' is no card; cards are like S3, 0H or 10♥",
        (3, 0): "is missing",
        (7, 23): "C9 is also card 1 of column 1, bottom first",
    }


def test_what_is_wrong_with_all_of_them() -> None:
    cells = cards_of("calculation")
    cells[0][0] = cells[0][1]
    assert "twice" in typed_deal("calculation", cells).problem


def test_the_page(client: TestClient) -> None:
    text = client.get("/replay/klondike/cells").text
    assert text.count("<input ") == 52
    form = {
        f"card-{number}-{place}": card
        for number, group in enumerate(cards_of("klondike"))
        for place, card in enumerate(group)
    }
    answer = client.post("/replay/klondike/cells", data=form)
    assert answer.status_code == 303
    assert client.get(answer.headers["location"]).status_code == 200
    wrong = form | {"card-0-0": "<b>", "evil": "1"}
    answer = client.post("/replay/klondike/cells", data=wrong)
    assert answer.status_code == 400
    assert "&lt;b&gt;&#39; is no card" in answer.text
    assert answer.text.count("aria-invalid") == 1
    told = client.post(
        "/replay/klondike/cells", data=wrong, headers={"accept": "application/json", "origin": HOME}
    )
    assert list(told.json()["mistakes"]) == ["card-0-0"]
    assert client.get("/replay/stackgame/cells").status_code == 404
    assert 'href="/replay/klondike/cells"' in client.get("/replay/klondike").text
