"""Whatever is sent to the site: an answer in time, a message and no traceback, and nothing from elsewhere."""

from __future__ import annotations

import base64
import itertools
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from site_helpers import HOME, PORT, client_of
from starlette.routing import Route
from starlette.testclient import TestClient

import yamafuda
from pages.guard import HEADERS, Access
from pages.runs import REPORT_POLICY
from pages.site import sections
from pages.workshop import Limits

LIMITS = Limits(time_s=20.0, memory_bytes=1 << 30)
ROUTES = [route for part in sections() for route in part.routes if isinstance(route, Route)]
GAMES = ["klondike", "superpuzz", "calculation", "daifugo", "tricks", "stackgame"]
WORDS = st.sampled_from(
    [
        "", "0", "-1", "1e309", "NaN", "9" * 400, "..", "../../../../etc/passwd", "/etc/passwd", "%2e%2e%2f", "\x00",
        "\ud7ff\u202e", "<script>alert(1)</script>", "'\"><img src=x>", "{{ 7 * 7 }}", "{% raw %}", "${jndi:x}",
        "' OR 1=1 --", '"; ATTACH \'/etc/passwd\'; --', "S3 " * 3000, "S3\n" * 3000, "greenfelt 1", "file:///etc/passwd",
        "A=8,7,6,4 B=5,3,2,1 k=4", "stacks=3; [4{}]", "C9 D5", "\r\nset-cookie: a=b", "True", "unlimited", "ά" * 500,
    ]
)  # fmt: skip
TEXTS = WORDS | st.text(max_size=200)
NAMES = st.sampled_from(
    [
        "deal", "moves", "step", "run", "item", "draw", "redeals", "redeal_rule", "points", "text", "state", "since",
        "first", "outcome", "position", "stacks", "boards", "cards", "z", "token", "c0-0", "c99-99", "time_s", "tables",
        "playouts", "memory_bytes", "samples", "evil",
    ]
)  # fmt: skip
FORM = "application/x-www-form-urlencoded"
FIELDS = st.dictionaries(NAMES, TEXTS, max_size=6)


@pytest.fixture(scope="module")
def site(sweep: yamafuda.Run) -> Iterator[TestClient]:
    with client_of(Access(PORT), LIMITS) as made:
        yield made


def filled(route: Route, words: dict[str, str]) -> str:
    """A route's path with words in its places, as a browser would send it."""
    from urllib.parse import quote

    path = route.path
    for name in route.param_convertors:
        path = path.replace("{" + name + "}", quote(words.get(name, "x"), safe="") or "x")
    return path


def is_sound(answer: Any) -> None:
    """A known status, a message, our headers, and nothing that was sent carried out."""
    assert answer.status_code in {200, 303, 307, 400, 403, 404, 405, 413, 414, 415, 421, 499, 503, 504}
    assert "Traceback" not in answer.text
    assert "root:x:0" not in answer.text
    assert "set-cookie" not in answer.headers
    policy = answer.headers["content-security-policy"]
    assert policy in {HEADERS["content-security-policy"], REPORT_POLICY}
    if answer.headers.get("content-type", "").startswith("text/html"):
        assert "<script>alert" not in answer.text
        assert "<img src=x>" not in answer.text
        assert answer.text.count("<script") == answer.text.count('<script src="/static/')
    if answer.status_code in (303, 307):
        assert answer.headers["location"].startswith("/")
        assert not answer.headers["location"].startswith("//")
    if answer.status_code >= 400 and answer.headers.get("content-type", "").startswith("application/json"):
        assert len(answer.json()["error"].splitlines()) == 1


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    route=st.sampled_from(ROUTES),
    game=st.sampled_from(GAMES) | TEXTS,
    name=TEXTS,
    verb=st.sampled_from(["solve", "advise"]) | TEXTS,
    fields=FIELDS,
    is_script=st.booleans(),
)
def test_any_address_and_any_field(
    site: TestClient, route: Route, game: str, name: str, verb: str, fields: dict[str, str], is_script: bool
) -> None:
    path = filled(route, {"game": game, "name": name, "verb": verb, "item": name})
    headers = {"accept": "application/json", "origin": HOME} if is_script else {}
    if "POST" in (route.methods or ()):
        is_sound(site.post(path, data=fields, headers=headers))
    else:
        is_sound(site.get(path, params=fields, headers=headers))


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60) | WORDS)
@example("//evil.example/..")
@example("static/../../pyproject.toml")
@example("static/%2e%2e/%2e%2e/pyproject.toml")
@example("static//etc/passwd")
def test_any_path(site: TestClient, text: str) -> None:
    from urllib.parse import quote

    for path in ("/" + quote(text, safe="/%"), "/" + quote(text, safe="")):
        answer = site.get(HOME + path)
        is_sound(answer)
        assert "[build-system]" not in answer.text


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=300),
    st.sampled_from(["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]),
)
def test_any_body(site: TestClient, body: bytes, kind: str) -> None:
    for path in ("/replay/klondike", "/replay/tricks/ask/advise", "/replay/daifugo/fill"):
        is_sound(site.post(path, content=body, headers={"content-type": kind}))


def test_packed_fields_are_fields_like_others(site: TestClient) -> None:
    for text in ("deal=<script>alert(1)</script>", "deal=S3&step=-1", "x", "deal=" + "S3+" * 40000):
        packed = base64.urlsafe_b64encode(zlib.compress(text.encode())).decode()
        is_sound(site.get("/replay/klondike", params={"z": packed}))


@pytest.mark.parametrize("game", GAMES)
def test_long_games_end_in_time(site: TestClient, game: str) -> None:
    """A cycle of legal moves has no end; so many texts are read, and so much is drawn."""
    deal = {
        "klondike": (Path(__file__).parents[2] / "engines/klondike/examples/k00198.deal").read_text(),
        "tricks": "A=7,6,4,3 B=8,5,2,1 k=4",
        "stackgame": "[4{}]",
    }.get(game, "S3 " * 60)
    moves = " ".join(
        itertools.islice(itertools.cycle(["C15W02", "R01C18", "0.1>2", "8", "5", "1: pass /"]), 15000)
    )
    for path in (f"/replay/{game}", f"/replay/{game}/ask/advise"):
        is_sound(site.post(path, data={"deal": deal, "moves": moves}))


def test_steps_that_are_too_many_are_not_drawn(site: TestClient) -> None:
    is_sound(site.get("/replay/klondike/steps.json", params={"deal": "greenfelt 1", "step": "9" * 9}))
