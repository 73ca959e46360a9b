"""How well a learnt policy foresees what players choose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.daifugo.policy import Weights
from engines.daifugo.policy_examples import Examples


@dataclass(frozen=True)
class Judgement:
    """How well a policy foresees choices."""

    choices_count: int
    log_loss: float
    """Mean of -ln of the chance of what was played."""
    uniform_log_loss: float
    """The same if all plays were as likely."""
    hit_rate: float
    """Share of choices in which the likeliest play was made."""


def judge(weights: Weights, examples: Examples) -> Judgement:
    """How well weights foresee choices (one or more), which should be others than those learnt from."""
    chances = examples.chances(weights.astype(np.float64))
    made = chances[examples.chosen]
    return Judgement(
        choices_count=len(made),
        log_loss=float(-np.log(made).mean()),
        uniform_log_loss=float(np.log(examples.plays_counts).mean()),
        hit_rate=float((made >= np.maximum.reduceat(chances, examples.begins)).mean()),
    )
