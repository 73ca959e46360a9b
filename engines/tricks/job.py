"""The rules, shared by jobs of trick taking."""

from __future__ import annotations

from dataclasses import dataclass

from engines import _native
from engines.contract.job import Job
from engines.contract.options import option

POINTS = ("highest", "lowest", "anywhere")
AIMS = ("most", "fewest")


@dataclass
class TricksJob(Job):
    """All deals of up to so many cards each by some rules."""

    cards: int = option(12, "Cards of each player.", least=1, most=_native.TRICKS_CARDS_MAX)
    points: str = option(
        "highest",
        "Which cards are point cards: the highest, the lowest, or any that follow one another (anywhere).",
        choices=POINTS,
    )
    aim: str = option(
        "most", "most: point cards are to be won; fewest: they are to be avoided.", choices=AIMS
    )
