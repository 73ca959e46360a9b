"""Depth first through all positions, each once."""

from __future__ import annotations

import time

from engines.solitaire.found import Found
from engines.solitaire.limits import Bounds
from golf.rules import Position, Rules, is_won, plays

STATE_BYTES = 400
"""Of a stored position, about."""


def search(deal: Position, rules: Rules, bounds: Bounds) -> Found[int]:
    """A win, or the proof that there is none."""
    start_s = time.process_time()
    seen, path, moves = {deal}, [iter([(0, deal)])], [0]
    outcome, limit = "lost", None
    while path and outcome == "lost" and limit is None:
        move, position = next(path[-1], (0, None))
        if position is None:
            path.pop()
            moves.pop()
            continue
        moves[-1] = move
        if is_won(position):
            outcome = "won"
        new = [(move, after) for move, after in plays(position, rules) if after not in seen]
        seen.update(after for _, after in new)
        path.append(iter(new))
        moves.append(0)
        limit = bounds.reached(len(seen), len(seen) * STATE_BYTES, time.process_time() - start_s)
    won = outcome == "won"
    return Found(
        outcome="undecided" if limit is not None and not won else outcome,
        limit=None if won else limit,
        effort_count=len(seen),
        peak_bytes=len(seen) * STATE_BYTES,
        cpu_s=time.process_time() - start_s,
        moves=tuple(moves[1:-1]) if won else None,
    )
