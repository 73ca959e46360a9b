"""Solutions that ``yamafuda solve`` printed as JSON, in the game's notation again, for ``yamafuda check``.

{"outcome": "won", "moves": ["S04T00", ...], ...}     a line of --json; without moves: none is given
[{"move": "S04T00", ...}, ...]                        a line of --moves json
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from storage.errors import UserError

if TYPE_CHECKING:
    from engines.solitaire.game import Solitaire

_IN_WORDS = re.compile(r" *[0-9]+  \S")
"""A numbered move of ``--moves words`` or ``--boards``."""


def in_notation(game: Solitaire[Any, Any, Any], text: str, source: str) -> str:
    """The text with lines of JSON replaced by the moves in them; the number of lines stays. UserError where moves are
    in words."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if _IN_WORDS.match(line):
            raise UserError(
                f"{source}, line {at + 1}",
                "moves in words or with boards cannot be read; check reads what solve prints with "
                "--json, or without --moves words and --boards",
            )
        if line.lstrip().startswith(("{", "[")):
            lines[at] = _written(game, line, f"{source}, line {at + 1}")
    return "\n".join(lines)


def _written(game: Solitaire[Any, Any, Any], line: str, place: str) -> str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise UserError(place, "is no JSON on one line; solve --json prints such lines") from None
    if isinstance(value, dict) and "moves" in value:
        if value["moves"] is None:
            return "lost" if value.get("outcome") == "lost" else "undecided"
        value = value["moves"]
    moves = value if isinstance(value, list) else [None]
    told = [each.get("move") if isinstance(each, dict) else each for each in moves]
    names = [name for name in told if isinstance(name, str)]
    if len(names) < len(told):
        raise UserError(place, 'there is no list of moves in it; solve --json prints it as "moves"')
    return game.join_moves(names, " ")
