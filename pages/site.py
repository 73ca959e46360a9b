"""The site, put together."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from pages import runs
from pages.failures import Failures, http_failure, user_failure
from pages.guard import Access, Guard
from pages.section import Section
from pages.templating import environment
from yamafuda import UserError


def sections() -> Sequence[Section]:
    """The parts of the site, as the menu has them."""
    return [runs.section()]


def make_site(access: Access) -> Starlette:
    """The site as an ASGI application."""
    parts = sections()
    environment().globals["sections"] = parts
    return Starlette(
        routes=[
            Route("/", _home),
            Mount("/static", _Static(packages=[("pages", "static")])),
            *(route for part in parts for route in part.routes),
        ],
        middleware=[Middleware(Guard, access=access), Middleware(Failures)],
        exception_handlers={HTTPException: http_failure, UserError: user_failure},
    )


async def _home(request: Request) -> Response:
    return RedirectResponse("/runs", 307)


class _Static(StaticFiles):
    """Files whose addresses change with their content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        found = await super().get_response(path, scope)
        if found.status_code == 200 and scope["query_string"]:
            found.headers["cache-control"] = "max-age=31536000, immutable"
        return found
