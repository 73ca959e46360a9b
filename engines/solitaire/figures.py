"""Figures of a sweep of deals for its summary and for reports, beside what was published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engines.solitaire.game import Published, Solitaire
from engines.statistics.intervals import won_shares
from engines.statistics.measures import quantiles, spread


def figures(game: Solitaire[Any, Any, Any], rows: pa.Table, known: Published | None) -> dict[str, Any]:
    """Figures of the current rows (at least one) of a sweep, all of them single values, so that SQL has them as
    columns.

    For the shares see ``won_shares``, for the measures ``measures``.
    """
    outcomes = rows["outcome"].to_pylist()
    found: dict[str, Any] = won_shares(int(_is_won(rows).sum()), outcomes.count("lost"), len(outcomes))
    found["search_peak_bytes"] = max(rows["peak_bytes"].to_pylist())
    for name, values in measures(game, rows):
        found |= spread(name, values) | quantiles(name, values)
    if known is not None:
        found |= {
            "published_source": known.source,
            "published_won_share": known.won_share,
            "published_won_share_low": known.won_share - known.half_width,
            "published_won_share_high": known.won_share + known.half_width,
        }
    return found


def measures(game: Solitaire[Any, Any, Any], rows: pa.Table) -> Iterator[tuple[str, list[float]]]:
    """The values of each measure, in the order of the rows.

    ``deal_s``: seconds of a deal. ``states`` (or what the game counts its work in) are those of decided deals, since
    one that hit a limit would take more, ``lost_states`` of the lost ones; ``moves`` and the game's own counts are
    those of solutions.
    """
    outcomes = np.array(rows["outcome"].to_pylist())
    won = _is_won(rows)
    effort, work = _numbers(rows, game.effort), game.effort.removesuffix("_count")
    for name, told in (
        ("deal_s", _numbers(rows, "elapsed_s")),
        (work, effort[outcomes != "undecided"]),
        (f"lost_{work}", effort[outcomes == "lost"]),
        *((name.removesuffix("_count"), _numbers(rows, name)[won]) for name in ("moves_count", *game.counts)),
    ):
        yield name, told[np.isfinite(told)].tolist()


def figure_columns(game: Solitaire[Any, Any, Any]) -> list[str]:
    """The columns that ``figures`` needs."""
    return ["outcome", "elapsed_s", game.effort, "moves_count", *game.counts, "peak_bytes"]


def _is_won(rows: pa.Table) -> npt.NDArray[np.bool_]:
    """The deals with a solution: a search for more than a win may have found one before it hit a limit."""
    outcomes = np.array(rows["outcome"].to_pylist())
    won: npt.NDArray[np.bool_] = (outcomes == "won") | np.isfinite(_numbers(rows, "moves_count"))
    return won


def _numbers(rows: pa.Table, name: str) -> npt.NDArray[np.float64]:
    """A column as numbers, NaN where it has none."""
    return np.array(rows[name].cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
