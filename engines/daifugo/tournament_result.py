"""The result of a tournament in words: points a game with standard errors, and differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.result import Result
from engines.text.words import count_of


def tournament_result(summary: Mapping[str, Any]) -> Result:
    """From the summary of ``daifugo_tournament``."""
    names, points, errors = (summary[key] for key in ("players", "points_a_game", "points_a_game_se"))
    count = summary["games_count"]
    players = [
        {"player": name, "points_a_game": point, "points_a_game_se": error}
        for name, point, error in zip(names, points, errors, strict=True)
    ]
    words = (
        f"{each['player']} {_with_error(each['points_a_game'], each['points_a_game_se'])}" for each in players
    )
    told = "" if None in errors else " with standard errors"
    lines = [f"{count_of(count, 'game')}, points a game{told}: {', '.join(words)}"]
    keys = ("name", "of", "points_a_game", "points_a_game_se", "points_a_game_low", "points_a_game_high")
    differences = [{key: each[key] for key in keys} for each in summary["differences"]]
    for each in differences:
        told = _with_error(each["points_a_game"], each["points_a_game_se"], "+")
        lines.append(f"{each['name']} in the place of {each['of']}: {told}")
    return Result({"games_count": count, "players": players, "differences": differences}, lines)


def _with_error(value: float, error: float | None, sign: str = "") -> str:
    return f"{value:{sign}.3f}" + ("" if error is None else f" ± {error:.3f}")
