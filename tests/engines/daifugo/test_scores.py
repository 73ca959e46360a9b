"""Points, their errors and paired differences."""

from __future__ import annotations

import math
import random

import numpy as np
import pyarrow as pa
import pytest

from engines.daifugo.scores import (
    Played,
    difference,
    rank_values,
    read_matches,
    score,
    t_quantile,
    variant_summary,
)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (9, 2.2622), (10, 2.2281), (30, 2.0423), (100, 1.9840), (10**6, 1.9600)],
)
def test_student_s_quantiles(freedom: int, quantile: float) -> None:
    """From a printed table."""
    assert t_quantile(freedom) == pytest.approx(quantile, abs=6e-5)


def test_errors_come_from_the_sums_of_matches() -> None:
    found = score([300, 320, 280], 100)
    assert found.points == 3.0
    assert found.error == pytest.approx(0.2 / math.sqrt(3))
    assert found.low is not None
    assert 3 - found.low == pytest.approx(t_quantile(2) * 0.2 / math.sqrt(3))
    one = score([250], 100)
    assert (one.points, one.error, one.low) == (2.5, None, None)


def test_an_interval_of_few_matches_ends_where_points_do() -> None:
    points = np.ones((2, 1, 5), np.uint8)
    base, better = (Played(np.arange(2), values, 2, 0, (), ()) for values in (points, points.copy()))
    better.points[0, 0, 3] = 5
    found = difference(better, base, 3, 1)
    assert found is not None
    assert (found["points_a_game"], found["points_a_game_low"], found["points_a_game_high"]) == (2, -4, 4)
    assert (found["points_low_10000_games"], found["points_high_10000_games"]) == (-40_000, 40_000)


def test_intervals_hold_what_they_promise() -> None:
    """Of 2000 means of 4 matches, 95% of the intervals have the true mean, within four standard errors."""
    chance = random.Random(1)
    hits = 0
    for _ in range(2000):
        found = score([round(chance.gauss(300, 40)) for _ in range(4)], 100)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 3.0 <= found.high
    assert abs(hits / 2000 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 2000)


def test_rows_become_matches_and_a_gap_is_one() -> None:
    """Two variants, matches of two games; match 1 of variant 0 is missing."""
    size, pieces = 10, [0, 1, 3, 4, 5]
    index = np.concatenate([np.arange(piece * size, (piece + 1) * size) for piece in pieces]).astype(
        np.uint64
    )
    player = index % 5
    rows = pa.table(
        {
            "index": index // 5,
            "points": (player + index // size).astype(np.uint8),
            "turns_count": np.full(len(index), 3, np.uint16),
            "playouts_count": np.where(player == 4, 7, 0).astype(np.uint64),
            "elapsed_s": np.where(player == 4, 0.5, 0.25),
        }
    )
    first, second = read_matches(rows, 2, 2)
    assert (first.matches.tolist(), second.matches.tolist()) == ([0, 2], [0, 1, 2])
    assert first.points.sum(axis=1).tolist() == [[0, 2, 4, 6, 8], [8, 10, 12, 14, 16]]
    assert (first.games_count, first.turns_count) == (4, 60)
    assert (first.playouts_counts, first.elapsed_s) == ((0, 0, 0, 0, 28), (1.0, 1.0, 1.0, 1.0, 2.0))
    figures = variant_summary(first, 2)
    assert (figures["playouts_count"], figures["playouts_per_s"]) == (28, 14)
    assert figures["games_per_core_s"] == pytest.approx(4 / 6)
    assert (figures["playouts_a_game"][4], figures["elapsed_s_a_game"]) == (7, [0.25] * 4 + [0.5])
    found = difference(second, first, 3, 2)
    assert found is not None
    assert (found["matches_count"], found["points_a_game"], found["points_a_game_se"]) == (2, 1.0, 0.0)
    assert found["points_10000_games"] == 10_000


def test_no_match_in_common() -> None:
    def played(number: int) -> Played:
        return Played(np.array([number]), np.ones((1, 1, 5), np.uint8), 1, 1, (0,) * 5, (0.0,) * 5)

    assert difference(played(0), played(1), 0, 1) is None


def chain(chance: random.Random, matches: int, games: int, shift: float) -> np.ndarray:
    """Points of matches in which a player stays with probability 1/2, else draws anew; better by ``shift``."""
    found = np.zeros((matches, games), np.uint8)
    for match in found:
        for game in range(games):
            if game and chance.random() < 0.5:
                match[game] = match[game - 1]
            else:
                match[game] = min(5, int(chance.random() * 5 + shift) + 1)
    return found


def test_what_a_rank_is_worth() -> None:
    """With half of the games as before, a rank counts twice, less towards the end."""
    values = rank_values(chain(random.Random(1), 400, 30, 0.0))
    steps = np.diff(values, axis=1)
    assert steps[-1].tolist() == pytest.approx([1, 1, 1, 1])
    assert steps[-2] == pytest.approx([1.5] * 4, abs=0.1)
    assert steps[0] == pytest.approx([2] * 4, abs=0.2)


def test_differences_of_single_games_tell_those_of_matches() -> None:
    """A player that draws better points, played by itself and from the ranks of the base."""
    chance, matches, games, shift = random.Random(2), 1000, 30, 0.2
    base = chain(chance, matches, games, 0.0)
    alone = chain(chance, matches, games, shift)
    shared = base.copy()
    # From the same rank and with the same dice it stays where the base stays, and draws what it drew, or one more.
    new = np.ones_like(base, bool)
    new[:, 1:] = base[:, 1:] != base[:, :-1]
    lucky = new & (np.random.default_rng(3).random(base.shape) < shift) & (base < 5)
    shared[lucky] += 1

    def played(points: np.ndarray) -> Played:
        return Played(np.arange(matches), points[:, :, None].repeat(5, axis=2), 1, 1, (0,) * 5, (0.0,) * 5)

    plain = difference(played(alone), played(base), 4, games)
    carried = difference(played(shared), played(base), 4, games, shared_ranks=True)
    assert plain is not None
    assert carried is not None
    assert plain["in_matches_a_game"] == plain["points_a_game"]
    assert carried["points_a_game"] < 0.75 * plain["points_a_game"]
    error = math.hypot(plain["in_matches_a_game_se"], carried["in_matches_a_game_se"])
    assert abs(carried["in_matches_a_game"] - plain["in_matches_a_game"]) < 4 * error
    assert carried["in_matches_a_game_se"] < plain["in_matches_a_game_se"] / 3
