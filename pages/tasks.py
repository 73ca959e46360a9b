"""Tasks for the workshop's processes."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from yamafuda import asking, exploring, replays, reports
from yamafuda.deals import deal_sets, deals
from yamafuda.items import item_of, items_from


def replay(
    game: str, deal: str, moves: str, rules: Mapping[str, str], first: int, count: int, at: int | None
) -> Iterator[dict[str, Any]]:
    """A replay, as ``yamafuda.replays.replay`` makes it."""
    found = replays.replay(game, deal, moves, rules, first=first, count=count, at=at)
    yield asdict(found)


def ask(
    game: str,
    verb: str,
    deal: str,
    moves: str,
    step: int,
    rules: Mapping[str, str],
    values: Mapping[str, str],
    time_s: float,
    memory_bytes: int,
) -> Iterator[dict[str, Any]]:
    """Answers, as ``yamafuda.asking.ask_after`` gives them."""
    for told in asking.ask_after(game, verb, deal, moves, step, rules, values, time_s, memory_bytes):
        yield asdict(told)


def items(run: str, outcome: str, first: int, count: int) -> Iterator[dict[str, Any]]:
    """Some items of a run, as ``yamafuda.items.items_from`` finds them."""
    yield asdict(items_from(run, first, count, outcome))


def item(folder: str, item: int) -> Iterator[dict[str, Any]]:
    """The rows of an item, and its games."""
    found = item_of(folder, item)
    yield {
        "rows": [{name: _plain(value) for name, value in row.items()} for row in found.rows],
        "games": [{**vars(game), "row": None} for game in found.games],
    }


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float | str | list | None) else str(value)


def report(run: str) -> Iterator[str]:
    """The report of a run, by its folder, as a page."""
    yield reports.report_html(run)


def explore(game: str, position: str, editing: bool) -> Iterator[dict[str, Any]]:
    """What is known of a position, by ``yamafuda.exploring.explore``."""
    yield asdict(exploring.explore(game, position, editing=editing))


def sets_of_deals() -> Iterator[list[dict[str, Any]]]:
    """All sets of deals to play, as ``yamafuda.deals.deal_sets`` finds them."""
    with _quiet():
        yield [asdict(each) for each in deal_sets()]


def deals_to_play(
    job: str, rules: Mapping[str, str], difficulty: str, first: int, count: int
) -> Iterator[dict[str, Any]]:
    """Some deals of a set, as ``yamafuda.deals.deals`` finds them."""
    with _quiet():
        yield asdict(deals(job, rules, difficulty, first, count))


def _quiet() -> contextlib.redirect_stderr[io.StringIO]:
    """Runs that are left out are shown in the pages of runs, not on this server's terminal."""
    return contextlib.redirect_stderr(io.StringIO())
