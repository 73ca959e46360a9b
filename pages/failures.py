"""Errors as a page or as JSON: one line that says what is wrong, and no traceback."""

from __future__ import annotations

import logging

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.templating import page
from yamafuda import UserError

TITLES = {
    400: "That cannot be done",
    401: "A token is needed",
    403: "Refused",
    404: "Not found",
    405: "Not this way",
    413: "Too long",
    414: "Too long",
    421: "Another name",
    500: "Something went wrong here",
    503: "Busy",
    504: "Stopped",
}
WORDS = {404: "there is no such page", 405: "this page is not asked for in this way"}
"""Our words for the router's standard phrases."""


def failure_page(scope: Scope, status: int, message: str, place: str = "") -> Response:
    """An answer with an error's status; JSON where JSON was asked for."""
    shown = (
        WORDS.get(status, message)
        if not place and message in ("Not Found", "Method Not Allowed")
        else message
    )
    accept = dict(scope["headers"]).get(b"accept", b"").decode("latin-1")
    if scope["path"].endswith(".json") or accept.startswith("application/json"):
        return JSONResponse({"error": shown, "place": place}, status)
    title = TITLES.get(status, "That cannot be done")
    return page("failure.html", status=status, title=title, message=shown, place=place)


async def http_failure(request: Request, error: Exception) -> Response:
    """The answer to what a page or the router refuses."""
    assert isinstance(error, HTTPException)
    return failure_page(request.scope, error.status_code, error.detail)


async def user_failure(request: Request, error: Exception) -> Response:
    """The answer to an error that the reader can mend."""
    assert isinstance(error, UserError)
    return failure_page(request.scope, 400, error.message, error.field)


class Failures:
    """ASGI middleware around the pages: unexpected errors go to the server's log, and a page says so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            logging.getLogger("yamafuda.pages").exception("%s %s", scope.get("method"), scope.get("path"))
            if begun:
                raise
            reason = f"{type(error).__name__}; the log of yamafuda serve has more"
            await failure_page(scope, 500, reason)(scope, receive, send)
