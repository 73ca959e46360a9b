"""Players by their names in ``conf/players``, for commands that have no job."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from engines.daifugo.player_options import PlayerOptions, lacks_table
from engines.daifugo.players import BUDGET_SIGN, make_player, resolve
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.daifugo.core import Player


def named_options(name: str, place: str) -> PlayerOptions:
    """Of the player NAME, or NAME@N with N playouts; UserError naming ``place`` if there is none, or if it needs what
    only a job gives it."""
    from omegaconf import OmegaConf

    text = files("conf").joinpath("players", "daifugo.yaml").read_text()
    kinds = {str(kind): PlayerOptions(**options) for kind, options in OmegaConf.create(text).items()}
    ready = {kind: options for kind, options in kinds.items() if not lacks_table(options)}
    base = name.partition(BUDGET_SIGN)[0]
    if base in kinds and base not in ready:
        raise UserError(
            place, f"{base!r} needs a table, which only jobs take; here there are: {', '.join(ready)}"
        )
    return resolve(ready, [name], place)[name]


def named_player(name: str, place: str) -> Player:
    """The player with these options; UserError as by ``named_options``."""
    return make_player(named_options(name, place), f"{place}: ")
