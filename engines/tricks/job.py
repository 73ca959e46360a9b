"""What jobs of trick taking have in common: the rules."""

from __future__ import annotations

from dataclasses import dataclass

from engines import _native
from engines.contract.job import Job
from storage.errors import UserError

POINTS = ("highest", "lowest", "anywhere")
AIMS = ("most", "fewest")


@dataclass
class TricksJob(Job):
    """All deals of up to so many cards each by some rules."""

    cards: int = 12
    """Cards of each player."""
    points: str = "highest"
    """Which cards are point cards: the highest, the lowest, or any that follow one another (anywhere)."""
    aim: str = "most"
    """most: point cards are to be won; fewest: they are to be avoided."""

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        if not 1 <= self.cards <= _native.TRICKS_CARDS_MAX:
            raise UserError("job.cards", f"must be 1 to {_native.TRICKS_CARDS_MAX}; got {self.cards}")
        for name, value, known in (("points", self.points, POINTS), ("aim", self.aim, AIMS)):
            if value not in known:
                raise UserError(f"job.{name}", f"{value!r} is none of {', '.join(known)}")
