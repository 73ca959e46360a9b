"""Figures for summary.json of a run of ``daifugo_estimate``: measures of hand estimation from its rows, with
intervals.

All measures are shares: sums of counts over sums of counts. Positions of a game depend on one another, so that errors
come from the sums of whole games (the ratio estimator). Differences of two generators are those at the same positions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from engines.contract.result import Result, percent
from engines.daifugo.world_measures import LEFT_MAX, CardClass
from engines.statistics.intervals import Z
from engines.text.words import count_of

COUNTS = (
    "worlds_count",
    "exact_worlds_count",
    "hands_counts",
    "exact_hands_counts",
    "cards_counts",
    "placed_counts",
    "pairs_count",
    "differing_count",
)
"""Columns of counts."""
ENDINGS = ("", "_low", "_high")
"""Endings of the names of a share and of the ends of its interval."""
MEASURES = ("exact_worlds", "exact_hands", "placed", "diversity")

Sums = npt.NDArray[np.float64]


class Share(NamedTuple):
    """A share, or a difference of two, with its 95% interval; None where there are no data for it."""

    value: float | None
    low: float | None
    high: float | None


class Measure(NamedTuple):
    """Counts of one measure or of several, by game: shape (games, measures)."""

    right: Sums
    total: Sums


def summary_of(rows: pa.Table, generators: Sequence[str]) -> dict[str, Any]:
    """The summary of the rows (at least one) of a run.

    ``generators``: for each a dictionary with its name, ``world_s`` (processor time) and each measure X with the ends
    of its 95% interval, ``X_low`` and ``X_high``: ``exact_worlds``, ``exact_hands``, ``placed``, ``diversity``; by
    class ``placed_by_class``; ``placed_by_cards_left`` and ``exact_hands_by_cards_left``, lists from 1 card on.
    ``differences``: of the first four, less the first generator's.
    """
    games, place = np.unique(rows["game"].to_numpy(), return_inverse=True)
    generator = np.array(rows["generator"].to_pylist())
    found, measured = [], []
    for name in generators:
        chosen = np.flatnonzero(generator == name)
        part = rows.take(chosen)
        measures = _measures(part, place[chosen], len(games))
        measured.append(measures)
        worlds_count = pc.sum(part["worlds_count"]).as_py()
        found.append(
            {
                "generator": name,
                "positions_count": part.num_rows,
                "world_s": math.fsum(part["elapsed_s"].to_pylist()) / worlds_count if worlds_count else None,
            }
            | _fields({key: _shares(measures[key])[0] for key in MEASURES})
            | {
                key: dict(zip((each.name for each in CardClass), shares, strict=True))
                for key, shares in _lists("placed_by_class", _shares(measures["by_class"])).items()
            }
            | _lists("placed_by_cards_left", _shares(measures["by_left"])[1:])
            | _lists("exact_hands_by_cards_left", _shares(measures["hands_by_left"])[1:])
        )
    differences = [
        {"generator": name, "of": generators[0]}
        | _fields({key: _difference(measures[key], measured[0][key]) for key in MEASURES})
        for name, measures in zip(generators[1:], measured[1:], strict=True)
    ]
    return {"games_count": len(games), "generators": found, "differences": differences}


def estimate_result(summary: Mapping[str, Any]) -> Result:
    """In words, how often worlds, hands and cards are right, by generator, from such a summary."""
    names = ["generator", *(name + ending for name in TOLD for ending in ENDINGS)]
    told = [{name: each[name] for name in names} for each in summary["generators"]]
    lines = [f"{count_of(summary['games_count'], 'game')}; shares guessed right, by generator"]
    for each in told:
        words = (
            f"{title} {_words(Share(*(each[name + ending] for ending in ENDINGS)))}"
            for name, title in TOLD.items()
        )
        lines.append(f"{each['generator']}: {', '.join(words)}")
    return Result({"games_count": summary["games_count"], "generators": told}, lines)


TOLD = {"exact_worlds": "worlds", "exact_hands": "hands", "placed": "cards"}


def _words(share: Share) -> str:
    if share.value is None:
        return "unknown"
    value = f"{percent(share.value)} %"
    if share.low is None or share.high is None:
        return value
    return f"{value} ({percent(share.low)} to {percent(share.high)})"


def _fields(shares: Mapping[str, Share]) -> dict[str, float | None]:
    """``NAME``, ``NAME_low`` and ``NAME_high`` of each."""
    return {
        name + ending: end
        for name, share in shares.items()
        for ending, end in zip(ENDINGS, share, strict=True)
    }


def _lists(name: str, shares: Sequence[Share]) -> dict[str, list[float | None]]:
    """The same names with a list each."""
    return {
        name + ending: list(ends) for ending, ends in zip(ENDINGS, zip(*shares, strict=True), strict=True)
    }


def _measures(rows: pa.Table, place: npt.NDArray[np.int64], games_count: int) -> dict[str, Measure]:
    """All measures of one generator; ``place``: that of each row's game."""

    def sums(name: str, *shape: int) -> Sums:
        column = rows[name].combine_chunks()
        cells = column.flatten() if pa.types.is_list(column.type) else column
        values = np.asarray(cells.to_numpy(zero_copy_only=False), np.float64).reshape(len(rows), *shape)
        found = np.zeros((games_count, *shape))
        np.add.at(found, place, values)
        return found

    lefts = LEFT_MAX + 1
    hands = [sums(name, lefts) for name in ("exact_hands_counts", "hands_counts")]
    cards = [sums(name, len(CardClass), lefts) for name in ("placed_counts", "cards_counts")]
    return {
        "exact_worlds": Measure(sums("exact_worlds_count", 1), sums("worlds_count", 1)),
        "exact_hands": Measure(*(each.sum(axis=1, keepdims=True) for each in hands)),
        "placed": Measure(*(each.sum(axis=(1, 2))[:, np.newaxis] for each in cards)),
        "diversity": Measure(sums("differing_count", 1), sums("pairs_count", 1)),
        "by_class": Measure(*(each.sum(axis=2) for each in cards)),
        "by_left": Measure(*(each.sum(axis=1) for each in cards)),
        "hands_by_left": Measure(*hands),
    }


def _shares(measure: Measure) -> list[Share]:
    """Each share with its interval, which ends at 0 and 1."""
    return [
        _interval(right, total, 0.0) for right, total in zip(measure.right.T, measure.total.T, strict=True)
    ]


def _difference(measure: Measure, base: Measure) -> Share:
    """The difference of two shares of the same things."""
    return _interval(measure.right[:, 0] - base.right[:, 0], measure.total[:, 0], -1.0)


def _interval(right: Sums, total: Sums, least: float) -> Share:
    """A ratio of sums, by game, that lies between ``least`` and 1."""
    whole = total.sum()
    if not whole:
        return Share(None, None, None)
    value = float(right.sum() / whole)
    games_count = len(total)
    if games_count < 2:
        return Share(value, None, None)
    squares = float(((right - value * total) ** 2).sum())
    half = Z * math.sqrt(squares * games_count / (games_count - 1)) / float(whole)
    return Share(value, max(least, value - half), min(1.0, value + half))
