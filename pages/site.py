"""The site, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from pages import deals, explorer, replays, runs
from pages.failures import Failures, http_failure, user_failure
from pages.guard import Access, Guard
from pages.section import Section
from pages.templating import environment
from pages.workshop import GoneError, Limits, Workshop
from yamafuda import UserError


def sections() -> Sequence[Section]:
    """The sections of the site, in the order of the menu."""
    return [runs.section(), replays.section(), explorer.section(), deals.section()]


def make_site(access: Access, limits: Limits) -> Starlette:
    """The site as an ASGI application."""
    parts = sections()
    environment().globals["sections"] = parts
    return Starlette(
        routes=[
            Route("/", _home),
            Mount("/static", _Static(packages=[("pages", "static")])),
            *(route for part in parts for route in part.routes),
        ],
        middleware=[
            Middleware(Guard, access=access),
            Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4),
            Middleware(Failures),
        ],
        exception_handlers={
            HTTPException: http_failure,
            UserError: user_failure,
            GoneError: _nobody_waits,
            ClientDisconnect: _nobody_waits,
        },
        lifespan=partial(_life, limits),
    )


@asynccontextmanager
async def _life(limits: Limits, site: Starlette) -> AsyncIterator[None]:
    workshop = site.state.workshop = Workshop(limits)
    warming = asyncio.gather(workshop.warm_up(), asyncio.to_thread(explorer.warm_up))
    try:
        yield
    finally:
        workshop.close()
        await warming


async def _nobody_waits(request: Request, error: Exception) -> Response:
    return Response(status_code=499)


async def _home(request: Request) -> Response:
    return RedirectResponse("/runs", 307)


class _Static(StaticFiles):
    """Files whose addresses change with their content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        found = await super().get_response(path, scope)
        if found.status_code == 200 and scope["query_string"]:
            found.headers["cache-control"] = "max-age=31536000, immutable"
        return found
