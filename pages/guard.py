"""Before every page: who may ask, how much may be sent, and the headers of answers.

On loopback everybody on this machine may ask. A page of another site may not: neither by a name that it lets point
here (then ``Host`` is not ours) nor by a form or a script (then ``Origin`` is not ours). Elsewhere a token is needed:
it comes in the URL once and then in a cookie, which a browser sends to this site's own name alone.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.failures import failure_page

BODY_BYTES = 1 << 17
"""Longest body that a form or a script may send."""
ADDRESS_CHARACTERS = 1 << 13
"""Longest address of a page."""
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every answer that does not set its own."""
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)


@dataclass(frozen=True)
class Access:
    """Who may ask."""

    port: int
    token: str = ""
    """Empty on loopback."""

    @property
    def cookie(self) -> str:
        """The cookie's name; cookies belong to a host, whatever the port, so it has the port."""
        return f"yamafuda_{self.port}"

    def is_right(self, token: str) -> bool:
        """Whether a token is ours; the time of the comparison does not depend on how much of it is right."""
        return hmac.compare_digest(token.encode(), self.token.encode())


class Guard:
    """ASGI middleware around the whole site."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            answer = self._answer(scope)
        except HTTPException as error:
            answer = failure_page(scope, error.status_code, error.detail)
        app: ASGIApp = self._app if answer is None else answer
        await app(scope, _at_most(BODY_BYTES, receive), _with_headers(send))

    def _answer(self, scope: Scope) -> Response | None:
        """An answer that comes before any page, or None when the page may answer; HTTPException for what is
        refused."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        _check_host(host, self._access)
        _check_size(scope, headers)
        _check_origin(scope["method"], headers, host)
        return _check_token(scope, headers, self._access) if self._access.token else None


def _check_host(host: str, access: Access) -> None:
    found = _HOST.fullmatch(host)
    # With a token any name will do: a browser sends the cookie only to the name that it got it from.
    if found is None or not (access.token or _is_this_machine(found[1])):
        raise HTTPException(
            421, "this site does not have that name; open it by the URL that yamafuda serve printed"
        )


def _is_this_machine(name: str) -> bool:
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def _check_size(scope: Scope, headers: Headers) -> None:
    if len(scope["raw_path"]) + len(scope["query_string"]) > ADDRESS_CHARACTERS:
        raise HTTPException(414, f"the address is longer than {ADDRESS_CHARACTERS:,} characters")
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > BODY_BYTES:
        raise _too_much()


def _too_much() -> HTTPException:
    return HTTPException(413, f"what was sent is longer than {BODY_BYTES:,} bytes")


def _check_origin(method: str, headers: Headers, host: str) -> None:
    """Pages of other sites may link here, and do nothing else."""
    site = headers.get("sec-fetch-site", "none")
    is_link = method in ("GET", "HEAD") and headers.get("sec-fetch-mode", "navigate") == "navigate"
    origin = headers.get("origin")
    is_ours = origin is None or origin.partition("://")[2] == host
    if not is_link and (site not in ("same-origin", "none") or not is_ours):
        raise HTTPException(403, "a page of another site asked for this")


def _check_token(scope: Scope, headers: Headers, access: Access) -> Response | None:
    try:
        given = parse_qsl(scope["query_string"].decode("latin-1"), max_num_fields=100)
    except ValueError:
        raise HTTPException(400, "the address has too many fields") from None
    tokens = [value for name, value in given if name == "token"]
    if tokens and scope["method"] == "GET" and access.is_right(tokens[0]):
        rest = urlencode([(name, value) for name, value in given if name != "token"])
        path = scope["raw_path"].decode("latin-1")
        answer = RedirectResponse("/" + path.lstrip("/") + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(access.cookie, access.token, httponly=True, samesite="lax")
        return answer
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        cookies = SimpleCookie()
    if access.cookie not in cookies or not access.is_right(cookies[access.cookie].value):
        raise HTTPException(401, "open this site by the URL with a token that yamafuda serve printed")
    return None


def _at_most(limit_bytes: int, receive: Receive) -> Receive:
    """Receives up to a length; HTTPException when the page reads more."""
    got_bytes = 0

    async def limited() -> Message:
        nonlocal got_bytes
        message = await receive()
        got_bytes += len(message.get("body", b""))
        if got_bytes > limit_bytes:
            raise _too_much()
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
