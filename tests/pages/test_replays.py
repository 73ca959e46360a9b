"""Games move by move, from texts as people have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import yamafuda
from yamafuda.replays import replayable

EXAMPLES = Path(__file__).parents[2] / "engines/klondike/examples"
DEAL, MOVES = ((EXAMPLES / f"k00198.{kind}").read_text() for kind in ("deal", "solution"))
FORM = {
    "deal": DEAL,
    "moves": MOVES,
    "redeal_rule": "carry",
    "draw": "3",
    "redeals": "",
    "foundation_back": "True",
}


def posted(client: TestClient, game: str = "klondike", **form: str) -> Any:
    """What a form leads to."""
    return client.post(f"/replay/{game}", data=form)


def test_all_games_that_can_are_offered(client: TestClient) -> None:
    text = client.get("/replay").text
    names = [game.name for game in replayable()]
    assert {"klondike", "superpuzz"} <= set(names)
    assert all(f'href="/replay/{name}"' in text for name in names)
    for name in names:
        assert client.get(f"/replay/{name}").status_code == 200
    assert client.get("/replay/stackgam").status_code == 404


def test_a_form_leads_to_an_address(client: TestClient) -> None:
    answer = posted(client, **FORM)
    assert answer.status_code == 303
    found = answer.headers["location"]
    assert "draw" not in found  # a default
    assert "redeal_rule=carry" in found
    text = client.get(f"{found}&step=1").text
    assert "Move 1 of 85" in text
    assert "A♣ from column 5 to the foundation; Q♥ is turned up" in text
    assert "surely won" in text
    assert client.get(f"{found}&step=999").text.count("Move 85 of 85") >= 1


def test_steps_are_those_of_python(client: TestClient) -> None:
    found = posted(client, **FORM).headers["location"].replace("klondike?", "klondike/steps.json?")
    steps = client.get(found).json()
    assert len(steps) == 86
    assert steps[0]["text"] == DEAL.splitlines()[-1].strip() or steps[0]["text"].startswith("C9 D5")
    # Each is a deal of its own.
    again = posted(client, deal=steps[40]["text"]).headers["location"]
    assert (
        client.get(again.replace("klondike?", "klondike/steps.json?")).json()[0]["text"] == steps[40]["text"]
    )


def test_a_deal_with_unknown_cards_is_not_said_to_be_over(client: TestClient) -> None:
    tops = ["C9", "C8", "C7", "D9", "SA", "D0", "CK"]
    columns = " / ".join(f"{at}: {'?? ' * at}| {card}" for at, card in enumerate(tops))
    text = client.get(posted(client, deal=f"stock: {'?? ' * 24}/ {columns}").headers["location"]).text
    assert "Not all cards are known" in text
    assert "No move is left" not in text


def test_a_wrong_move_is_told_beside_those_that_are_right(client: TestClient) -> None:
    answer = posted(client, **FORM | {"redeal_rule": "standard"})
    text = client.get(answer.headers["location"]).text
    assert "Move 45 of 45" in text
    assert "move 46, R02C0E" in text


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"deal": "S3 S3"}, "deal"),
        ({"deal": "<script>alert(1)</script>"}, "deal"),
        (FORM | {"moves": "S99"}, "moves"),
        (FORM | {"draw": "7"}, "draw"),
        (FORM | {"redeals": "-1"}, "redeals"),
        ({"deal": DEAL + DEAL}, "deal"),
        ({"deal": "\x00\x01 / : |"}, "deal"),
        ({"deal": "S3 " * 20000}, "deal"),
    ],
)
def test_mistakes_are_told_and_what_was_typed_stays(
    client: TestClient, form: dict[str, str], told: str
) -> None:
    answer = posted(client, **form)
    assert answer.status_code == 400
    assert f'role="alert"><strong>{told}' in answer.text.replace("--", "")
    assert "<script>alert" not in answer.text
    assert "Traceback" not in answer.text


def test_fields_that_are_not_asked_for_go(client: TestClient) -> None:
    text = client.get("/replay/klondike", params={"deal": DEAL, "evil": "<i>", "step": "0"}).text
    assert "evil" not in text
    for step in ("-1", "x", "1e3"):
        assert client.get("/replay/klondike", params={"deal": DEAL, "step": step}).status_code == 400


def test_another_kind_of_body(client: TestClient) -> None:
    assert client.post("/replay/klondike", json={"deal": DEAL}).status_code == 415
    assert client.post("/replay/klondike", files={"deal": b"x"}).status_code == 415


def test_from_python() -> None:
    from yamafuda.replays import replay

    found = replay("klondike", DEAL, MOVES, {"redeal_rule": "carry"}, first=84, at=1)
    assert [step.number for step in found.steps] == [84, 85]
    assert found.moves[1] in [play.written for play in found.plays]
    assert replay("klondike", found.deal, found.moves_text, found.rules).moves == found.moves
    with pytest.raises(yamafuda.UserError, match="is no option here"):
        replay("klondike", DEAL, rules={"redels": 2})
