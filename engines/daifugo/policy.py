"""Policies for playouts that are learnt from games: softmax over the features of legal plays, as JSON files.

The core says what features there are (``engines/native/src/daifugo/features.rs``): groups of them, of which each play
has one feature each. A file has ``version`` (1), ``weights`` (by group, a list of numbers each), ``sources``: whose
turns were learnt from (a list of players' options, seed and games), and ``judged``: how well those of other
games are foreseen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.daifugo.core import Player, Range
from engines.daifugo.players import PlayerOptions, make_checked
from engines.daifugo.rules import PLAYERS
from storage.errors import UserError
from storage.publish import write_json_atomic

Weights = npt.NDArray[np.float32]
"""Of all groups in a row."""

DIGITS = 3
"""Decimals of weights in a file."""
WEIGHT_MAX = 50.0
"""No weight is farther from 0, as in the core."""
_VERSION = 1
_STEP = 0.1
"""Of Adam's method; it falls evenly to nothing."""
_DECAYS = (0.9, 0.99)


@dataclass(frozen=True)
class Examples:
    """Choices, each between two plays or more (a pass is one unless the field is empty)."""

    features: npt.NDArray[np.uint16]
    """Of all plays of all choices in a row: places among the weights, shape (plays, groups)."""
    ends: npt.NDArray[np.int64]
    """Where each choice's plays end."""
    chosen: npt.NDArray[np.int64]
    """Which of all plays was made."""


@dataclass(frozen=True)
class Source:
    """Games of five copies of a player."""

    player: PlayerOptions
    games: int
    seed: int


@dataclass(frozen=True)
class Fit:
    """How well a policy foresees choices."""

    choices_count: int
    log_loss: float
    """Mean of -ln of the chance of what was played."""
    uniform_log_loss: float
    """The same if all plays were as likely."""
    hit_rate: float
    """Share of choices in which the likeliest play was made."""


def collect(players: Sequence[Player], of: Sequence[int], games: Range) -> Examples:
    """Choices of the players ``of`` (by number) in some games; ValueError as by ``core.play_games``."""
    features, ends, chosen = _native.daifugo_policy_examples(
        list(players),
        list(of),
        seed=games.seed,
        first=games.first,
        count=games.count,
        seat_period=games.seats_period,
        rank_period=games.ranks_period,
    )
    return Examples(features, ends.astype(np.int64), chosen.astype(np.int64))


def merge(parts: Sequence[Examples]) -> Examples:
    """All choices of some collections (one or more)."""
    offsets = np.cumsum([0, *(len(part.features) for part in parts)])[:-1]
    return Examples(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.ends + offset for part, offset in zip(parts, offsets, strict=True)]),
        np.concatenate([part.chosen + offset for part, offset in zip(parts, offsets, strict=True)]),
    )


def learn(path: Path, sources: Sequence[Source], judge_games: int) -> Fit:
    """Play the games of one source or more, learn from all their turns, and write a file of weights.

    The first ``judge_games`` games under ``seed + 1`` of each source judge it. UserError as by ``players``.
    """
    taught = merge([_choices(source.player, source.seed, source.games) for source in sources])
    others = merge([_choices(source.player, source.seed + 1, judge_games) for source in sources])
    weights = fit(taught)
    judged = judge(weights, others)
    save(path, weights, [asdict(source) for source in sources], judged)
    return judged


def fit(examples: Examples, steps: int = 200, penalty: float = 1.0) -> Weights:
    """Multinomial logistic regression by gradient steps on all choices (Adam); the same on every call.

    ``penalty``: half of it times the sum of the squared weights is added to the sum of the log losses, which keeps
    features that were seen rarely near 0.
    """
    begins, size = _begins(examples), sum(size for _, size in _native.daifugo_policy_groups())
    counts, choices_count = np.diff(begins, append=len(examples.features)), len(examples.ends)
    flat = examples.features.astype(np.intp).ravel()
    width = examples.features.shape[1]
    made = np.bincount(examples.features[examples.chosen].astype(np.intp).ravel(), minlength=size)
    weights, mean, square = (np.zeros(size) for _ in range(3))
    for step in range(1, steps + 1):
        chances = _chances(weights, examples, begins, counts)
        expected = np.bincount(flat, weights=np.repeat(chances, width), minlength=size)
        gradient = (expected - made + penalty * weights) / choices_count
        mean += (1 - _DECAYS[0]) * (gradient - mean)
        square += (1 - _DECAYS[1]) * (gradient**2 - square)
        rate = _STEP * (1 - (step - 1) / steps)
        weights -= (
            rate * (mean / (1 - _DECAYS[0] ** step)) / (np.sqrt(square / (1 - _DECAYS[1] ** step)) + 1e-9)
        )
    return weights.round(DIGITS).astype(np.float32)


def judge(weights: Weights, examples: Examples) -> Fit:
    """How well weights foresee choices (one or more), which should be others than those learnt from."""
    begins = _begins(examples)
    counts = np.diff(begins, append=len(examples.features))
    chances = _chances(weights.astype(np.float64), examples, begins, counts)
    made = chances[examples.chosen]
    return Fit(
        choices_count=len(made),
        log_loss=float(-np.log(made).mean()),
        uniform_log_loss=float(np.log(counts).mean()),
        hit_rate=float((made >= np.maximum.reduceat(chances, begins)).mean()),
    )


def save(path: Path, weights: Weights, sources: Sequence[Mapping[str, Any]], judged: Fit) -> None:
    """Write a file of weights with where they come from; ``sources`` are plain values."""
    ends = np.cumsum([size for _, size in _native.daifugo_policy_groups()])
    parts = np.split(weights, ends[:-1])
    by_group = {
        name: [round(float(weight), DIGITS) for weight in part]
        for (name, _), part in zip(_native.daifugo_policy_groups(), parts, strict=True)
    }
    write_json_atomic(
        path,
        {"version": _VERSION, "sources": list(sources), "judged": asdict(judged), "weights": by_group},
    )


def load(path: Path) -> Weights:
    """The weights of a file; UserError naming it when it is none, or has other groups than the core."""
    field = str(path)
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise UserError(field, f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise UserError(field, "is no JSON") from None
    if not isinstance(document, dict) or document.get("version") != _VERSION:
        raise UserError(field, f"is no policy of version {_VERSION}")
    by_group = document.get("weights")
    groups = _native.daifugo_policy_groups()
    if not isinstance(by_group, dict) or set(by_group) != {name for name, _ in groups}:
        raise UserError(field, f"weights: not of the groups {', '.join(name for name, _ in groups)}")
    for name, size in groups:
        part = by_group[name]
        if not isinstance(part, list) or len(part) != size or not all(map(_is_weight, part)):
            raise UserError(
                field, f"weights.{name}: not {size} numbers from {-WEIGHT_MAX:g} to {WEIGHT_MAX:g}"
            )
    return np.concatenate([np.array(by_group[name], np.float32) for name, _ in groups])


def _choices(options: PlayerOptions, seed: int, games: int) -> Examples:
    player = make_checked(options, "player.")
    return collect([player] * PLAYERS, range(PLAYERS), Range(seed, 0, games))


def _is_weight(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= WEIGHT_MAX


def _begins(examples: Examples) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], examples.ends[:-1]]).astype(np.int64)


def _chances(
    weights: npt.NDArray[np.float64],
    examples: Examples,
    begins: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
) -> npt.NDArray[np.float64]:
    """Of each play, within its choice."""
    scores: npt.NDArray[np.float64] = weights[examples.features].sum(axis=1)
    scores -= np.repeat(np.maximum.reduceat(scores, begins), counts)
    shares: npt.NDArray[np.float64] = np.exp(scores)
    chances: npt.NDArray[np.float64] = shares / np.repeat(np.add.reduceat(shares, begins), counts)
    return chances
