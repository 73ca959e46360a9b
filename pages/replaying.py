"""Shared by the pages of replays: the game, the fields that say what is shown, and the replay itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pages import tasks
from pages.address import address
from pages.templating import page
from pages.workshop import computed
from yamafuda import UserError
from yamafuda.asking import questions
from yamafuda.replays import Replayable, replayable_game

STEPS_COUNT = 1000
"""Positions of one replay that are shown."""


async def replayed_game(request: Request) -> Replayable:
    """The game that an address names; HTTPException when there is none."""
    try:
        return await asyncio.to_thread(replayable_game, request.path_params["game"])
    except UserError as error:
        raise HTTPException(404, error.message) from None


async def replayed(
    request: Request, game: Replayable, fields: Mapping[str, str], first: int, count: int, at: int | None
) -> dict[str, Any]:
    """The replay that fields describe, with ``count`` of its positions from ``first`` on (``yamafuda.replays``)."""
    found: dict[str, Any] = await computed(
        request,
        tasks.replay,
        game=game.name,
        deal=fields.get("deal", ""),
        moves=fields.get("moves", ""),
        rules=rules_of(game, fields),
        first=first,
        count=count,
        at=at,
    )
    return found


def known_fields(game: Replayable, fields: Mapping[str, str]) -> dict[str, str]:
    """The fields that say what is shown."""
    names = ("deal", "moves", *(rule.name for rule in game.rules), "step", "run", "item")
    return {name: fields[name] for name in names if name in fields}


def rules_of(game: Replayable, fields: Mapping[str, str]) -> dict[str, str]:
    """The rules among the fields, without those that are left open."""
    return {rule.name: fields[rule.name] for rule in game.rules if fields.get(rule.name, "") != ""}


def plays_of(
    game: Replayable, fields: Mapping[str, str], found: Mapping[str, Any], step: int
) -> list[dict[str, str]]:
    """The legal moves at a step, each with the address of the game that goes on with it."""
    return [
        {
            "words": play["words"],
            "written": play["written"],
            "address": address(
                f"/replay/{game.name}", {**fields, "moves": play["moves_text"], "step": step + 1}
            ),
        }
        for play in found["plays"]
    ]


def replay_page(
    request: Request,
    game: Replayable,
    fields: Mapping[str, str],
    found: Mapping[str, Any] | None = None,
    error: UserError | None = None,
    **more: Any,
) -> Response:
    """The page of a replay with its other parts; only the form where no replay is found."""
    values: dict[str, Any] = {
        "game": game,
        "fields": fields,
        "error": error,
        "replay": found,
        "answer": None,
        **more,
    }
    if found is not None:
        (step,) = found["steps"]
        last = len(found["moves"])

        def at(number: int) -> str:
            return address(f"/replay/{game.name}", dict(fields) | {"step": min(max(number, 0), last)})

        values |= {
            "step": step,
            "is_known": found["is_known"],
            "plays": plays_of(game, fields, found, step["number"]),
            "questions": questions(game.name),
            "last": last,
            "at": at,
            "steps": address(f"/replay/{game.name}/steps.json", {**fields, "step": ""}),
            "steps_count": STEPS_COUNT,
            "limits": request.app.state.workshop.limits,
        }
    return page("replay.html", 400 if error else 200, **values)
