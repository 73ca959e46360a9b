"""Choices that players made in games, as the learnt policy sees them: the features of all legal plays.

The core says what features there are (``engines/native/src/daifugo/features.rs``): groups of them, of which each play
has one feature each.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.daifugo.core import Player, Range


@dataclass(frozen=True)
class Examples:
    """Choices that were made, each between two plays or more (a pass may be one unless the field is empty)."""

    features: npt.NDArray[np.uint16]
    """Of all plays of all choices in a row: places among the weights, shape (plays, groups)."""
    ends: npt.NDArray[np.int64]
    """Where each choice's plays end."""
    chosen: npt.NDArray[np.int64]
    """Which of all plays was made."""

    @functools.cached_property
    def begins(self) -> npt.NDArray[np.int64]:
        """Where each choice's plays begin."""
        return np.concatenate([[0], self.ends[:-1]]).astype(np.int64)

    @functools.cached_property
    def plays_counts(self) -> npt.NDArray[np.int64]:
        """Plays of each choice."""
        return np.diff(self.begins, append=len(self.features))

    def chances(self, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Of each play, within its choice."""
        scores: npt.NDArray[np.float64] = weights[self.features].sum(axis=1)
        scores -= np.repeat(np.maximum.reduceat(scores, self.begins), self.plays_counts)
        shares: npt.NDArray[np.float64] = np.exp(scores)
        sums = np.add.reduceat(shares, self.begins)
        chances: npt.NDArray[np.float64] = shares / np.repeat(sums, self.plays_counts)
        return chances


def collect(players: Sequence[Player], of: Sequence[int], games: Range) -> Examples:
    """Choices of the players ``of`` (by number) in some games; ValueError as by ``core.play_games``."""
    features, ends, chosen = _native.daifugo_policy_examples(
        list(players),
        list(of),
        **games.arguments(),
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
