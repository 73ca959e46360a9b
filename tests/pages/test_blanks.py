"""Deals typed card by card: what is wrong stands beside its cell, and what is right leads to the replay."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from engines.contract.registry import game
from engines.text.cards import shown_card
from yamafuda.blanks import can_be_filled, sheet
from yamafuda.replays import replayable

DEAL = game("klondike").format_deal(game("klondike").random_deal(1, 0)).split()


def klondike(cards: list[str]) -> dict[str, str]:
    """The fields of a form with these cards."""
    left, fields = iter(cards), {}
    for pile, (_, cells) in enumerate(sheet("klondike").piles):
        for cell in range(len(cells)):
            fields[f"c{pile}-{cell}"] = next(left)
    return fields


def test_every_game_that_can_is_linked_to_its_cells(client: TestClient) -> None:
    for each in replayable():
        text = client.get(f"/replay/{each.name}").text
        assert (f'href="/replay/{each.name}/fill"' in text) == can_be_filled(each.name)
        answer = client.get(f"/replay/{each.name}/fill")
        assert answer.status_code == (200 if can_be_filled(each.name) else 404)
    assert client.get("/replay/nothing/fill").status_code == 404


def test_a_whole_deal_leads_to_its_replay(client: TestClient) -> None:
    answer = client.post("/replay/klondike/fill", data=klondike(DEAL))
    assert answer.status_code == 303
    text = client.get(answer.headers["location"]).text
    assert f'value="{" ".join(DEAL)}"' in text


def test_mistakes_stand_beside_their_cells(client: TestClient) -> None:
    wrong = [DEAL[1], *DEAL[1:51], "<b>"]
    answer = client.post("/replay/klondike/fill", data=klondike(wrong))
    assert answer.status_code == 400
    first = re.search(
        r'<input id="c1-0"[^>]*aria-invalid="true"[^>]*>\s*<span class="wrong"[^>]*>([^<]*)<', answer.text
    )
    assert first is not None
    assert first[1] == f"{DEAL[1]} is there twice; first in column 1, card 1"
    assert "&lt;b&gt;" in answer.text
    assert "<b>" not in answer.text
    assert (
        f'id="missing" aria-live="polite">{", ".join(map(shown_card, sorted([DEAL[0], DEAL[51]], key=by_suit)))}<'
        in answer.text
    )
    told = client.post("/replay/klondike/fill.json", data=klondike(wrong)).json()
    assert set(told["mistakes"]) == {"c1-0", "c7-23"}


def by_suit(name: str) -> tuple[int, int]:
    return "CDHS".index(name[0]), "A234567890JQK".index(name[1])


def test_cells_that_are_not_typed_yet_are_no_mistakes_while_typing(client: TestClient) -> None:
    told = client.post("/replay/superpuzz/fill.json", data={"columns": "4", "c0-0": "s3", "c3-3": ""}).json()
    assert told["mistakes"] == {}
    assert "3♠" not in told["missing"].split(", ")
    assert "A♣" in told["missing"].split(", ")


def test_sizes(client: TestClient) -> None:
    text = client.get("/replay/superpuzz/fill?columns=3").text
    assert text.count('class="cell"') == 12
    for query in ("columns=x", "columns=99", "rows=3"):
        assert client.get(f"/replay/superpuzz/fill?{query}").status_code == 400


def test_hostile_cells_are_passed_over_or_told(client: TestClient) -> None:
    fields = klondike(DEAL) | {"c99-99": "S3", "c0-0": "\x00" * 500}
    assert client.post("/replay/klondike/fill", data=fields).status_code == 400
    assert client.post("/replay/klondike/fill", data=klondike(DEAL) | {"c0-0x": "S3"}).status_code == 400
    many = {f"c{pile}-{cell}": "S3" for pile in range(20) for cell in range(20)}
    assert client.post("/replay/klondike/fill.json", data=many).status_code == 400
