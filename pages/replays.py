"""Games replayed move by move: any deal or position, with the moves that were made from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pages import tasks
from pages.address import address, fields_of, form_of, number_of
from pages.section import Section
from pages.templating import page
from pages.workshop import Workshop
from yamafuda import UserError
from yamafuda.cards import STYLE
from yamafuda.replays import Replayable, replayable, replayable_game

STEPS_COUNT = 1000
"""Positions of one replay that are shown."""


def section() -> Section:
    """Its pages."""
    routes = [
        Route("/replay", _games),
        Route("/replay/cards.css", _style),
        Route("/replay/{game}", _show),
        Route("/replay/{game}", _take, methods=["POST"]),
        Route("/replay/{game}/steps.json", _steps),
    ]
    return Section("Replay", "/replay", routes)


def _games(request: Request) -> Response:
    return page("replay_games.html", games=replayable())


def _style(request: Request) -> Response:
    return PlainTextResponse(STYLE, media_type="text/css", headers={"cache-control": "max-age=3600"})


async def _show(request: Request) -> Response:
    """A step of a replay; without a deal the form for one."""
    game = await _game(request)
    fields = _known(game, fields_of(request))
    if not fields.get("deal"):
        return _page(game, fields)
    step = number_of(fields, "step")
    try:
        found = await _replayed(request, game, fields, step, 1, step)
    except UserError as error:
        return _page(game, fields, error=error)
    return _page(game, fields, found)


async def _take(request: Request) -> Response:
    """A form: on to the address of what was typed."""
    game = await _game(request)
    fields = _known(game, await form_of(request))
    try:
        found = await _replayed(request, game, fields, 0, 1, None)
    except UserError as error:
        return _page(game, fields, error=error)
    # Where one is wrong, the moves as they were typed, and the last one that is right.
    moves = fields.get("moves", "") if found["problem"] else found["moves_text"]
    told = {"deal": found["deal"], "moves": moves, **found["rules"]}
    step = len(found["moves"]) if found["problem"] else 0
    return RedirectResponse(address(f"/replay/{game.name}", told | {"step": step or ""}), 303)


async def _steps(request: Request) -> Response:
    """All positions, for a page that steps through them."""
    game = await _game(request)
    fields = _known(game, fields_of(request))
    found = await _replayed(request, game, fields, 0, STEPS_COUNT, None)
    return JSONResponse(found["steps"])


async def _game(request: Request) -> Replayable:
    try:
        return await asyncio.to_thread(replayable_game, request.path_params["game"])
    except UserError as error:
        raise HTTPException(404, error.message) from None


async def _replayed(
    request: Request, game: Replayable, fields: Mapping[str, str], first: int, count: int, at: int | None
) -> dict[str, Any]:
    workshop: Workshop = request.app.state.workshop
    done = await workshop.compute(
        request,
        tasks.replay,
        game=game.name,
        deal=fields.get("deal", ""),
        moves=fields.get("moves", ""),
        rules=_rules(game, fields),
        first=first,
        count=count,
        at=at,
    )
    if not done.values:
        raise HTTPException(504, done.stopped)
    found: dict[str, Any] = done.values[0]
    return found


def _known(game: Replayable, fields: Mapping[str, str]) -> dict[str, str]:
    names = ("deal", "moves", *(rule.name for rule in game.rules), "step")
    return {name: fields[name] for name in names if name in fields}


def _rules(game: Replayable, fields: Mapping[str, str]) -> dict[str, str]:
    return {rule.name: fields[rule.name] for rule in game.rules if fields.get(rule.name, "") != ""}


def _page(
    game: Replayable,
    fields: Mapping[str, str],
    found: Mapping[str, Any] | None = None,
    error: UserError | None = None,
) -> Response:
    values: dict[str, Any] = {"game": game, "fields": fields, "error": error, "replay": found}
    if found is not None:
        (step,) = found["steps"]
        last = len(found["moves"])

        def at(number: int) -> str:
            return address(f"/replay/{game.name}", dict(fields) | {"step": min(max(number, 0), last)})

        values |= {
            "step": step,
            "last": last,
            "at": at,
            "steps": address(f"/replay/{game.name}/steps.json", {**fields, "step": ""}),
            "steps_count": STEPS_COUNT,
        }
    return page("replay.html", 400 if error else 200, **values)
