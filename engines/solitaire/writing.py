"""Solutions of a solitaire whose moves are written by name: written, read, and replayed by its legal plays."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engines.solitaire.found import Replay
from engines.text.movelist import MoveListReader

if TYPE_CHECKING:
    from engines.solitaire.game import Solitaire

MOVES_A_LINE = 12

Step = tuple[str, int]
"""A move as written, and its line."""


def format_moves(game: Solitaire[Any, Any, Any], deal: Any, moves: Sequence[Any], options: Any) -> list[str]:
    """Each move as written; ValueError for one that is not legal."""
    written: list[str] = []
    for move in moves:
        after = [position for play, position in game.plays(deal, options) if play == move]
        if not after:
            raise ValueError(f"{game.write_move(deal, move)} is not legal after {len(written)} moves")
        written.append(game.write_move(deal, move))
        deal = after[0]
    return written


def read_solutions(game: Solitaire[Any, Any, Any], text: str, source: str) -> list[list[Step] | None]:
    """The solutions of a text (``engines.text.movelist``), None for a deal without one."""
    found = _reader(game.move_pattern, game.move_example).read(text, source)
    return [
        None if moves is None else [(match.group().upper(), line) for match, line in moves] for moves in found
    ]


def replay(game: Solitaire[Any, Any, Any], deal: Any, steps: Sequence[Step], options: Any) -> Replay[Any]:
    """Play written moves; each must name a legal play."""
    moves: list[Any] = []
    for number, (name, line) in enumerate(steps, start=1):
        plays = {
            game.write_move(deal, move).upper(): (move, after) for move, after in game.plays(deal, options)
        }
        if name not in plays:
            legal = ", ".join(plays) or "none"
            return Replay(
                tuple(moves), f"move {number}, {name} on line {line}: is not legal here; legal: {legal}"
            )
        move, deal = plays[name]
        moves.append(move)
    won = game.is_won(deal)
    return Replay(tuple(moves), None if won else f"the position after move {len(moves)} is not won")


@functools.cache
def _reader(pattern: str, example: str) -> MoveListReader:
    return MoveListReader(pattern, example)
