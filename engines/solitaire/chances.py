"""Chances of deals with unknown cards: the share of the deals that fit which can be won.

Each deal that fits is searched with all cards known. A player does not know them, and can do no better: the share is
an **upper bound** of what any player can win. The same deals are taken for a position and for each play in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engines.contract.result import percent
from engines.solitaire.game import DECIDE, Solitaire
from engines.solitaire.limits import Bounds
from engines.statistics.intervals import won_shares
from engines.text.words import count_of

if TYPE_CHECKING:
    from engines.solitaire.found import Found

SEARCH_S = 2.0
"""Limit of each search when no limit is given."""


@dataclass(frozen=True)
class Sampling:
    """The choice of deals that fit."""

    samples_count: int
    seed: int


@dataclass
class Chance:
    """Outcomes of the searches of deals that fit."""

    outcomes: dict[str, int] = field(default_factory=lambda: {"won": 0, "lost": 0, "undecided": 0})
    cpu_s: float = 0.0

    def count(self, found: Found[Any]) -> None:
        """Count one more deal."""
        self.outcomes[found.outcome] += 1
        self.cpu_s += found.cpu_s

    def values(self) -> dict[str, Any]:
        """Counts, shares and their 95% interval (Wilson's), those of open deals counted both ways."""
        won, lost = self.outcomes["won"], self.outcomes["lost"]
        return won_shares(won, lost, sum(self.outcomes.values())) | {"cpu_s": self.cpu_s}

    def words(self) -> str:
        """The same for people."""
        values = self.values()
        least, most, low, high = (
            percent(values[f"won_share_{end}"]) for end in ("min", "max", "low", "high")
        )
        share = f"{least} %" if least == most else f"{least} to {most} %"
        undecided = f", {values['open_count']} open" if values["open_count"] else ""
        won, total = values["won_count"], values["deals_count"]
        return f"{share} ({low} to {high} %): {won} of {total} deals can be won{undecided}"


def limited(bounds: Bounds) -> Bounds:
    """The bounds, or the default where none is given: each search must end."""
    has_end = bounds.time_s is not None or bounds.states_count is not None
    return bounds if has_end else replace(bounds, time_s=SEARCH_S)


def chance_of(
    game: Solitaire[Any, Any, Any], deal: Any, options: Any, bounds: Bounds, sampling: Sampling
) -> Chance:
    """The chance of a position."""
    total = Chance()
    for stream in range(sampling.samples_count):
        total.count(game.search(game.sampled(deal, sampling.seed, stream), options, DECIDE, bounds))
    return total


def chances_of_plays(
    game: Solitaire[Any, Any, Any], deal: Any, options: Any, bounds: Bounds, sampling: Sampling
) -> list[tuple[Any, Chance]]:
    """The chance of each legal play, the best first; which plays are legal does not depend on unknown cards."""
    totals: dict[Any, Chance] = {}
    for stream in range(sampling.samples_count):
        for move, after in game.plays(game.sampled(deal, sampling.seed, stream), options):
            totals.setdefault(move, Chance()).count(game.search(after, options, DECIDE, bounds))
    return sorted(totals.items(), key=lambda each: -each[1].outcomes["won"])


def head_values(game: Solitaire[Any, Any, Any], deal: Any, sampling: Sampling) -> dict[str, Any]:
    """Values at the beginning of every answer about chances."""
    return {
        "unknown_count": game.unknown_count(deal),
        "samples_count": sampling.samples_count,
        "seed": sampling.seed,
    }


def head_words(game: Solitaire[Any, Any, Any], deal: Any, sampling: Sampling, bounds: Bounds) -> str:
    """The same for people."""
    return (
        f"{count_of(game.unknown_count(deal), 'card')} not known; {sampling.samples_count} deals that fit "
        f"(seed {sampling.seed}), each searched with all cards known and {bounds.words()}: an upper bound of a "
        "player's chance"
    )
