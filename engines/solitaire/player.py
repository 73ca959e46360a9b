"""Shared by jobs in which a player plays random deals, with short searches for each choice."""

from __future__ import annotations

from typing import Any

from engines.contract.options import option
from engines.solitaire.job import DealsJob
from storage.errors import UserError

PLAYED = "Moves that the player has made; redeals are not counted."
"""Meaning of the column ``played_count``."""


def search_states(default: int) -> Any:
    """The field that bounds the player's searches."""
    return option(
        default,
        "States that each search of the player stores at most.",
        least=1,
        most=(1 << 40) - 1,
        column="int64",
        unit="states",
    )


def check_deals(job: DealsJob, index_max: int, taken: str) -> None:
    """UserError unless the deals are those of a seed, with no index beyond ``index_max``; ``taken``: what else the
    seed is used for."""
    if job.seed is None:
        raise UserError("job.seed", f"{taken} by it; deals of a file cannot be played here")
    if job.first + job.deals_count() > index_max:
        raise UserError("job.first", f"must be below {index_max} with the last deal")
