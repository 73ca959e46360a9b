"""What a page shows is in its address, so that the address can be sent to someone; long texts are packed."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request

PACKED = "z"
"""The field that has all others, packed."""
PLAIN_CHARACTERS = 3000
"""Longer addresses are packed."""
FIELDS_COUNT = 100
TEXT_CHARACTERS = 1 << 17
"""Longest packed text, unpacked."""


def address(path: str, fields: Mapping[str, str | int]) -> str:
    """A path with fields; empty ones are left out."""
    text = urlencode([(name, value) for name, value in fields.items() if value != ""])
    if len(text) > PLAIN_CHARACTERS:
        packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
        text = f"{PACKED}={packed}"
    return f"{path}?{text}" if text else path


def fields_of(request: Request) -> dict[str, str]:
    """Inverse of ``address``; fields beside the packed ones override them. HTTPException for a damaged address."""
    query = request.scope["query_string"].decode("latin-1")
    fields = _parsed(query)
    if PACKED not in fields:
        return fields
    packed = _parsed(_unpacked(fields.pop(PACKED)))
    return packed | fields


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form that was sent; HTTPException for anything else."""
    kind = request.headers.get("content-type", "").partition(";")[0]
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "a form is sent as application/x-www-form-urlencoded")
    return _parsed((await request.body()).decode("latin-1"))


def _parsed(text: str) -> dict[str, str]:
    try:
        found = parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS_COUNT)
    except ValueError:
        raise HTTPException(400, f"there are more than {FIELDS_COUNT} fields") from None
    # Forms have both characters at the end of a line.
    return {name: value.replace("\r\n", "\n") for name, value in found}


def _unpacked(text: str) -> str:
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        opened = zlib.decompressobj()
        found = opened.decompress(data, TEXT_CHARACTERS)
        if opened.unconsumed_tail or not opened.eof:
            raise ValueError
        return found.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise HTTPException(400, "the address is damaged; a part of it may be missing") from None


def number_of(fields: Mapping[str, str], name: str, default: int = 0) -> int:
    """A field that is a count; HTTPException for anything else."""
    text = fields.get(name, "") or str(default)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise HTTPException(400, f"{name} is not a number")
    return int(text)
