"""The explorer: what is stored and what is computed, cells that lead on, and whatever is typed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from site_helpers import PORT, client_of
from starlette.testclient import TestClient

import yamafuda
from pages.guard import Access
from yamafuda import exploring

GAME = "stackgame"
HERE = f"/explore/{GAME}"


@pytest.fixture(scope="module")
def table(roots: object) -> yamafuda.Run:
    return yamafuda.run("stackgame_table", cards=4, progress=False)


@pytest.fixture(scope="module")
def site(table: yamafuda.Run) -> Iterator[TestClient]:
    with client_of(Access(PORT)) as made:
        yield made


def shown(site: TestClient, position: str, more: str = "") -> str:
    answer = site.get(f"{HERE}?position={quote(position)}{more}")
    assert answer.status_code == 200
    return answer.text


def cells(page: str) -> dict[str, str]:
    """By what a cell is called: where it leads."""
    found = re.findall(r'<a href="([^"]*)" aria-label="([^"]*)">', page)
    return {html.unescape(name): html.unescape(href) for href, name in found}


def test_a_game_is_followed_to_its_end(site: TestClient, table: yamafuda.Run) -> None:
    begin = site.get(f"{HERE}/start?stacks=3&boards=2&cards=4")
    assert begin.status_code == 303
    page = site.get(begin.headers["location"]).text
    assert "0.918403" in page
    assert f'href="/runs/{table.name}"' in page
    for left in range(8, 0, -1):
        found = cells(page)
        assert page.count('<th scope="row">') == left
        best = next(name for name in found if name.endswith(", best"))
        page = site.get(found[best]).text
    assert "This position is <strong>won</strong>" in page


def test_what_is_computed_is_told(site: TestClient) -> None:
    position = "stacks=4; [3{}] -> [2{1}]; [1{0}]"
    page = shown(site, position)
    value = exploring.explore(GAME, position).value
    assert value is not None
    assert 0 < value < 1
    assert f"<strong>{value:.6f}</strong>" in page
    assert "Computed now" in page
    assert "the table" not in page
    page = shown(site, "stacks=4; [12{}]; [12{}]")
    assert "is not known" in page
    assert "job.stacks=4 job.boards=2 job.cards=12" in page


def test_a_state_is_clicked_together(site: TestClient) -> None:
    page = shown(site, "stacks=3; [2{}]", "&edit=1")
    page = site.get(cells(page)["card 0.1 on stack 2: allowed, forbid it"]).text
    assert "stacks=3; [1{}] -&gt; [1{2}]" in page
    found = cells(page)
    assert "card 0.1 on stack 2: forbidden, allow it" in found
    (longer,) = re.findall(r'href="([^"]*)">A card more in chain 0<', page)
    assert "stacks=3; [1{}] -&gt; [2{2}]" in site.get(html.unescape(longer)).text


def test_where_to_begin(site: TestClient) -> None:
    assert site.get("/explore").headers["location"] == HERE
    page = site.get(HERE).text
    assert "<title>The stack game · yamafuda</title>" in page
    assert "<h1>The stack game: explore</h1>" in page
    assert "3 stacks, 2 boards of 4 cards" in page
    assert "section 3.1" in page


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        (f"{HERE}?position=%5B7", 400, "position 1|column"),
        (f"{HERE}?position=<script>", 400, "column"),
        (f"{HERE}?position=stacks%3D99;[1{{}}]", 400, "1 to 8 stacks"),
        (f"{HERE}/start?cards=99", 400, "at most|must be"),
        (f"{HERE}/start?cards=%00", 400, "must be"),
        ("/explore/klondike", 404, "no explorer"),
        ("/explore/nothing", 404, "no game"),
        (f"{HERE}/../../etc/passwd", 404, ""),
    ],
)
def test_what_is_wrong_is_told(site: TestClient, path: str, status: int, words: str) -> None:
    answer = site.get(path)
    assert answer.status_code == status
    assert re.search(words, answer.text)
    assert "<script>" not in answer.text
    assert "Traceback" not in answer.text


@settings(max_examples=60)
@given(st.one_of(st.text(max_size=80), st.text("stack=0123456789[]{}<.;-> \n", max_size=40)))
def test_any_text_is_answered(site: TestClient, text: str) -> None:
    answer = site.get(HERE, params={"position": text, "edit": text[:1]})
    assert answer.status_code in (200, 400, 504)
    assert "Traceback" not in answer.text
