"""Questions in the middle of a game: solve from here, what is each play worth."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pages import tasks
from pages.address import address, form_of, number_of
from pages.answers import shown
from pages.replaying import known_fields, replay_page, replayed, replayed_game, rules_of
from pages.templating import rendered
from pages.workshop import Computed, Workshop
from yamafuda import UserError
from yamafuda.asking import questions
from yamafuda.replays import Replayable


def routes() -> list[Route]:
    """Below a replay's."""
    return [Route("/replay/{game}/ask/{verb}", _ask, methods=["POST"])]


async def _ask(request: Request) -> Response:
    """An answer beside its position; for a script the answer alone."""
    game, form = await replayed_game(request), await form_of(request)
    verb, fields = request.path_params["verb"], known_fields(game, form)
    is_script = request.headers.get("accept", "").startswith("application/json")
    try:
        done = await _asked(request, game, verb, fields, form)
    except UserError as error:
        if is_script:
            raise
        found = await replayed(request, game, fields, number_of(fields, "step"), 1, number_of(fields, "step"))
        return replay_page(request, game, fields, found, error)
    step = number_of(fields, "step")
    values: dict[str, Any] = {
        "verb": verb,
        "answers": [shown(told) for told in done.values],
        "done": done,
        "step": step,
        "way": lambda moves, step: address(f"/replay/{game.name}", {**fields, "moves": moves, "step": step}),
    }
    if is_script:
        return JSONResponse({"html": rendered("answer.html", **values)})
    found = await replayed(request, game, fields, step, 1, step)
    return replay_page(request, game, fields, found, answer=values)


async def _asked(
    request: Request, game: Replayable, verb: str, fields: dict[str, str], form: dict[str, str]
) -> Computed:
    question = next((each for each in questions(game.name) if each.verb == verb), None)
    if question is None:
        raise HTTPException(404, "this cannot be asked of the game")
    workshop: Workshop = request.app.state.workshop
    return await workshop.compute(
        request,
        tasks.ask,
        game=game.name,
        verb=verb,
        deal=fields.get("deal", ""),
        moves=fields.get("moves", ""),
        step=number_of(fields, "step"),
        rules=rules_of(game, fields),
        values={each.name: form[each.name] for each in question.parameters if form.get(each.name, "") != ""},
        time_s=workshop.limits.time_s,
        memory_bytes=workshop.limits.memory_bytes,
    )
