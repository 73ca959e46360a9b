"""Games replayed move by move: any deal or position, with moves from it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pages import asking, blanks
from pages.address import address, fields_of, form_of, number_of
from pages.replaying import STEPS_COUNT, known_fields, plays_of, replay_page, replayed, replayed_game
from pages.section import Section
from pages.templating import page, rendered
from yamafuda import UserError
from yamafuda.cards import STYLE
from yamafuda.replays import replayable


def section() -> Section:
    """Its pages."""
    routes = [
        Route("/replay", _games),
        Route("/replay/cards.css", _style),
        Route("/replay/{game}", _show),
        Route("/replay/{game}", _take, methods=["POST"]),
        Route("/replay/{game}/steps.json", _steps),
        Route("/replay/{game}/plays.json", _plays),
        *asking.routes(),
        *blanks.routes(),
    ]
    return Section("Replay", "/replay", routes)


def _games(request: Request) -> Response:
    return page("replay_games.html", games=replayable())


def _style(request: Request) -> Response:
    return PlainTextResponse(STYLE, media_type="text/css", headers={"cache-control": "max-age=3600"})


async def _show(request: Request) -> Response:
    """A step of a replay; without a deal the form for one."""
    game = await replayed_game(request)
    fields = known_fields(game, fields_of(request))
    if not fields.get("deal"):
        return replay_page(request, game, fields)
    step = number_of(fields, "step")
    try:
        found = await replayed(request, game, fields, step, 1, step)
    except UserError as error:
        return replay_page(request, game, fields, error=error)
    return replay_page(request, game, fields, found)


async def _take(request: Request) -> Response:
    """A form: go on to the address of what was typed."""
    game = await replayed_game(request)
    fields = known_fields(game, await form_of(request))
    try:
        found = await replayed(request, game, fields, 0, 1, None)
    except UserError as error:
        return replay_page(request, game, fields, error=error)
    # Where one is wrong, the moves as they were typed, and the last one that is right.
    moves = fields.get("moves", "") if found["problem"] else found["moves_text"]
    told = {"deal": found["deal"], "moves": moves, **found["rules"]}
    step = len(found["moves"]) if found["problem"] else 0
    return RedirectResponse(address(f"/replay/{game.name}", told | {"step": step or ""}), 303)


async def _steps(request: Request) -> Response:
    """All positions, for a page that steps through them."""
    game = await replayed_game(request)
    fields = known_fields(game, fields_of(request))
    found = await replayed(request, game, fields, 0, STEPS_COUNT, None)
    return JSONResponse(found["steps"])


async def _plays(request: Request) -> Response:
    """The legal moves at a step."""
    game = await replayed_game(request)
    fields = known_fields(game, fields_of(request))
    step = number_of(fields, "step")
    found = await replayed(request, game, fields, step, 0, step)
    return JSONResponse(
        {
            "html": rendered(
                "plays.html",
                game=game,
                is_known=found["is_known"],
                plays=plays_of(game, fields, found, step),
            )
        }
    )
