"""Players by their names in ``conf/players``, for commands that have no job."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from engines.daifugo.players import make_player, resolve

if TYPE_CHECKING:
    from engines.daifugo.core import Player
    from engines.daifugo.player_options import PlayerOptions


def named_options(name: str, place: str) -> PlayerOptions:
    """Of the player NAME, or NAME@N with N playouts; UserError naming ``place`` if there is none."""
    from omegaconf import OmegaConf

    text = files("conf").joinpath("players", "daifugo.yaml").read_text()
    kinds = cast("dict[str, Any]", OmegaConf.to_container(OmegaConf.create(text)))
    return resolve(kinds, [name], place)[name]


def named_player(name: str, place: str) -> Player:
    """The player with these options; UserError as by ``named_options``."""
    return make_player(named_options(name, place), f"{place}: ")
