"""Items of a run: a row each, and the games that they are about, to be replayed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pages import tasks
from pages.address import address, number_of
from pages.cells import cell_words, head_words
from pages.templating import page
from pages.workshop import computed
from yamafuda import Run

ITEMS_COUNT = 50
"""Items on a page."""
TEXT_CHARACTERS = 2000
"""Longest value that is shown, in characters."""


async def items_page(request: Request, run: Run) -> Response:
    """Some of a run's items."""
    first = number_of(request.query_params, "first")
    outcome = request.query_params.get("outcome", "")[:50]
    found = await computed(
        request, tasks.items, run=run.folder, outcome=outcome, first=first, count=ITEMS_COUNT + 1
    )

    def at(first: int) -> str:
        return address(f"/runs/{run.name}/items", {"outcome": outcome, "first": first or ""})

    return page(
        "items.html",
        run=run,
        heads=found["heads"],
        numeric=[
            name != "index" and any(isinstance(row[at], int | float) for row in found["rows"])
            for at, name in enumerate(found["heads"])
        ],
        rows=found["rows"][:ITEMS_COUNT],
        outcomes=found["outcomes"],
        outcome=outcome,
        before=at(max(first - ITEMS_COUNT, 0)) if first else "",
        after=at(first + ITEMS_COUNT) if len(found["rows"]) > ITEMS_COUNT else "",
    )


async def item_page(request: Request, run: Run) -> Response:
    """The rows of one item, and its games."""
    item = number_of(request.path_params, "item")
    found = await computed(request, tasks.item, folder=run.folder, item=item)
    games = [
        {
            "address": address(
                f"/replay/{game['game']}",
                {
                    "deal": game["deal"],
                    "moves": game["moves"],
                    **{
                        name: "unlimited" if value is None else str(value)
                        for name, value in game["rules"].items()
                    },
                    "run": run.name,
                    "item": item,
                },
            ),
            "has_moves": bool(game["moves"]),
        }
        for game in found["games"]
    ]
    rows = [
        {
            head_words(name): cell_words(value, name)[:TEXT_CHARACTERS]
            for name, value in row.items()
            if value is not None
        }
        for row in found["rows"]
    ]
    return page("item.html", run=run, item=item, games=games, rows=rows)
