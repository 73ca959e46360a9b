"""Deals typed card by card: a cell for each card, and what is wrong with it beside it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from pages.address import address, fields_of, form_of
from pages.templating import page
from yamafuda import UserError
from yamafuda.blanks import Sheet, sheet

_CELL = re.compile(r"c([0-9]{1,2})-([0-9]{1,2})", re.ASCII)
"""The name of a cell's field: its pile and its place in it."""


def routes() -> list[BaseRoute]:
    """Its pages; they lie below those of a game's replays."""
    return [
        Route("/replay/{game}/fill", _show),
        Route("/replay/{game}/fill", _take, methods=["POST"]),
        Route("/replay/{game}/fill.json", _check, methods=["POST"]),
    ]


async def _show(request: Request) -> Response:
    """Empty cells."""
    found, sizes = await _sheet(request, fields_of(request), is_typed=False)
    return _page(request, found, sizes)


async def _take(request: Request) -> Response:
    """Go on to the deal, when all of it is right."""
    found, sizes = await _sheet(request, await form_of(request), is_typed=True)
    if found.deal:
        return RedirectResponse(address(_path(request).removesuffix("/fill"), {"deal": found.deal}), 303)
    return _page(request, found, sizes, status=400)


async def _check(request: Request) -> Response:
    """What is wrong in each cell, while the deal is typed."""
    found, _ = await _sheet(request, await form_of(request), is_typed=True)
    mistakes = {
        f"c{pile}-{cell}": told.mistake
        for pile, (_, cells) in enumerate(found.piles)
        for cell, told in enumerate(cells)
        if told.typed and told.mistake
    }
    return JSONResponse({"mistakes": mistakes, "missing": found.missing})


async def _sheet(
    request: Request, fields: Mapping[str, str], *, is_typed: bool
) -> tuple[Sheet, dict[str, str]]:
    """The cells as they were sent, and the sizes."""
    game = request.path_params["game"]
    cells: dict[tuple[int, int], str] = {}
    for name, value in fields.items():
        match = _CELL.fullmatch(name)
        if match is not None:
            cells[int(match[1]), int(match[2])] = value
    typed = (
        [[cells.get((pile, cell), "") for cell in range(100)] for pile in range(100)] if is_typed else None
    )
    sizes = {name: value for name, value in fields.items() if not _CELL.fullmatch(name)}
    try:
        return await asyncio.to_thread(sheet, game, sizes, typed), sizes
    except UserError as error:
        raise HTTPException(
            404 if error.field in (game, "GAME") else 400, f"{error.field}: {error.message}"
        ) from None


def _page(request: Request, found: Sheet, sizes: Mapping[str, str], status: int = 200) -> Response:
    return page(
        "fill.html", status, game=request.path_params["game"], sheet=found, sizes=sizes, path=_path(request)
    )


def _path(request: Request) -> str:
    return f"/replay/{request.path_params['game']}/fill"
