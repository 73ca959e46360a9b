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
    """The row that tells it."""


def games_of(run: str, index: int) -> list[Told]:
    """The games that the rows of an item are about, in their order; none where they are about no single game.

    ``run``: a run's folder, or the beginning of its name or id; ``index``: the item's number in it. UserError when
    there is no such run or item.
    """
    from pipeline.query.fence import identifier
    from pipeline.roots import locate
    from storage.errors import UserError
    from yamafuda.answers import query

    place = locate(run)
    name, engine = _engine(place)
    view = identifier(place.name)
    rows = query(f'SELECT * FROM {view} WHERE "index" = {int(index)}', partial=True).to_dicts()
    if not rows:
        raise UserError(place.name, f"has no item {index} yet")
    found = [(row, engine.written(row)) for row in rows]
    return [
        Told(name, written.deal, written.moves, written.rules, row)
        for row, written in found
        if written is not None
    ]


def _engine(run: Place) -> tuple[str, Engine]:
    """The game of a run, and its engine."""
    from engines.contract.registry import engine_class, games, job_from_mapping
    from pipeline.plan import read_plan
    from storage.layout import RunLayout

    values = read_plan(RunLayout(run))["job"]
    kind = values["name"]
    engine = engine_class(kind)(job_from_mapping(kind, values))
    return next(game.name for game in games() if kind in game.jobs), engine
