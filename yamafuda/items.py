"""The deals and games that items of runs are about, as texts that can be replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.contract.engine import Engine
    from storage.place import Place


@dataclass(frozen=True)
class Told:
    """A game of an item: ``yamafuda.replays.replay(game, deal, moves, rules)`` plays it again."""

    game: str
    deal: str
    moves: str
    """Empty where the run has not written them."""
    rules: Mapping[str, Any]
    row: Mapping[str, Any]
    """The row that has it."""


@dataclass(frozen=True)
class Item:
    """What a run has found for one item."""

    rows: list[dict[str, Any]]
    games: list[Told]
    """The games of the rows, in their order; empty where rows are not about single games."""


@dataclass(frozen=True)
class Items:
    """Some rows of a run, with the columns that say most."""

    heads: list[str]
    rows: list[list[Any]]
    outcomes: list[str]
    """All outcomes that its rows have."""


SHOWN = ("index", "seed", "outcome", "limit")
SHOWN_COUNT = 8
"""Columns of ``Items``: the most useful ones, then counts and times."""


def item_of(run: str, index: int) -> Item:
    """An item of a run.

    ``run``: a run's folder, its label, or the beginning of its name or id; ``index``: the item's number in it.
    UserError when there is no such run or item.
    """
    from pipeline.query.fence import identifier
    from pipeline.roots import locate
    from storage.errors import UserError

    place = locate(run)
    name, engine = engine_of(place)
    view = identifier(place.name)
    rows = _told(place, f'SELECT * FROM {view} WHERE "index" = {int(index)}')
    if not rows:
        raise UserError(place.name, f"has no item {index} yet")
    found = [(row, engine.written(row)) for row in rows]
    games = [
        Told(name, written.deal, written.moves, written.rules, row)
        for row, written in found
        if written is not None
    ]
    return Item(rows, games)


def items_from(run: str, first: int, count: int, outcome: str = "") -> Items:
    """``count`` rows of a run from the ``first`` one on, in the order of items; of one outcome if that is given."""
    from pipeline.query.columns import columns_of_kind
    from pipeline.query.fence import identifier, quoted
    from pipeline.roots import locate

    place = locate(run)
    view, (_, engine) = identifier(place.name), engine_of(place)
    columns = list(columns_of_kind(engine.job.name, type(engine)).types)
    heads = [name for name in SHOWN if name in columns]
    figures = [name for name in columns if name.endswith(("_count", "_s")) and name not in heads]
    heads = [*heads, *figures][:SHOWN_COUNT]
    has_outcomes = "outcome" in columns
    chosen = f"WHERE outcome = {quoted(outcome)}" if outcome and has_outcomes else ""
    order = 'ORDER BY "index"' if "index" in columns else ""
    # In one statement: to open the runs takes longer than to read them.
    outcomes = f"(SELECT list_sort(list(DISTINCT outcome)) FROM {view})" if has_outcomes else "[]"
    listed = 'list(row ORDER BY row."index")' if order else "list(row)"
    some = f"SELECT {', '.join(map(identifier, heads))} FROM {view} {chosen} {order}"
    some += f" LIMIT {int(count)} OFFSET {int(first)}"
    asked = f"SELECT {listed} AS rows, {outcomes} AS outcomes FROM ({some}) AS row"
    (found,) = _told(place, asked)
    return Items(heads, [list(row.values()) for row in found["rows"] or []], found["outcomes"] or [])


def _told(run: Place, sql: str) -> list[dict[str, Any]]:
    """What a run's view answers; UserError that names the run where there is none, since its files are damaged."""
    from storage.errors import UserError
    from yamafuda.answers import query

    try:
        return query(sql, partial=True).to_dicts()
    except UserError as error:
        problem = f"its rows cannot be read; yamafuda verify {run.name} says what is damaged"
        raise UserError(run.name, problem) from error


def engine_of(run: Place) -> tuple[str, Engine]:
    """The game of a run, and its engine."""
    from engines.contract.registry import engine_class, games, job_from_mapping
    from pipeline.plan import read_plan
    from storage.layout import RunLayout

    values = read_plan(RunLayout(run))["job"]
    kind = values["name"]
    engine = engine_class(kind)(job_from_mapping(kind, values))
    return next(game.name for game in games() if kind in game.jobs), engine
