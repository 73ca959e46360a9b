"""How well a learnt policy predicts the choices of players."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.daifugo.policy import Weights
from engines.daifugo.policy_examples import Examples


@dataclass(frozen=True)
class Judgement:
    """Quality of a policy's predictions."""

    choices_count: int
    log_loss: float
    """Mean of -ln of the predicted probability of the actual play."""
    uniform_log_loss: float
    """The same for equal probabilities."""
    hit_rate: float
    """Share of choices in which the likeliest play was made."""


def judge(weights: Weights, examples: Examples) -> Judgement:
    """How well weights predict choices (at least one), which should not be those learnt from."""
    chances = examples.chances(weights.astype(np.float64))
    made = chances[examples.chosen]
    return Judgement(
        choices_count=len(made),
        log_loss=float(-np.log(made).mean()),
        uniform_log_loss=float(np.log(examples.plays_counts).mean()),
        hit_rate=float((made >= np.maximum.reduceat(chances, examples.begins)).mean()),
    )
