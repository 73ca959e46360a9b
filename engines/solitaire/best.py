"""The best position of a deal that is not won, as it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.solitaire.printing import counted
from engines.solitaire.telling import Style, move_lines, move_values

if TYPE_CHECKING:
    from engines.solitaire.found import Best
    from engines.solitaire.game import Solitaire


def best_values(
    game: Solitaire[Any, Any, Any], deal: Any, best: Best[Any], options: Any, style: Style, boards: bool
) -> dict[str, Any]:
    """For JSON; ``most_count``: no line of play reaches more."""
    return {
        "count": best.count,
        "most_count": best.most_count,
        "limit": best.limit,
        game.effort: best.effort_count,
        "cpu_s": best.cpu_s,
        "moves_count": best.moves_count,
        **move_values(game, deal, best.moves, options, style, boards),
    }


def best_lines(
    game: Solitaire[Any, Any, Any], deal: Any, best: Best[Any], options: Any, style: Style, boards: bool
) -> list[str]:
    """For people. The moves stand behind ``#``, since they are no solution."""
    count = f"{best.count} {game.best_of}"
    if best.limit is not None:
        count = f"at least {best.count}, at most {best.most_count} {game.best_of} (limit: {best.limit})"
    words = ", ".join(counted(game, {"moves_count": best.moves_count, game.effort: best.effort_count}))
    head = f"best: {count}, {words}, {best.cpu_s:.2f} s of processor time"
    lines = [head, *move_lines(game, deal, best.moves, options, style, boards)]
    return [f"# {line}".rstrip() for whole in lines for line in whole.split("\n")]
