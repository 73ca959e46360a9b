"""Values that a verb of a solitaire was given: the mode, the deals of a text."""

from __future__ import annotations

from typing import Any

from engines.contract.source import Source
from engines.solitaire.game import DECIDE, FILE_BYTES, Solitaire
from storage.errors import UserError


def mode_given(game: Solitaire[Any, Any, Any], given: dict[str, Any]) -> str:
    """The mode among the values of a verb."""
    asked = [mode for mode in game.modes if given[mode]]
    if len(asked) > 1:
        raise UserError(f"--{asked[1]}", f"cannot go with --{asked[0]}")
    return asked[0] if asked else DECIDE


def deals_of(game: Solitaire[Any, Any, Any], file: Source) -> list[Any]:
    """The deals of a text, at least one."""
    deals = game.read_deals(file.read(FILE_BYTES), file.name)
    if not deals:
        raise UserError(file.name, "there is no deal in it")
    return deals
