"""Positions with exact values for each play: typed or clicked together, and followed from one to the next."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pages import tasks
from pages.address import address, fields_of
from pages.section import Section
from pages.templating import page
from pages.workshop import Workshop
from yamafuda import UserError
from yamafuda.exploring import (
    Explorable,
    drawn_position,
    explorable,
    explorable_game,
    explore_stored,
    first_position,
    stored_positions,
)

PATH = "/explore"


def section() -> Section:
    """Its pages."""
    routes = [
        Route(PATH, _games),
        Route(PATH + "/{game}", _show),
        Route(PATH + "/{game}/start", _start),
    ]
    return Section("Explore", PATH, routes)


def warm_up() -> None:
    """Import what an answer from a table needs, before somebody waits for one."""
    for game in explorable():
        for _, position in game.examples:
            with contextlib.suppress(UserError, OSError):
                explore_stored(game.name, position)


def _games(request: Request) -> Response:
    games = explorable()
    if len(games) == 1:
        return RedirectResponse(f"{PATH}/{games[0].name}", 307)
    return page("explore_games.html", games=games)


async def _start(request: Request) -> Response:
    """Go on to the first position of a game with the chosen options."""
    game = await _game(request)
    fields = fields_of(request)
    names = [each.name for each in game.start_options]
    chosen = {name: fields[name] for name in names if fields.get(name, "")}
    try:
        position = await asyncio.to_thread(first_position, game.name, **chosen)
    except UserError as error:
        return await _page(request, game, chosen, error=error)
    return RedirectResponse(_at(game, position), 303)


async def _show(request: Request) -> Response:
    """A position; without one, positions to begin with."""
    game = await _game(request)
    fields = fields_of(request)
    if not fields.get("position"):
        return await _page(request, game, {})
    editing = fields.get("edit") == "1"
    try:
        found = await _explored(request, game, fields["position"], editing)
    except UserError as error:
        return await _page(request, game, {"position": fields["position"]}, error=error)
    return await _page(request, game, {"position": found["text"]}, found, editing)


async def _explored(request: Request, game: Explorable, position: str, editing: bool) -> dict[str, Any]:
    """Values in a table are read here; the workshop computes others."""
    stored = await asyncio.to_thread(explore_stored, game.name, position, editing=editing)
    if stored is not None:
        return asdict(stored)
    workshop: Workshop = request.app.state.workshop
    done = await workshop.compute(request, tasks.explore, game=game.name, position=position, editing=editing)
    if not done.values:
        raise HTTPException(504, done.stopped)
    found: dict[str, Any] = done.values[0]
    return found | {"elapsed_s": done.elapsed_s}


async def _game(request: Request) -> Explorable:
    try:
        return await asyncio.to_thread(explorable_game, request.path_params["game"])
    except UserError as error:
        raise HTTPException(404, error.message) from None


async def _page(
    request: Request,
    game: Explorable,
    fields: dict[str, str],
    explored: dict[str, Any] | None = None,
    editing: bool = False,
    error: UserError | None = None,
) -> Response:
    def at(position: str, edit: bool = False) -> str:
        return _at(game, position, edit)

    values: dict[str, Any] = {
        "game": game,
        "fields": fields,
        "at": at,
        "explored": explored,
        "picture": "" if explored is None else drawn_position(game.name, explored["text"]),
        "editing": editing,
        "error": error,
        "value": _value,
        "limits": request.app.state.workshop.limits,
        "starts": [] if explored is not None else await asyncio.to_thread(stored_positions, game.name),
    }
    return page("explore.html", 400 if error else 200, **values)


def _at(game: Explorable, position: str, edit: bool = False) -> str:
    return address(f"{PATH}/{game.name}", {"position": position, "edit": "1" if edit else ""})


def _value(value: float) -> str:
    """With six decimals; a smaller value with two significant digits."""
    if value in (0, 1):
        return f"{value:.0f}"
    return f"{value:.6f}" if value >= 1e-6 else f"{value:.1e}"
