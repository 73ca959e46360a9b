"""What a page shows is in its address, and nothing but that comes out of it again."""

from __future__ import annotations

import base64
import zlib
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException
from starlette.requests import Request

from pages.address import PLAIN_CHARACTERS, TEXT_CHARACTERS, address, fields_of

NAMES = st.sampled_from(["deal", "moves", "step", "draw"])
TEXTS = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), min_size=1)


def request_of(found: str) -> Request:
    """A request for an address."""
    query = urlsplit(found).query.encode()
    return Request({"type": "http", "query_string": query, "headers": [], "path": "/"})


@given(st.dictionaries(NAMES, TEXTS))
def test_fields_come_back(fields: dict[str, str]) -> None:
    assert fields_of(request_of(address("/replay/x", fields))) == fields


def test_long_ones_are_packed() -> None:
    fields = {"deal": "S3 " * PLAIN_CHARACTERS, "moves": "a"}
    found = address("/replay/x", fields)
    assert len(found) < 200
    assert fields_of(request_of(found)) == fields
    assert fields_of(request_of(f"{found}&step=7")) == fields | {"step": "7"}


@pytest.mark.parametrize(
    "packed",
    ["x", "!!!!", "AAAA", base64.urlsafe_b64encode(zlib.compress(b"deal=" + b"x" * 100)[:-4]).decode()],
)
def test_damaged_ones(packed: str) -> None:
    with pytest.raises(HTTPException, match="damaged"):
        fields_of(request_of(f"/?z={packed}"))


def test_what_is_packed_is_not_without_end() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"x" * (TEXT_CHARACTERS + 1), 9)).decode()
    with pytest.raises(HTTPException, match="damaged"):
        fields_of(request_of(f"/?z={bomb}"))
    with pytest.raises(HTTPException, match="fields"):
        fields_of(request_of("/?" + "&".join(f"a{number}=1" for number in range(101))))
