"""A deal typed card by card, with mistakes beside the cells."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from pages.address import address, form_of
from pages.replaying import replayed_game
from pages.templating import page
from yamafuda.replays import Replayable
from yamafuda.typing_deals import TypedDeal, groups_of, typed_deal


def routes() -> list[Route]:
    """Below a replay's."""
    return [Route("/replay/{game}/cells", _form), Route("/replay/{game}/cells", _take, methods=["POST"])]


async def _form(request: Request) -> Response:
    return _page(await _game(request), {}, None)


async def _take(request: Request) -> Response:
    """On to the deal, or back with what is wrong; for a script what is wrong alone."""
    game, form = await _game(request), await form_of(request)
    typed = [
        [form.get(_name(number, place), "") for place in range(group.count)]
        for number, group in enumerate(groups_of(game.name))
    ]
    found = typed_deal(game.name, typed)
    if request.headers.get("accept", "").startswith("application/json"):
        mistakes = {_name(*at): message for at, message in found.mistakes.items()}
        return JSONResponse({"mistakes": mistakes, "problem": found.problem})
    if found.text:
        return RedirectResponse(address(f"/replay/{game.name}", {"deal": found.text}), 303)
    return _page(game, form, found)


async def _game(request: Request) -> Replayable:
    game = await replayed_game(request)
    if not groups_of(game.name):
        raise HTTPException(404, "deals of this game are not typed card by card")
    return game


def _name(group: int, place: int) -> str:
    return f"card-{group}-{place}"


def _page(game: Replayable, form: Mapping[str, str], found: TypedDeal | None) -> Response:
    groups = [
        {
            "label": group.label,
            "cells": [
                {
                    "name": _name(number, place),
                    "value": form.get(_name(number, place), ""),
                    "mistake": found.mistakes.get((number, place), "") if found is not None else "",
                }
                for place in range(group.count)
            ],
        }
        for number, group in enumerate(groups_of(game.name))
    ]
    problem = "" if found is None else found.problem
    count = 0 if found is None else len(found.mistakes)
    return page(
        "cells.html",
        400 if found is not None else 200,
        game=game,
        groups=groups,
        problem=problem,
        count=count,
    )
