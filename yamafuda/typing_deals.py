"""Deals typed card by card, with what is wrong beside each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.contract.cells import Group


@dataclass(frozen=True)
class TypedDeal:
    """What was typed, as far as it makes a deal."""

    text: str
    """The deal on one line; empty while something is wrong."""
    mistakes: Mapping[tuple[int, int], str]
    """Group and place of a cell -> what is wrong with it."""
    problem: str
    """What is wrong with all of them together; empty when nothing is, or while single cells are wrong."""


def groups_of(game: str) -> tuple[Group, ...]:
    """The cells of a game's deals in their groups; none for a game whose deals are not typed so."""
    from engines.contract.registry import game as game_named

    positions = game_named(game).positions()
    cells = None if positions is None else positions.cells()
    return () if cells is None else cells.groups


def typed_deal(game: str, typed: Sequence[Sequence[str]]) -> TypedDeal:
    """The deal that the cells of a game's groups make; UserError for a game without."""
    from engines.contract.registry import game as game_named
    from storage.errors import UserError

    positions = game_named(game).positions()
    cells = None if positions is None else positions.cells()
    if positions is None or cells is None:
        raise UserError(game, "deals of this game are not typed card by card")
    mistakes = cells.mistakes(typed)
    if mistakes:
        return TypedDeal("", mistakes, "")
    try:
        found = positions.replay(cells.text(typed), "", positions.rules({}))
    except UserError as error:
        return TypedDeal("", {}, f"{error.field}: {error.message}")
    return TypedDeal(positions.write(found.start), {}, "")
