"""Points of a tournament with their errors, from the rows of its run.

Games of a match depend on one another: ranks decide who gives cards to whom. Matches do not, so all errors come from
the sums of whole matches (batch means), with Student's t for the 95% intervals of few. Variants of one tournament
play the same deals at the same seats; the error of a difference is that of the differences of the matches.

Where ranks are shared, a variant's game begins with the ranks that the base had, so that a difference is that of
single games. Its effect in whole matches is estimated from the base's own games, by how a rank now shifts the points
of the remaining games (``rank_values``); this holds for small differences between two players.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engines.daifugo.rules import PLAYERS
from engines.statistics.intervals import mean, t_quantile

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("index", "points", "turns_count", "playouts_count", "elapsed_s")
"""The columns that are read."""

MATCHES = "95% intervals: Student's t of the sums of whole matches, which do not depend on one another."
"""What a reader is told of them."""


@dataclass(frozen=True)
class Score:
    """A mean for each game, from matches."""

    points: float
    error: float | None
    """Standard error; None for fewer than two matches."""
    low: float | None
    """Ends of the 95% interval."""
    high: float | None

    def fields(self, name: str) -> dict[str, float | None]:
        """As JSON values: ``NAME``, ``NAME_se``, ``NAME_low``, ``NAME_high``."""
        return {
            name: self.points,
            f"{name}_se": self.error,
            f"{name}_low": self.low,
            f"{name}_high": self.high,
        }


@dataclass(frozen=True)
class Played:
    """The matches of one variant that are there."""

    matches: npt.NDArray[np.int64]
    """Their numbers, ascending."""
    points: npt.NDArray[np.uint8]
    """Of each game and player, shape (matches, games, 5)."""
    games_count: int
    turns_count: int
    playouts_counts: tuple[int, ...]
    """By player."""
    elapsed_s: tuple[float, ...]
    """Processor time, by player."""


def score(sums: Sequence[float], match_games: int, most: float = math.inf) -> Score:
    """Points a game from the sums of matches (at least one) of ``match_games`` games each.

    ``most``: no mean can be beyond it on either side. The part of an interval beyond it (with few matches) is cut
    off.
    """
    centre = math.fsum(sums) / (len(sums) * match_games)
    found = mean([each / match_games for each in sums])
    if found is None:
        return Score(centre, None, None, None)
    error = found[1]
    half = t_quantile(len(sums) - 1) * error
    return Score(centre, error, max(-most, centre - half), min(most, centre + half))


def points_interval(variant: Mapping[str, Any], player: int) -> tuple[float | None, float | None]:
    """95% interval of the points a game of a player, from its ``variant_summary``; None for fewer than two matches."""
    points, error = variant["points_a_game"][player], variant["points_a_game_se"][player]
    if error is None:
        return None, None
    half = t_quantile(variant["matches_count"] - 1) * error
    return max(1.0, points - half), min(float(PLAYERS), points + half)


def read_matches(rows: pa.Table, variants_count: int, match_games: int) -> list[Played]:
    """The matches of each variant, from rows (``COLUMNS``) in the order of ``index``, whole matches of all
    variants."""
    columns = {name: rows[name].to_numpy() for name in COLUMNS}
    piece = (columns["index"][:: match_games * PLAYERS] // match_games).astype(np.int64)
    found = []
    for variant in range(variants_count):
        chosen = piece % variants_count == variant
        part = {name: column.reshape(-1, match_games, PLAYERS)[chosen] for name, column in columns.items()}
        found.append(
            Played(
                matches=piece[chosen] // variants_count,
                points=part["points"],
                games_count=int(chosen.sum()) * match_games,
                turns_count=int(part["turns_count"].sum()),
                playouts_counts=tuple(part["playouts_count"].sum(axis=(0, 1)).tolist()),
                elapsed_s=tuple(math.fsum(part["elapsed_s"][:, :, player].flat) for player in range(PLAYERS)),
            )
        )
    return found


def rank_values(points: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """The value of a rank, by game of a match and points 1 to 5: its points, and what it adds to points of later
    games.

    ``points``: one player's, shape (matches, games). Only the player's own rank is used: this is exact if the other
    four are alike. Only differences between ranks have a meaning.
    """
    before, after = points[:, :-1].ravel() - 1, points[:, 1:].ravel() - 1
    # One of each, so that a rank that is never seen before or after another has a share too.
    steps = np.ones((PLAYERS, PLAYERS))
    np.add.at(steps, (before, after), 1)
    steps /= steps.sum(axis=1, keepdims=True)
    worth = np.arange(1.0, PLAYERS + 1) - points.mean()
    values = np.zeros((points.shape[1], PLAYERS))
    values[-1] = worth
    for game in reversed(range(points.shape[1] - 1)):
        values[game] = worth + steps @ values[game + 1]
    return values


def variant_summary(played: Played, match_games: int) -> dict[str, Any]:
    """Points of the five players and rates of one variant, of the players' processor time.

    ``playouts_a_game``, ``elapsed_s_a_game``: by player, of decisions that were made there, not taken from the base."""
    if not len(played.matches):
        return {"games_count": 0, "matches_count": 0}
    sums = played.points.sum(axis=1, dtype=np.int64)
    scores = [score(sums[:, player].tolist(), match_games) for player in range(PLAYERS)]
    playouts_count, elapsed_s = sum(played.playouts_counts), math.fsum(played.elapsed_s)
    pairs = zip(played.elapsed_s, played.playouts_counts, strict=True)
    playing_s = math.fsum(player_s for player_s, count in pairs if count)
    return {
        "games_count": played.games_count,
        "matches_count": len(played.matches),
        "points": sums.sum(axis=0).tolist(),
        "points_a_game": [each.points for each in scores],
        "points_a_game_se": [each.error for each in scores],
        "turns_a_game": played.turns_count / played.games_count,
        "playouts_count": playouts_count,
        "playouts_a_game": [count / played.games_count for count in played.playouts_counts],
        "elapsed_s_a_game": [player_s / played.games_count for player_s in played.elapsed_s],
        "playouts_per_s": playouts_count / playing_s if playing_s else None,
        "games_per_core_s": played.games_count / elapsed_s if elapsed_s else None,
    }


def difference(
    played: Played, base: Played, player: int, match_games: int, shared_ranks: bool = False
) -> dict[str, Any] | None:
    """Points a game of a player less those of the base, in matches that both have; None without any.

    ``in_matches``: the same with the effect of ranks on later games; where ranks are not shared the points have it
    already.
    """
    both, ours, theirs = np.intersect1d(played.matches, base.matches, return_indices=True)
    if not len(both):
        return None
    points, base_points = played.points[ours, :, player], base.points[theirs, :, player]
    sums = points.sum(axis=1, dtype=np.int64) - base_points.sum(axis=1, dtype=np.int64)
    found = score(sums.tolist(), match_games, PLAYERS - 1)
    carried = found
    if shared_ranks:
        values, games = rank_values(base.points[:, :, player]), np.arange(match_games)
        carried = score(
            (values[games, points - 1] - values[games, base_points - 1]).sum(axis=1).tolist(), match_games
        )
    figures: dict[str, Any] = {"matches_count": len(both)}
    for name, each in (("points", found), ("in_matches", carried)):
        figures |= each.fields(f"{name}_a_game")
        for key, value in each.fields(name).items():
            figures[f"{key}_10000_games"] = None if value is None else 10_000 * value
    return figures
