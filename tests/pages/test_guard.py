"""Who may ask the site, and what leaves it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from site_helpers import HOME, PORT, client_of
from starlette.testclient import TestClient

from pages.guard import ADDRESS_CHARACTERS, BODY_BYTES, HEADERS, Access
from pages.serving import is_loopback, url_of

ACCESS = Access(PORT, "a-token")


@pytest.fixture(scope="module")
def site(roots: object) -> Iterator[TestClient]:
    with client_of(ACCESS) as made:
        yield made


@pytest.fixture
def closed(site: TestClient) -> TestClient:
    """Of a site that needs a token, and has given none."""
    site.cookies.clear()
    return site


@pytest.mark.parametrize("host", ["localhost:8642", "127.0.0.1:8642", "[::1]:8642", "LOCALHOST", "127.3.2.1"])
def test_names_of_this_machine(client: TestClient, host: str) -> None:
    assert client.get("/runs", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "10.0.0.1:8642", "", "a b", "localhost:8642/x", "::1", "[]"],
)
def test_other_names_are_refused(client: TestClient, host: str) -> None:
    answer = client.get("/runs", headers={"host": host})
    assert answer.status_code == 421
    assert "klondike" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"{HOME}.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_other_sites_send_nothing_here(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/runs", headers=headers).status_code == 403
    read_by_script = headers | {"sec-fetch-mode": "cors"}
    assert client.get("/runs.json", headers=read_by_script).status_code == 403


def test_our_own_pages_may_and_others_may_link(client: TestClient) -> None:
    own = {"origin": HOME, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}
    assert client.post("/runs", headers=own).status_code == 405
    assert client.get("/runs.json", headers=own).status_code == 200
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/runs", headers=link).status_code == 200


def test_too_long_a_body_or_an_address(client: TestClient) -> None:
    assert client.post("/runs", content=b"x" * (BODY_BYTES + 1)).status_code == 413
    assert client.get("/runs", headers={"content-length": "-1"}).status_code == 413
    assert client.get("/runs", params={"text": "x" * ADDRESS_CHARACTERS}).status_code == 414


def test_every_answer_has_the_headers(client: TestClient) -> None:
    for path in ("/", "/runs", "/runs.json", "/nothing", "/static/none.css", "/runs/none"):
        found = client.get(path).headers
        assert {name: found.get(name) for name in HEADERS} == HEADERS
    assert "default-src 'none'" in HEADERS["content-security-policy"]
    assert "unsafe" not in HEADERS["content-security-policy"]


@pytest.mark.parametrize(
    "path", ["/", "/runs", "/runs.json", "/static/style.css", "/nothing", "/runs?token=a-tokem"]
)
def test_nothing_without_the_token(closed: TestClient, path: str) -> None:
    answer = closed.get(path)
    assert answer.status_code == 401
    assert closed.get(path, headers={"cookie": f"{ACCESS.cookie}=a-tokem"}).status_code == 401
    assert closed.get(path, headers={"cookie": "\x01=;;;"}).status_code == 401
    assert "set-cookie" not in answer.headers


def test_the_token_comes_once_and_then_as_a_cookie(closed: TestClient) -> None:
    answer = closed.get("/runs", params={"token": "a-token", "text": "a b"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs?text=a+b")
    assert {"HttpOnly", "SameSite=lax"} <= set(answer.headers["set-cookie"].split("; "))
    assert closed.get("/runs").status_code == 200
    # By whatever name: the cookie is of the one that it was got from.
    cookie = {"cookie": f"{ACCESS.cookie}=a-token", "host": "machine.example"}
    assert closed.get("/runs", headers=cookie).status_code == 200


def test_a_token_leads_to_no_other_site(closed: TestClient) -> None:
    answer = closed.get(f"{HOME}//evil.example/", params={"token": "a-token"})
    assert answer.headers["location"] == "/evil.example/"


def test_what_is_reached_from_elsewhere_has_a_token() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "localhost", "::1", "[::1]", "127.9.9.9")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "", "10.1.2.3", "machine.example")))
    assert url_of("127.0.0.1", Access(80)) == "http://127.0.0.1:80/"
    assert url_of("::1", Access(80)) == "http://[::1]:80/"
    assert url_of("10.1.2.3", ACCESS) == f"http://10.1.2.3:{PORT}/?token=a-token"
