"""The best position of a deal that is not won, in answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.solitaire.answers import counted

if TYPE_CHECKING:
    from engines.solitaire.found import Best
    from engines.solitaire.game import Solitaire
    from engines.solitaire.telling import ToldMoves


def best_values(game: Solitaire[Any, Any, Any], best: Best[Any], moves: ToldMoves) -> dict[str, Any]:
    """For JSON; ``most_count``: no line of play reaches more."""
    return {
        "count": best.count,
        "most_count": best.most_count,
        "limit": best.limit,
        game.effort: best.effort_count,
        "cpu_s": best.cpu_s,
        "moves_count": best.moves_count,
        **moves.values,
    }


def best_lines(game: Solitaire[Any, Any, Any], best: Best[Any], moves: ToldMoves) -> list[str]:
    """For people. The moves come after ``#``, because they are not a solution."""
    count = f"{best.count} {game.best_of}"
    if best.limit is not None:
        count = f"at least {best.count}, at most {best.most_count} {game.best_of} (limit: {best.limit})"
    words = ", ".join(counted(game, {"moves_count": best.moves_count, game.effort: best.effort_count}))
    head = f"best: {count}, {words}, {best.cpu_s:.2f} s of processor time"
    return [f"# {line}".rstrip() for whole in [head, *moves.lines] for line in whole.split("\n")]
