"""Players by their names in ``conf/players``, for commands that have no job."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from engines.daifugo.players import make_player, resolve

if TYPE_CHECKING:
    from engines.daifugo.core import Player


def named_player(name: str, place: str) -> Player:
    """The player NAME, or NAME@N with N playouts; UserError naming ``place`` if there is none."""
    from omegaconf import OmegaConf

    text = files("conf").joinpath("players", "daifugo.yaml").read_text()
    kinds = cast("dict[str, Any]", OmegaConf.to_container(OmegaConf.create(text)))
    return make_player(resolve(kinds, [name], place)[name], f"{place}: ")
