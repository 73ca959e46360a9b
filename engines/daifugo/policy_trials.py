"""What each play of a choice is worth, by playouts of the policy that plays, and a better policy by it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines.daifugo.adam import Adam
from engines.daifugo.policy import DIGITS, WEIGHT_MAX, Weights
from engines.daifugo.policy_examples import Choices

BATCH_CHOICES = 4096
EPOCHS = 6
_STEP = 0.05
"""Of Adam's method; it falls evenly to nothing."""
_PENALTY = 1e-6
"""Half of it times the sum of the squared weights is taken off."""


@dataclass(frozen=True)
class Trials(Choices):
    """Choices whose plays were all tried."""

    points: npt.NDArray[np.float64]
    """Mean points of each play."""

    def part(self, first: int, last: int) -> Trials:
        """The choices ``first`` to ``last - 1``."""
        begin, end = (0 if first == 0 else int(self.ends[first - 1])), int(self.ends[last - 1])
        return Trials(self.features[begin:end], self.ends[first:last] - begin, self.points[begin:end])


def worth(weights: npt.NDArray[np.float64], trials: Trials) -> float:
    """Mean points of a choice by a policy that goes on as the one that was tried."""
    return float((trials.chances(weights) * trials.points).sum() / len(trials.ends))


def improve(weights: Weights, trials: Trials, temperature: float) -> Weights:
    """Weights by which choices are worth more: gradient steps from ``weights`` on (Adam); the same on every call.

    What grows is the mean over the choices of points and ``temperature`` times entropy (in nats), so that a play
    that is worth a little less is made now and then. No play's own points are fitted: errors of single ones, which
    are large, cancel out.
    """
    size, width, count = len(weights), trials.features.shape[1], len(trials.ends)
    found, adam = weights.astype(np.float64), Adam(size, 1e-6)
    batches = [
        trials.part(first, min(first + BATCH_CHOICES, count)) for first in range(0, count, BATCH_CHOICES)
    ]
    steps = EPOCHS * len(batches)
    for step, batch in enumerate(batches * EPOCHS, 1):
        chances = batch.chances(found)
        gains = batch.points - temperature * np.log(np.maximum(chances, 1e-30))
        means = np.add.reduceat(chances * gains, batch.begins)
        pull = chances * (gains - np.repeat(means, batch.plays_counts))
        flat = batch.features.astype(np.intp).ravel()
        pulls = np.bincount(flat, weights=np.repeat(pull, width), minlength=size)
        gradient = _PENALTY * found - pulls / len(batch.ends)
        found -= adam.step(gradient, _STEP * (1 - step / (steps + 1)))
        np.clip(found, -WEIGHT_MAX, WEIGHT_MAX, out=found)
    return found.round(DIGITS).astype(np.float32)
