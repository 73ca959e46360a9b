"""Fit the chance to win by which playouts of Calculation end (``chance.rs``, ``playouts.py``).

    python tests/slow/fit_calculation_chances.py RESULTS 3 own 20000

plays that many decks of 13 ranks (of seed 2, which no table of results uses) with the player of playouts, by the
finished table of 3 stacks below RESULTS and these edges. Whether a game is won is then fitted by logistic regression to
the value and the pile after each of its turns, as long as the game is open. Prints the weights, and for tenths of the
chance how many turns have it, and in what share of them the game was won; this by games that the fit has not seen.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from engines.calculation.core import open_player, random_deck
from engines.calculation.estimate import Edges
from engines.calculation.method import PLAYOUTS_KEEP
from engines.calculation.player import LAST_HOPE, Options
from engines.calculation.playouts import terms
from engines.calculation.rules import COPIES

RANKS, SEED, AT_ONCE, STEPS = 13, 2, 100, 30


def rows_of(
    results: Path, stacks: int, edges: Edges, decks: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each turn of a game that is open: its terms, whether the game was won, and the game's number."""
    player = open_player(Options(ranks=RANKS, stacks=stacks, edges=edges, keep=PLAYOUTS_KEEP), results)
    cards = COPIES * RANKS
    rows, won, numbers = [], [], []
    for first in range(0, decks, AT_ONCE):
        some = [random_deck(SEED, number, RANKS) for number in range(first, min(first + AT_ONCE, decks))]
        games = player._core.play(np.array(some, np.uint8))
        for number in range(len(some)):
            for turn, value in enumerate(games.values(number).tolist(), 1):
                if float(LAST_HOPE) < value and np.float32(value) < 1 and turn < cards:
                    rows.append(terms(value, (cards - turn) / cards))
                    won.append(float(games.won[number]))
                    numbers.append(first + number)
        print(f"{first + len(some)} of {decks} games", end="\r", file=sys.stderr)
    return np.array(rows), np.array(won), np.array(numbers)


def chances(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Of all rows."""
    return 1 / (1 + np.exp(-rows @ weights))


def fitted(rows: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The weights of the largest likelihood, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        p = chances(rows, weights)
        curvature = (rows * (p * (1 - p))[:, None]).T @ rows
        weights += np.linalg.solve(curvature, rows.T @ (won - p))
    return weights


def main() -> None:
    """See above."""
    results, stacks, edges, decks = Path(sys.argv[1]), int(sys.argv[2]), Edges(sys.argv[3]), int(sys.argv[4])
    rows, won, numbers = rows_of(results, stacks, edges, decks)
    seen = numbers % 2 == 0
    p, truth = chances(rows[~seen], fitted(rows[seen], won[seen])), won[~seen]
    loss = -np.mean(truth * np.log(p) + (1 - truth) * np.log1p(-p))
    print(f"{len(rows)} turns of {decks} games; log loss of unseen ones {loss:.4f}")
    for tenth in range(10):
        there = (p * 10).astype(int) == tenth
        if there.any():
            print(f"{there.sum():8d} turns: chance {p[there].mean():.3f}, won {truth[there].mean():.3f}")
    print("weights:", ", ".join(f"{weight:.3f}" for weight in fitted(rows, won)))


if __name__ == "__main__":
    main()
