"""``yamafuda show`` of every solitaire."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engines.solitaire.game import Solitaire
from engines.solitaire.given import deals_of


def show(game: Solitaire[Any, Any, Any], file: Path, as_json: bool) -> None:
    """Draw each deal of a file."""
    for number, deal in enumerate(deals_of(game, file), start=1):
        if as_json:
            print(json.dumps({"deal": game.format_deal(deal)}))
        else:
            print(("\n" if number > 1 else "") + game.draw_deal(deal))
