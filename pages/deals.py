"""Deals to play: those that can be won, by game, rules and difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages import tasks
from pages.address import address, fields_of, number_of
from pages.section import Section
from pages.templating import page
from pages.workshop import computed
from yamafuda.deals import DIFFICULTIES

PATH = "/deals"
DEALS_COUNT = 30
"""Deals on a page."""
RULE = "rule-"
"""The beginning of rules' fields in an address."""
NONE = "-"
"""In an address, a rule without a value; a rule that is left out may have any value."""


def section() -> Section:
    """Its pages."""
    return Section("Deals", PATH, [Route(PATH, _sets), Route(PATH + "/{job}", _deals)])


async def _sets(request: Request) -> Response:
    sets = await computed(request, tasks.sets_of_deals)
    for each in sets:
        each["address"] = address(f"{PATH}/{each['job']}", _asked(each["rules"], DIFFICULTIES[0], 0))
    return page("deal_sets.html", sets=sets)


async def _deals(request: Request) -> Response:
    job, fields = request.path_params["job"], fields_of(request)
    first = number_of(fields, "first")
    difficulty = fields.get("difficulty", DIFFICULTIES[0])
    rules = {
        name.removeprefix(RULE): "" if value == NONE else value
        for name, value in fields.items()
        if name.startswith(RULE)
    }
    found = await computed(
        request,
        tasks.deals_to_play,
        job=job,
        rules=rules,
        difficulty=difficulty,
        first=first,
        count=DEALS_COUNT + 1,
    )

    def at(difficulty: str, first: int = 0) -> str:
        return address(f"{PATH}/{job}", _asked(rules, difficulty, first))

    deals = found["deals"][:DEALS_COUNT]
    for deal in deals:
        deal["play"] = _replay(found["game"], deal)
    return page(
        "deals.html",
        found=found,
        deals=deals,
        difficulty=difficulty,
        at=at,
        before=at(difficulty, max(first - DEALS_COUNT, 0)) if first else "",
        after=at(difficulty, first + DEALS_COUNT) if len(found["deals"]) > DEALS_COUNT else "",
    )


def _asked(rules: Mapping[str, str], difficulty: str, first: int) -> dict[str, str | int]:
    """Fields of an address."""
    named: dict[str, str | int] = {RULE + name: value or NONE for name, value in rules.items()}
    return named | {"difficulty": difficulty, "first": first or ""}


def _replay(game: str, deal: Mapping[str, Any]) -> str:
    """Where a deal is played."""
    rules = {name: "unlimited" if value is None else str(value) for name, value in deal["rules"].items()}
    return address(f"/replay/{game}", {"deal": deal["text"], **rules})
