"""Learns a policy from games of given players: their choices, weighed by their features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from engines import _native
from engines.daifugo.adam import Adam
from engines.daifugo.core import Range
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.players import make_checked
from engines.daifugo.policy import DIGITS, Weights, save
from engines.daifugo.policy_examples import Examples, collect, merge
from engines.daifugo.policy_judging import Judgement, judge
from engines.daifugo.rules import PLAYERS

_STEP = 0.1
"""Learning rate of Adam's method; it falls linearly to 0."""


@dataclass(frozen=True)
class Source:
    """Games of five copies of a player."""

    player: PlayerOptions
    games: int
    seed: int


def learn(path: Path, sources: Sequence[Source], judge_games: int) -> Judgement:
    """Play the games of one source or more, learn from all their turns, and write a file of weights.

    The first ``judge_games`` games under ``seed + 1`` of each source judge it. UserError as by ``players``.
    """
    taught = merge([_choices(source.player, source.seed, source.games) for source in sources])
    others = merge([_choices(source.player, source.seed + 1, judge_games) for source in sources])
    weights = fit(taught)
    judged = judge(weights, others)
    save(path, weights, [asdict(source) for source in sources], asdict(judged))
    return judged


def fit(examples: Examples, steps: int = 200, penalty: float = 1.0) -> Weights:
    """Multinomial logistic regression by gradient steps on all choices (Adam); the same on every call.

    ``penalty``: half of it times the sum of the squared weights is added to the sum of the log losses, which keeps
    features that were seen rarely near 0.
    """
    size, choices_count = sum(size for _, size in _native.daifugo_policy_groups()), len(examples.ends)
    flat = examples.features.astype(np.intp).ravel()
    width = examples.features.shape[1]
    made = np.bincount(examples.features[examples.chosen].astype(np.intp).ravel(), minlength=size)
    weights, adam = np.zeros(size), Adam(size, 1e-9)
    for step in range(steps):
        chances = examples.chances(weights)
        expected = np.bincount(flat, weights=np.repeat(chances, width), minlength=size)
        gradient = (expected - made + penalty * weights) / choices_count
        weights -= adam.step(gradient, _STEP * (1 - step / steps))
    return weights.round(DIGITS).astype(np.float32)


def _choices(options: PlayerOptions, seed: int, games: int) -> Examples:
    player = make_checked(options, "player.")
    return collect([player] * PLAYERS, range(PLAYERS), Range(seed, 0, games))
